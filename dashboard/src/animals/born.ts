// When an animal was born, as people know it: a day, a month, a year, or an age such as
// "2 years". Pure.

import type { Born } from '@petstore-platform/contract/platform/profiles'

/** `isGuess`: written as an age, or with "about". */
type ReadBorn = Pick<Born, 'date' | 'precision'> & { isGuess: boolean }

/** As the contract has it. */
const FIRST_DAY = '1900-01-01'
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_MS = 86_400_000

/** Null for nothing, undefined for what cannot be read or is still to come. */
export function readBorn(text: string, today: Date): ReadBorn | null | undefined {
  const written = text.trim().toLowerCase()
  if (written === '') return null
  const rest = written.replace(/^(about|around|approx\.?|approximately|ca\.?|c\.|~)\s*/, '')
  const read = readAge(rest, today) ?? readDate(rest)
  if (!read || read.date < FIRST_DAY || read.date > isoOf(today)) return undefined
  return { ...read, isGuess: read.isGuess || rest !== written }
}

const isoOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const two = (value: number) => String(value).padStart(2, '0')

/** What is said in years is known to the year, in months to the month, in weeks to the day. */
function readAge(text: string, today: Date): ReadBorn | undefined {
  const age =
    /^(?:(\d{1,3})(?:[.,](5))?\s*(?:y|yrs?|years?))?(?:\s*(?:and|,)?\s*(\d{1,3})\s*(?:m|mos?|mths?|months?))?(?:\s*(\d{1,3})\s*(?:w|wks?|weeks?))?(?:\s*old)?$/.exec(
      text,
    )
  if (!age || text === '' || text === 'old') return undefined
  const [, years = '0', half, more = '0', weeks] = age
  if (weeks !== undefined) {
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - Number(weeks) * 7)
    return { date: isoOf(day), precision: 'day', isGuess: true }
  }
  const isYear = half === undefined && age[3] === undefined
  const count = Number(years) * 12 + (half === undefined ? 0 : 6) + Number(more)
  const month = isoOf(new Date(today.getFullYear(), today.getMonth() - count, 1))
  return isYear
    ? { date: `${month.slice(0, 4)}-01-01`, precision: 'year', isGuess: true }
    : { date: month, precision: 'month', isGuess: true }
}

function readDate(text: string): ReadBorn | undefined {
  const numbers = /^(?:(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?)$/.exec(text)
  if (numbers) return dateOf(numbers[1], numbers[2], numbers[3])
  // The day first, as in the formats of this page.
  const dayFirst = /^(?:(\d{1,2})[./]\s*)?(\d{1,2})[./]\s*(\d{4})$/.exec(text)
  if (dayFirst) return dateOf(dayFirst[3], dayFirst[2], dayFirst[1])
  const named =
    /^(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s+)?([a-z]{3,9})\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?)?,?\s+(\d{4})$/.exec(text)
  const month = months.findIndex((name) => named?.[2]?.startsWith(name))
  return named && month >= 0 ? dateOf(named[4], String(month + 1), named[1] ?? named[3]) : undefined
}

function dateOf(year = '', month?: string, day?: string): ReadBorn | undefined {
  const date = `${year}-${two(Number(month ?? 1))}-${two(Number(day ?? 1))}`
  const time = Date.parse(`${date}T00:00:00Z`)
  // There is no 31 February.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(date)) return undefined
  return { date, precision: day !== undefined ? 'day' : month !== undefined ? 'month' : 'year', isGuess: false }
}

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
