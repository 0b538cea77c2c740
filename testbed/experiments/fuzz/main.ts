// Fuzzes the service from its own OpenAPI document and exits with 1 on any finding.
//
//   npm run experiment -- fuzz --help
//
// Without --url it starts the real service in a process of its own, on a throw-away PostgreSQL.
// A service given by --url needs quotas that are out of reach, and gets animals added.

import { control, platformControl } from './negative-control.ts'
import { prepare, servedDocument, startEnvironment, type FuzzEnvironment } from './environment.ts'
import { PREFIX } from './platform-actors.ts'
import { fuzzPlatform } from './platform-run.ts'
import type { FuzzReport } from './findings.ts'
import { fuzz } from './run.ts'
import { readFlags } from '../flags.ts'

const flags = readFlags('fuzz')
const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31))
const print = (text: string) => process.stdout.write(`${text}\n`)

if (flags.control) await runControl()
else await runFuzz()

async function runFuzz(): Promise<void> {
  const environment: FuzzEnvironment = flags.url
    ? { origin: new URL(flags.url).origin, key: flags.key ?? '', inbox: '', stop: async () => {} }
    : await startEnvironment()
  try {
    const report = await (flags.platform === undefined
      ? fuzzV1(environment)
      : atPlatform(environment, Number(flags.platform)))
    print(flags.json ? JSON.stringify(report) : asText(report))
    if (report.serverErrors + report.mismatches > 0) process.exitCode = 1
  } finally {
    await environment.stop()
  }
}

async function fuzzV1({ origin, key }: FuzzEnvironment): Promise<FuzzReport> {
  const document = await servedDocument(origin)
  const seeded = await prepare(origin, key)
  return fuzz({ origin, document, ground: seeded, requests: Number(flags.requests), seed })
}

async function atPlatform({ origin, inbox }: FuzzEnvironment, requests: number): Promise<FuzzReport> {
  return fuzzPlatform({ origin, inbox, document: await servedDocument(origin, PREFIX), requests, seed })
}

async function runControl(): Promise<void> {
  const report = await (flags.platform === undefined ? control(seed) : platformControl(seed))
  const isMissed = report.some(({ found }) => found === 0)
  const lines = report.map(
    ({ way, kind, found }) => `${found > 0 ? 'noticed' : 'MISSED '}  ${way} (${found} × ${kind})`,
  )
  print(flags.json ? JSON.stringify({ seed, control: report }) : [...lines, `seed ${seed}`].join('\n'))
  if (isMissed) process.exitCode = 1
}

function asText(report: FuzzReport): string {
  const { requests, seconds, perSecond, foretold, serverErrors, mismatches, findings } = report
  return [
    `${requests} requests in ${seconds.toFixed(1)} s (${perSecond}/s), ${foretold} of them answered as foretold`,
    `${serverErrors} × 5xx, ${mismatches} mismatches`,
    latenessText(report),
    `by status:    ${list(report.byStatus)}`,
    `by code:      ${list(report.byCode)}`,
    `by operation: ${list(report.byOperation)}`,
    `seed ${report.seed}`,
    ...findings.map(
      (finding) => `\n${finding.times} × ${finding.kind}: ${finding.detail}\n${JSON.stringify(finding, null, 2)}`,
    ),
  ].join('\n')
}

function latenessText({ framingFaults, late, lateMs, slowestMs, slowestCase }: FuzzReport): string {
  const bound = `408, or more than ${lateMs / 1000} s after the last byte`
  const slowest = `slowest ${(slowestMs / 1000).toFixed(2)} s (${JSON.stringify(slowestCase.slice(0, 60))})`
  return `${late} answered late (${bound}), ${slowest}; ${framingFaults} requests had a framing fault`
}

function list(counts: Record<string, number>): string {
  const falling = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return falling.map(([name, count]) => `${name} ${count}`).join(', ')
}
