// Moments as numbers: milliseconds since 1970 in UTC, as the clock that main.ts
// hands out gives them.

export type Instant = number
export type Clock = () => Instant

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** As PostgreSQL's driver gives and takes moments. */
export const instantOf = (date: Date | null): Instant | null => (date === null ? null : date.getTime())
export const dateOf = (at: Instant | null): Date | null => (at === null ? null : new Date(at))

const rfc3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** An RFC 3339 time, or undefined if the text is none. */
export function instantFrom(text: string): Instant | undefined {
  const time = rfc3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN
  if (Number.isNaN(time)) return undefined
  // Date.parse would take 31 February for 3 March.
  const day = text.slice(0, 10)
  return new Date(day).toISOString().startsWith(day) ? time : undefined
}
