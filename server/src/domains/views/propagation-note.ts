// The propagation note: how long a DNS change can take, shown next to every record that is
// still to be created or detected. Two days at most, minutes as a rule, and the real time
// wherever it is known. There is no note once all records are correct.

import type { Propagation } from '@petstore-platform/contract/platform/domain-shapes'
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

/** A resolver that was queried just now does not query again before its cached answer expires. */
function rememberedFor(evidence: Evidence | null): string[] {
  if (evidence === null) return []
  const { at, rememberedUntil } = firstCheckOf(evidence)
  if (rememberedUntil <= at) return []
  return [`The current value may stay cached for ${duration(rememberedUntil - at)} after you change it.`]
}
