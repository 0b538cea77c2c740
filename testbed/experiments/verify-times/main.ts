// Waiting times of owners: for Verify, and for a corrected record while they watch.

import { corpus } from '../../zones/corpus.ts'
import { spreadOf } from '../../harness/quantile.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { timeVerify, type VerifyTime } from './corpus.ts'
import { timeCorrections, type Corrections } from './watched.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const VERIFY_P95_MS = 3000
const CORRECTED_P50_MS = 5000

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

export const verifyFigures = (times: readonly VerifyTime[]) => ({ verify: spreadOf(times.map(({ ms }) => ms)) })

export const correctionFigures = ({ times, missed }: Corrections) => ({ ...spreadOf(times), missed })

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
  conclude(
    flags,
    {
      ...verifyFigures(verified),
      corrected: correctionFigures(corrected),
      'while all share three nameservers': correctionFigures(crowded),
    },
    verifyFault(verified),
    correctionFault(corrected),
    correctionFault(crowded),
  )
}
