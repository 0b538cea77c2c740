// Waiting times of owners: for Verify, over the whole corpus of troubles with dead nameservers
// among them; and for a corrected record while they watch.
//
//   npm run experiment -- verify-times --help
//
// `--control` (negative control) shows that the limits can be missed: an observer without a time
// budget, and domains without an open page. It exits non-zero whenever a limit was missed.

import { corpus } from '../../zones/corpus.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { timeVerify, type VerifyTime } from './corpus.ts'
import { timeCorrections, type Corrections } from './watched.ts'
import { readFlags } from '../flags.ts'

const VERIFY_P95_MS = 3000
const CORRECTED_P50_MS = 5000

export type Spread = { count: number; p50: number; p95: number; worst: number }

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), worst: at(1) }
}

/** The fault of these times of Verify; undefined if all calls returned, and soon enough. */
export function verifyFault(times: readonly VerifyTime[]): string | undefined {
  const failed = times.find(({ status }) => status !== 200)
  if (failed) return `Verify of ${failed.hostname} was answered with ${failed.status}`
  const { p95 } = spreadOf(times.map(({ ms }) => ms))
  return p95 > VERIFY_P95_MS ? `Verify: p95 is ${p95} ms, more than ${VERIFY_P95_MS}` : undefined
}

/** Calls that the database cannot serve at once are retried, and the time counts. */
const BUSY = 'PostgreSQL cannot answer now'

export function correctionFault({ times, missed, errors }: Corrections): string | undefined {
  const error = errors.find((message) => !message.startsWith(BUSY))
  if (error !== undefined) return `background work failed: ${error}`
  // A domain that was never reported as verified counts as infinitely late.
  const { p50 } = spreadOf([...times, ...Array<number>(missed).fill(Infinity)])
  return p50 > CORRECTED_P50_MS ? `corrected while watched: p50 is ${p50} ms, more than ${CORRECTED_P50_MS}` : undefined
}

const words = ({ count, p50, p95, worst }: Spread) => `${count} times, p50 ${p50} ms, p95 ${p95} ms, worst ${worst} ms`

export const verifyLine = (times: readonly VerifyTime[]) =>
  `verify over the corpus: ${words(spreadOf(times.map(({ ms }) => ms)))} (p95 at most ${VERIFY_P95_MS} ms)`

export const crowdLine = ({ times, missed }: Corrections) =>
  `the same while all share three nameservers, asked politely: ${words(spreadOf(times))}, ${missed} missed`

export const correctionLine = ({ times, missed }: Corrections) =>
  `corrected while watched, until verified: ${words(spreadOf(times))}, ${missed} missed (p50 at most ${CORRECTED_P50_MS} ms)`

if (import.meta.main) {
  const flags = readFlags('verify-times')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const verified = flags.control
    ? await timeVerify(appUrl, corpus.zone.slice(0, 8), { isSlow: true, atOnce: 8 })
    : await timeVerify(appUrl, Object.values(corpus).flat())
  const options = { domains: Number(flags.domains), isWatched: !flags.control, patienceMs: 20_000 }
  const corrected = await timeCorrections(appUrl, options)
  const crowded = await timeCorrections(appUrl, { ...options, isCrowded: true })
  const faults = [verifyFault(verified), correctionFault(corrected), correctionFault(crowded)].filter(
    (fault) => fault !== undefined,
  )
  const lines = [...faults, verifyLine(verified), correctionLine(corrected), crowdLine(crowded)]
  process.stdout.write(flags.json ? `${figuresOf(verified, corrected, crowded, faults)}\n` : `${lines.join('\n')}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

function figuresOf(
  verified: readonly VerifyTime[],
  corrected: Corrections,
  crowded: Corrections,
  faults: readonly string[],
): string {
  const slowest = verified.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  const corrections = (measured: Corrections) => ({ ...measured, times: undefined, ...spreadOf(measured.times) })
  return JSON.stringify({
    verify: { ...spreadOf(verified.map(({ ms }) => ms)), slowest },
    corrected: corrections(corrected),
    crowded: corrections(crowded),
    faults,
  })
}
