// Instants as numbers: milliseconds since 1970 in UTC, as the clock that main.ts provides returns
// them.

import { isCalendarDay } from '@petstore-platform/contract/calendar-day'

export type Instant = number
export type Clock = () => Instant

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Conversions for PostgreSQL's driver, which uses Date. */
export const instantOf = (date: Date | null): Instant | null => (date === null ? null : date.getTime())
export const dateOf = (at: Instant | null): Date | null => (at === null ? null : new Date(at))

const rfc3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** Parses an RFC 3339 time; undefined if the text is not one. */
export function instantFrom(text: string): Instant | undefined {
  const time = rfc3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  if (Number.isNaN(time)) return undefined
  return isCalendarDay(text.slice(0, 10)) ? time : undefined
}

/** Whether times can be written in it. */
export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The day that has begun anywhere on earth: clocks are ahead of UTC by 14 hours at most. */
export const latestDay = (now: Instant): string => new Date(now + 14 * HOUR).toISOString().slice(0, 10)

/** To the second, in UTC, as operators read it. */
export const timeText = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')
