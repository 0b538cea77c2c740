// How long a change of DNS can take, said beside every record that is still to be
// made or still to be seen: two days at the most, minutes as a rule, and the true
// time wherever it is known. Nothing is said once everything is there.

import type { Propagation } from '@petstore/contract/platform/domain-shapes'
import type { Evidence } from '../observing/evidence.ts'
import type { Judgement } from '../judging/judgement.ts'
import { firstCheckOf } from '../lifecycle/light-check.ts'
import { duration, timeOfDay } from '../judging/format.ts'

const ALWAYS = 'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes.'

export function propagationOf({ records, troubles }: Judgement, evidence: Evidence | null): Propagation | null {
  const ends = troubles.flatMap(({ code, until }) => (code.startsWith('prop.') && until !== null ? [until] : []))
  if (ends.length > 0) {
    const until = Math.max(...ends)
    const time = timeOfDay(until, evidence?.at ?? until)
    return { note: `${ALWAYS} Here it takes until about ${time}.`, until: new Date(until).toISOString() }
  }
  if (records.every(({ state }) => state === 'right')) return null
  return { note: [ALWAYS, ...rememberedFor(evidence)].join(' '), until: null }
}

/** Whoever asked just now does not ask again before what they were told is too old. */
function rememberedFor(evidence: Evidence | null): string[] {
  if (evidence === null) return []
  const { at, rememberedUntil } = firstCheckOf(evidence)
  if (rememberedUntil <= at) return []
  return [`The current value may stay cached for ${duration(rememberedUntil - at)} after you change it.`]
}
