// Parses very many generated hostnames and exits with 1 if one was accepted that must be
// rejected, or changed when it was parsed again.
//
//   npm run experiment -- names --help

import { readHostname } from '../../../server/src/domains/naming/names.ts'
import { fuzzNames } from '../../harness/names/fuzz.ts'
import { readFlags } from '../flags.ts'

const flags = readFlags('names')
const seed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31))

const start = performance.now()
const report = fuzzNames({ count: Number(flags.count), seed, read: readHostname })
const seconds = (performance.now() - start) / 1000
const perSecond = Math.round(report.count / seconds)

if (flags.json) process.stdout.write(`${JSON.stringify({ ...report, seconds, perSecond })}\n`)
else process.stdout.write(`${asText()}\n`)
if (report.found > 0) process.exitCode = 1

function asText(): string {
  const { count, accepted, refused, found, findings } = report
  const codes = Object.entries(refused).map(([code, times]) => `${code} ${times}`)
  return [
    `${count} names in ${seconds.toFixed(1)} s (${perSecond}/s): ${accepted} accepted, ${count - accepted} refused`,
    `refused:  ${codes.join(', ')}`,
    `findings: ${found}`,
    `seed ${seed}`,
    ...findings.map(({ kind, typed, why }) => `${kind}: ${JSON.stringify(typed)}: ${why}`),
  ].join('\n')
}
