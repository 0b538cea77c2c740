// The age of an animal, as exactly as its date of birth is known. Lists show it, and need none of the words that its form
// reads. Pure.

import type { Born } from '@petstore-platform/contract/platform/profiles'
import * as texts from '../texts/texts.ts'

const words = texts.profiles
const DAY_MS = 86_400_000

/** Undefined if it is not known. */
export function ageWords(born: Born | null, today: Date): string | undefined {
  const age = born && ageOf(born, today)
  if (!age) return undefined
  const said = words.ages[age.unit](age.count)
  return born.isEstimated && age.count > 0 ? words.about(said) : said
}

export type Age = { count: number; unit: 'year' | 'month' | 'week' | 'day' }

/** As exactly as the date is known; undefined for one that is still to come. */
export function ageOf({ date, precision }: Pick<Born, 'date' | 'precision'>, today: Date): Age | undefined {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const passed = (today.getFullYear() - year) * 12 + today.getMonth() + 1 - month - (today.getDate() < day ? 1 : 0)
  if (passed < 0) return undefined
  if (passed >= 12 || precision === 'year') return { count: Math.floor(passed / 12), unit: 'year' }
  if (passed >= 2 || precision === 'month') return { count: passed, unit: 'month' }
  const days = Math.round((Date.parse(dayOf(today)) - Date.parse(date)) / DAY_MS)
  return days >= 7 ? { count: Math.floor(days / 7), unit: 'week' } : { count: days, unit: 'day' }
}

/** Where the person is. */
export const dayOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const two = (value: number) => String(value).padStart(2, '0')
