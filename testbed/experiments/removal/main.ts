// No request that begins after the response to the removal is served, and the last earlier response comes within a second.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { spreadOf } from '../../harness/quantile.ts'
import { timeRemovals, type Measured } from './run.ts'
import { connectionKinds } from './connection-kinds.ts'
import type { RemovalOutcome } from './worker.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export const PROMISED_MS = 1000

/** Milliseconds to the last 2xx at any edge: after the removal was sent, and after its response. */
const sinceSent = ({ seen }: RemovalOutcome) => Math.max(0, ...seen.map(({ lastOkMs }) => lastOkMs))
const sinceAnswered = (outcome: RemovalOutcome) => Math.max(0, sinceSent(outcome) - outcome.answerMs)
const okLate = ({ seen }: RemovalOutcome) => seen.reduce((sum, { okLate: one }) => sum + one, 0)

/** With fewer requests than this after the response, a violation could be missed. */
const ASKED_LATE_MIN = 3

export function removalFault({ outcomes }: Pick<Measured, 'outcomes'>): string | undefined {
  if (outcomes.length === 0) return 'nothing was removed'
  for (const outcome of outcomes) {
    const { hostname, trouble, seen } = outcome
    if (trouble !== '') return `${hostname}: ${trouble}`
    const late = seen.find((one) => one.okLate > 0)
    if (late) {
      const who = `${late.okLate} times on ${late.edge} (${late.way})`
      return `${hostname} was served to who asked after the answer, ${who}, last ${Math.round(sinceAnswered(outcome))} ms after it`
    }
    if (sinceAnswered(outcome) > PROMISED_MS) {
      return `${hostname} was served ${Math.round(sinceAnswered(outcome))} ms after the answer, more than ${PROMISED_MS}`
    }
    const idle = seen.find(({ askedLate }) => askedLate < ASKED_LATE_MIN)
    if (idle)
      return `${hostname} was asked for only ${idle.askedLate} times on ${idle.edge} (${idle.way}) after the answer`
  }
  return undefined
}

export function removalFigures(measured: Measured) {
  const { outcomes, orders, errors } = measured
  const seen = outcomes.flatMap((outcome) => outcome.seen)
  return {
    removals: outcomes.length,
    edges: new Set(seen.map(({ edge }) => edge)).size,
    requests: seen.reduce((sum, { asked }) => sum + asked, 0),
    requestsAfterAnswer: seen.reduce((sum, { askedLate }) => sum + askedLate, 0),
    sent: spreadOf(outcomes.map(sinceSent)),
    answered: spreadOf(outcomes.map(sinceAnswered)),
    answer: spreadOf(outcomes.map(({ answerMs }) => answerMs)),
    ways: Object.fromEntries(
      connectionKinds.map((way) => [
        way,
        spreadOf(seen.filter((one) => one.way === way).map(({ lastOkMs }) => Math.max(0, lastOkMs))),
      ]),
    ),
    servedAfterAnswer: outcomes.reduce((sum, outcome) => sum + okLate(outcome), 0),
    resumedSessions: seen.reduce((sum, { resumed }) => sum + resumed, 0),
    unconfirmed: outcomes.filter(({ confirmed, edges }) => confirmed < edges).length,
    orders,
    errors,
  }
}

if (import.meta.main) {
  const flags = readFlags('removal')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const measured = await timeRemovals(appUrl, {
    removals: Number(flags.removals),
    edges: Number(flags.edges),
    ...(flags.sabotage && { sabotagedFrom: 0 }),
  })
  conclude(flags, removalFigures(measured), removalFault(measured))
}
