// What visitors may narrow a list of animals down to, and how that is spelled in an address. Values that are unknown
// are ignored, and the same choice is always spelled the same.

import type { ProfileFieldName } from '@petstore-platform/contract/platform/profile-fields'
import { sexes, sizes, type Sex, type Size } from '@petstore-platform/contract/platform/profiles'

export const ages = ['baby', 'young', 'adult', 'senior'] as const
export type Age = (typeof ages)[number]
export const companies = ['children', 'dogs', 'cats'] as const
export type Company = (typeof companies)[number]
export const companyFields = {
  children: 'goodWithChildren',
  dogs: 'goodWithDogs',
  cats: 'goodWithCats',
} as const satisfies Record<Company, ProfileFieldName>
export const sorts = ['newest', 'longest'] as const
export type Sort = (typeof sorts)[number]

export type Filters = {
  /** A category. */
  kind: bigint | undefined
  sex: Sex | undefined
  age: Age | undefined
  size: Size | undefined
  /** Whom the animal gets along with, each once, in one order. */
  with: readonly Company[]
  /** The beginning of a word of the name or the breed; empty for every animal. */
  q: string
  sort: Sort
}

export const noFilters: Filters = {
  kind: undefined,
  sex: undefined,
  age: undefined,
  size: undefined,
  with: [],
  q: '',
  sort: 'newest',
}

export const SEARCH_LENGTH_MAX = 60

const oneOf = <One extends string>(values: readonly One[], text: string | null): One | undefined =>
  values.find((value) => value === text)

export function readFilters(query: URLSearchParams, readId: (text: string) => bigint | undefined): Filters {
  const company = query.getAll('with')
  return {
    kind: readId(query.get('kind') ?? ''),
    sex: oneOf(sexes, query.get('sex')),
    age: oneOf(ages, query.get('age')),
    size: oneOf(sizes, query.get('size')),
    with: companies.filter((one) => company.includes(one)),
    q: searched(query.get('q') ?? ''),
    sort: oneOf(sorts, query.get('sort')) ?? 'newest',
  }
}

/** Without what no name contains and no address can carry. */
function searched(text: string): string {
  const plain = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return Array.from(plain.trim()).slice(0, SEARCH_LENGTH_MAX).join('').trim()
}

/** As parts of a query, in one order. */
export function writtenFilters(filters: Filters): string[] {
  const { kind, sex, age, size, q, sort } = filters
  return [
    ...(kind === undefined ? [] : [`kind=${kind}`]),
    ...(sex === undefined ? [] : [`sex=${sex}`]),
    ...(age === undefined ? [] : [`age=${age}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
    ...filters.with.map((one) => `with=${one}`),
    ...(q === '' ? [] : [`q=${encodeURIComponent(q)}`]),
    ...(sort === 'newest' ? [] : [`sort=${sort}`]),
  ]
}

/** Whether fewer animals are shown than there are. Another order is no filter, but no address of its own either. */
export const isFiltered = (filters: Filters): boolean => writtenFilters({ ...filters, sort: 'newest' }).length > 0
export const isPlain = (filters: Filters): boolean => writtenFilters(filters).length === 0

/** Full months of life at which each group begins. */
const monthsAt: Readonly<Record<Age, number>> = { baby: 0, young: 6, adult: 24, senior: 108 }

/** The days of birth of an age group: after the first, until the second; null where there is no border. */
export function bornWithin(age: Age | undefined, today: string): { after: string | null; until: string | null } {
  if (age === undefined) return { after: null, until: null }
  const next = ages[ages.indexOf(age) + 1]
  return {
    after: next === undefined ? null : monthsBefore(today, monthsAt[next]),
    until: monthsAt[age] === 0 ? today : monthsBefore(today, monthsAt[age]),
  }
}

/** The same day some months ago; the last day of that month if it has no such day. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDate = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, lastDate))
  return first.toISOString().slice(0, 10)
}
