// The value of a field for a date and a time, which is in the time zone of the device, and the moment that it means:
// with that zone, since visitors read the time as the owner named it.

const two = (value: number) => String(value).padStart(2, '0')

/** '2026-11-21T11:00', for the field. */
export const localInput = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`

/** '2026-11-21T11:00:00+01:00'; undefined while the field is not complete. */
export function timeOfInput(value: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return undefined
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  const east = -date.getTimezoneOffset()
  const size = Math.abs(east)
  return `${localInput(date)}:00${east < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Less than the server admits, for a visit that begins now. */
const PAST_MS_MAX = 4 * 60_000

export const isPast = (time: string, now: number): boolean => Date.parse(time) < now - PAST_MS_MAX
