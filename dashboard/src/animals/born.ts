// When an animal was born, as people know it: a day, a month, a year, or an age such as
// "2 years". Pure.

import type { Born } from '@petstore-platform/contract/platform/profiles'
import { bornIn } from '@petstore-platform/contract/platform/spelled-dates'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'

const DAY_MS = 86_400_000

/** Null for nothing, undefined for what cannot be read or is still to come. In numbers, the day is first. */
export function readBorn(text: string, today: Date): Born | null | undefined {
  const read = bornIn(singleSpaced(text), 'dmy', isoOf(today))
  return read && read.date > isoOf(today) ? undefined : read
}

const isoOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const two = (value: number) => String(value).padStart(2, '0')

const formats = {
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' }),
}

export const writeBorn = ({ date, precision }: Pick<Born, 'date' | 'precision'>): string =>
  formats[precision].format(new Date(`${date}T00:00:00Z`))

export type Age = { count: number; unit: 'year' | 'month' | 'week' | 'day' }

/** As exactly as the date is known; undefined for one that is still to come. */
export function ageOf({ date, precision }: Pick<Born, 'date' | 'precision'>, today: Date): Age | undefined {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const passed = (today.getFullYear() - year) * 12 + today.getMonth() + 1 - month - (today.getDate() < day ? 1 : 0)
  if (passed < 0) return undefined
  if (passed >= 12 || precision === 'year') return { count: Math.floor(passed / 12), unit: 'year' }
  if (passed >= 2 || precision === 'month') return { count: passed, unit: 'month' }
  const days = Math.round((Date.parse(isoOf(today)) - Date.parse(date)) / DAY_MS)
  return days >= 7 ? { count: Math.floor(days / 7), unit: 'week' } : { count: days, unit: 'day' }
}
