// When an animal was born, as people know it: a day, a month, a year, or an age such as
// "2 years". Pure.

import type { Born } from '@petstore-platform/contract/platform/profiles'
import { bornIn } from '@petstore-platform/contract/platform/spelled-dates'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'
import { dayOf } from './age.ts'

/** Null for nothing, undefined for what cannot be read or is still to come. In numbers, the day is first. */
export function readBorn(text: string, today: Date): Born | null | undefined {
  const read = bornIn(singleSpaced(text), 'dmy', dayOf(today))
  return read && read.date > dayOf(today) ? undefined : read
}

const formats = {
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' }),
}

export const writeBorn = ({ date, precision }: Pick<Born, 'date' | 'precision'>): string =>
  formats[precision].format(new Date(`${date}T00:00:00Z`))
