// Facts of an animal in words: age, breed, fee, weight, months. Whatever was entered, they are short and never fail.

import { saysMix } from '@petstore-platform/contract/breeds'
import type { Born, CardProfile, Fee, PublicProfile } from '@petstore-platform/contract/platform/profiles'
import type { Language } from '@petstore-platform/contract/platform/site'
import type { RenderedSite } from './layout.ts'

type Unit = 'week' | 'month' | 'year'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: Language, key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = `${language} ${key}`
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.NumberFormat(language, options)
  // Currencies are entered by people: there could be thousands.
  if (formats.size < 1000) formats.set(name, made)
  return made
}

const counted = (language: Language, count: number, unit: Unit) =>
  formatOf(language, unit, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

/** Undefined if it is not known, or in the future. */
export function ageOf({ words, today, language }: RenderedSite, born: Born | null): string | undefined {
  const age = born && born.date <= today ? lifeOf(born, today) : undefined
  if (age === undefined || !born) return undefined
  const text = age === 'under a year' ? words.underOneYear : counted(language, age.count, age.unit)
  return born.isEstimated ? words.aboutAge(text) : text
}

/** In years from two years on; before that in months, and in weeks of the first one. */
function lifeOf({ date, precision }: Born, today: string): { count: number; unit: Unit } | 'under a year' {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [nowYear = 0, nowMonth = 1, nowDay = 1] = today.split('-').map(Number)
  if (precision === 'year') return nowYear > year ? { count: nowYear - year, unit: 'year' } : 'under a year'
  const isBefore = precision === 'day' && nowDay < day
  const months = (nowYear - year) * 12 + nowMonth - month - (isBefore ? 1 : 0)
  if (months >= 24) return { count: Math.floor(months / 12), unit: 'year' }
  if (months > 0 || precision === 'month') return { count: Math.max(1, months), unit: 'month' }
  const days = Math.round((Date.parse(today) - Date.parse(date)) / 86_400_000)
  return { count: Math.max(1, Math.floor(days / 7) || 1), unit: 'week' }
}

export const breedOf = ({ words }: RenderedSite, { breed, secondBreed, isMixed }: CardProfile): string =>
  words.breedOf(breed, secondBreed, isMixed && !saysMix(breed))

/** Amounts are stored in the smallest unit of the currency, of which a unit has 1, 100 or 1000. */
export function feeOf({ words, language }: RenderedSite, fee: Fee | null): string {
  if (fee === null) return words.askFee
  if (fee.amount === 0) return words.free
  const format = formatOf(language, fee.currency, {
    style: 'currency',
    currency: fee.currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return format.format(fee.amount / 10 ** decimalsOf(fee.currency))
}

const decimalsOf = (currency: string): number =>
  formatOf('en', `decimals ${currency}`, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** As a decimal number, for search engines. */
export const decimalFee = ({ amount, currency }: Fee): string => {
  const decimals = decimalsOf(currency)
  return (amount / 10 ** decimals).toFixed(decimals)
}

export function weightOf({ language }: RenderedSite, grams: number): string {
  const isLight = grams < 1000
  const unit = isLight ? 'gram' : 'kilogram'
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: grams < 10_000 ? 1 : 0 } as const
  return formatOf(language, `${unit} ${options.maximumFractionDigits}`, options).format(isLight ? grams : grams / 1000)
}

const months = new Map<Language, Intl.DateTimeFormat>()

/** The month of a day, such as March 2026. */
export function monthOf({ language }: RenderedSite, day: string): string {
  let format = months.get(language)
  if (!format) {
    format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
    months.set(language, format)
  }
  // A day that the month does not have is taken for the month all the same.
  return format.format(Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`))
}

/** Whether the breed is in the words of the owner, rather than in ours for an unknown mix. */
export const isBreedOwn = ({ breed, secondBreed }: CardProfile): boolean => breed !== '' || secondBreed !== ''

/** What stands below a name: the breed, or otherwise the kind, and the age; each empty if it is not known. */
export function lineOf(
  site: RenderedSite,
  profile: CardProfile | undefined,
  kind: string | undefined,
): { kind: string; isOwn: boolean; age: string } {
  const breed = profile ? breedOf(site, profile) : ''
  const age = (profile && ageOf(site, profile.born)) ?? ''
  if (!profile || breed === '') return { kind: kind ?? '', isOwn: true, age }
  return { kind: breed, isOwn: isBreedOwn(profile), age }
}

/** One sentence for search engines and shared links; empty if nothing is known. */
export function descriptionOf(
  site: RenderedSite,
  profile: PublicProfile | undefined,
  kind: string | undefined,
): string {
  if (!profile) return ''
  const sex = profile.sex === null ? '' : site.words.sexes[profile.sex]
  const line = lineOf(site, profile, kind)
  const facts = [line.kind, line.age, sex, profile.location].filter((part) => part !== '').join(' · ')
  return [profile.headline.trim(), facts].filter((part) => part !== '').join(' – ')
}
