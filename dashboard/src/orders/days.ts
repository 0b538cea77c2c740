// A number of days as people type it. Pure.

const DAYS_MAX = 30

/** Undefined unless it is a whole number of days that the server accepts. */
export function daysOf(typed: string): number | undefined {
  const days = /^\s*\d{1,2}\s*$/.test(typed) ? Number(typed) : 0
  return days >= 1 && days <= DAYS_MAX ? days : undefined
}
