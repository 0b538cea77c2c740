// The time of a visit: a moment, and the time zone in which the owner named it. Visitors read it as
// she said it, since the visit is where she is.

import { VISIT_PLACE_LENGTH_MAX, type OrderVisit } from '@petstore-platform/contract/platform/orders'

/** `offset` is in minutes east of UTC. */
export type VisitTime = { at: Date; offset: number }

const FORMAT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|([+-])(\d\d):(\d\d))$/
const OFFSET_MAX = 14 * 60
const MINUTE_MS = 60_000
/** For a visit that begins now, and for a clock that is not quite right. */
const PAST_MS_MAX = 5 * MINUTE_MS
const control = /\p{Cc}/u

/** Undefined if it is not a time, or the place is not a line. */
export function readVisit({ at, place }: OrderVisit): (VisitTime & { place: string }) | undefined {
  const parts = FORMAT.exec(at)
  if (!parts) return undefined
  const [, sign, hours = '0', minutes = '0'] = parts
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime()) || Math.abs(offset) > OFFSET_MAX) return undefined
  const line = place.trim()
  if (Array.from(line).length > VISIT_PLACE_LENGTH_MAX || !line.isWellFormed() || control.test(line)) return undefined
  // Without `-0`.
  return { at: moment, offset: offset + 0, place: line }
}

export const isPast = ({ at }: VisitTime, now: number): boolean => at.getTime() < now - PAST_MS_MAX

/** The same day and hour in UTC, for a format that knows no other zone. */
export const localTime = ({ at, offset }: VisitTime): Date => new Date(at.getTime() + offset * MINUTE_MS)

/** As RFC 3339 has it, in the zone in which it was named. */
export function visitTimeText(visit: VisitTime): string {
  const { offset } = visit
  const local = localTime(visit).toISOString().replace('.000Z', 'Z')
  if (offset === 0) return local
  const two = (count: number) => String(count).padStart(2, '0')
  const size = Math.abs(offset)
  return local.replace('Z', `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`)
}
