// Fuzzes the service from its own OpenAPI document: one of its own in another process, or one that runs already.

import { control, platformControl } from './negative-control.ts'
import { prepare, servedDocument, startEnvironment, type FuzzEnvironment } from './environment.ts'
import { PREFIX } from './platform-actors.ts'
import { fuzzPlatform } from './platform-run.ts'
import type { FuzzReport } from './findings.ts'
import { fuzz } from './run.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const flags = readFlags('fuzz')
const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31))

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
    const { serverErrors, mismatches, findings, ...figures } = report
    const fault = serverErrors + mismatches > 0 ? `${serverErrors} × 5xx, ${mismatches} mismatches` : undefined
    const shown = flags.json ? findings : findings.map((finding) => JSON.stringify(finding))
    conclude(flags, { ...figures, serverErrors, mismatches, findings: shown }, fault)
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
  const missed = report.filter(({ found }) => found === 0).map(({ way }) => `not noticed: ${way}`)
  conclude(flags, { seed, control: report }, ...missed)
}
