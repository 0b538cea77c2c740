// Formatting of times, durations and lists for advice. A time of day always includes its time
// zone, because the reader may be anywhere; it is rounded up to the minute, because "until
// 14:20" is a promise that must not end early.

import { DAY, HOUR, MINUTE } from '../../foundation/time.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `14:20 UTC` on the same day, `16 November, 14:20 UTC` on another. */
export function timeOfDay(ms: number, now: number): string {
  const at = new Date(Math.ceil(ms / MINUTE) * MINUTE)
  const time = `${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())} UTC`
  const isToday = Math.floor(at.getTime() / DAY) === Math.floor(now / DAY)
  return isToday ? time : `${dayAndMonth(at)}, ${time}`
}

/** `16 November 2026` */
export function dateOf(ms: number): string {
  const at = new Date(ms)
  return `${dayAndMonth(at)} ${at.getUTCFullYear()}`
}

/** `about 5 minutes`; at least one minute, and never rounded down. */
export function duration(ms: number): string {
  if (ms <= 90 * MINUTE) return about(Math.ceil(ms / MINUTE), 'minute')
  return ms <= 36 * HOUR ? about(Math.ceil(ms / HOUR), 'hour') : about(Math.ceil(ms / DAY), 'day')
}

/** `a`, `a and b`, `a, b and c`; beyond `most` the rest is only counted. */
export function listed(items: readonly string[], most = 6): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')} and ${items.length - most} more`
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

const about = (count: number, unit: string) => `about ${Math.max(1, count)} ${unit}${count > 1 ? 's' : ''}`
const dayAndMonth = (at: Date) => `${at.getUTCDate()} ${months[at.getUTCMonth()]}`
const twoDigits = (number: number) => String(number).padStart(2, '0')
