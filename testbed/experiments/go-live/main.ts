// Time to go live: from the moment when DNS is correct until visitors get a website under its
// own hostname. That includes the check, the proof, the certificate, the distribution to the
// edges, and an HTTPS response to a visitor from outside. Everything is real: nameservers,
// authority, edges, and Caddy in front of them.
//
//   npm run experiment -- go-live --help
//
// `--at-once` corrects all domains at the same instant, `--nuisances` makes the authority slow
// and unreliable. It exits non-zero whenever a limit was missed. At most about a hundred
// domains: an authority with usual limits grants no more orders within three hours.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { timeGoLive, type Journey, type Measured } from './run.ts'
import { pressureWords } from './pressure.ts'
import { spreadOf } from '../verify-times/main.ts'
import { readFlags } from '../flags.ts'

const BARS = { p50: 3000, p95: 10_000 }

/** The fault of these journeys; undefined if all arrived, and soon enough. */
export function goLiveFault(
  { journeys, stranger }: Pick<Measured, 'journeys' | 'stranger'>,
  bars = BARS,
): string | undefined {
  const lost = journeys.find(({ served }) => served === null)
  if (lost) return `${lost.hostname} was never served: ${lost.why}`
  if (stranger !== 0) return 'visitors do not look at who has issued a certificate'
  const { count, p50, p95 } = spreadOf(timesOf(journeys, 'served'))
  if (count === 0) return 'nothing was measured'
  if (p50 > bars.p50) return `p50 is ${p50} ms, more than ${bars.p50}`
  return p95 > bars.p95 ? `p95 is ${p95} ms, more than ${bars.p95}` : undefined
}

const steps = ['seen', 'verified', 'stored', 'deployed', 'served'] as const
type Step = (typeof steps)[number]

const words: Record<Step, string> = {
  seen: 'seen in DNS',
  verified: 'verified',
  stored: 'certificate stored',
  deployed: 'on the edges',
  served: 'served to a visitor',
}

/** A domain that was never served counts as infinitely late. */
const timesOf = (journeys: readonly Journey[], step: Step): number[] =>
  journeys.map((journey) => journey[step] ?? Infinity)

export function goLiveLines({ journeys, pressure, errors }: Measured): string[] {
  const { count, p50, p95, worst } = spreadOf(timesOf(journeys, 'served'))
  const edit = spreadOf(journeys.map(({ editMs }) => editMs))
  return [
    `corrected DNS until HTTPS 200: ${count} domains, p50 ${p50} ms, p95 ${p95} ms, worst ${worst} ms (p50 at most ${BARS.p50} ms, p95 at most ${BARS.p95} ms)`,
    ...steps.map((step) => {
      const spread = spreadOf(timesOf(journeys, step))
      return `  ${words[step].padEnd(20)} p50 ${spread.p50} ms, p95 ${spread.p95} ms after the edit was acknowledged`
    }),
    `  (the edit itself, not counted: p50 ${edit.p50} ms, p95 ${edit.p95} ms)`,
    `  ${pressureWords(pressure)}`,
    ...histogram(timesOf(journeys, 'served')),
    ...(errors.length > 0 ? [`background work failed ${errors.length} times: ${errors[0]}`] : []),
  ]
}

const BUCKET_MS = 500

function histogram(times: readonly number[]): string[] {
  const buckets = Map.groupBy(times, (ms) => Math.floor(ms / BUCKET_MS))
  const last = Math.max(0, ...[...buckets.keys()].filter(Number.isFinite))
  return Array.from({ length: last + 1 }, (_, bucket) => {
    const seconds = ((bucket * BUCKET_MS) / 1000).toFixed(1)
    const count = buckets.get(bucket)?.length ?? 0
    return `  from ${seconds.padStart(4)} s ${'#'.repeat(count)} ${count === 0 ? '' : count}`.trimEnd()
  })
}

export const goLiveFigures = (measured: Measured) => ({
  ...spreadOf(timesOf(measured.journeys, 'served')),
  steps: Object.fromEntries(steps.map((step) => [step, spreadOf(timesOf(measured.journeys, step))])),
  pressure: measured.pressure,
  journeys: measured.journeys,
  errors: measured.errors,
  fault: goLiveFault(measured) ?? null,
})

if (import.meta.main) {
  const flags = readFlags('go-live')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const measured = await timeGoLive(appUrl, {
    domains: Number(flags.domains),
    edges: Number(flags.edges),
    pauseMs: Number(flags.pause),
    pebble: { nuisances: flags.nuisances },
    spacingMs: flags['at-once'] ? 0 : Number(flags.spacing),
  })
  const fault = goLiveFault(measured)
  const text = flags.json
    ? JSON.stringify(goLiveFigures(measured))
    : [...goLiveLines(measured), ...(fault === undefined ? [] : [`FAILED: ${fault}`])].join('\n')
  process.stdout.write(`${text}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
