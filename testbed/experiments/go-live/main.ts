// From the moment when DNS is correct until visitors get a website under its own hostname: the check, the proof, the
// certificate, the distribution to the edges, and an HTTPS response to a visitor from outside.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { timeGoLive, type Journey, type Measured } from './run.ts'
import { spreadOf } from '../../harness/quantile.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

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

/** A domain that was never served counts as infinitely late. */
const timesOf = (journeys: readonly Journey[], step: Step): number[] =>
  journeys.map((journey) => journey[step] ?? Infinity)

/** Milliseconds after the edit was acknowledged, by step. */
export const goLiveFigures = (measured: Measured) => ({
  steps: Object.fromEntries(steps.map((step) => [step, spreadOf(timesOf(measured.journeys, step))])),
  'the edit itself, not counted': spreadOf(measured.journeys.map(({ editMs }) => editMs)),
  errors: measured.errors,
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
  conclude(flags, { ...goLiveFigures(measured), journeys: measured.journeys }, goLiveFault(measured))
}
