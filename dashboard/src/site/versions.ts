// Compares two versions of a site in words: each difference, before and after. A version
// is a deployment or the draft. Categories have the names of that version, since numbers
// mean nothing to people.

import type { Received } from '@petstore-platform/contract/platform/client'
import * as texts from '../texts/texts.ts'
import { fieldNames, fieldsOf, furtherLanguages, isSame, type FieldName, type Fields, type Site } from './fields.ts'

type Category = { id: bigint; name: string }

export type Version = { fields: Fields; logo: string | null; categories: readonly Category[] }

export type Difference = { field: FieldName | 'logo' | 'categories'; before: string; after: string }

export const versionOf = ({ logo, categories, ...settings }: Received<'getDeploymentSettings'>): Version => ({
  fields: fieldsOf(settings),
  logo,
  categories,
})

export const draftVersion = (site: Site, fields: Fields, categories: readonly Category[]): Version => ({
  fields,
  logo: site.logo?.digest ?? null,
  categories,
})

export function differencesOf(before: Version, after: Version): Difference[] {
  const inFields = fieldNames
    .filter((field) => !isSame(before.fields, after.fields, field))
    .map((field) => ({
      field,
      before: wordsOf(before.fields, field, before.categories),
      after: wordsOf(after.fields, field, after.categories),
    }))
  return [...inFields, ...logoDifference(before.logo, after.logo), ...categoryDifference(before, after)]
}

/** A field's value as people read it; an empty one is the empty text. */
export function wordsOf(fields: Fields, field: FieldName, categories: readonly Category[]): string {
  if (field === 'look') return texts.site.looks[fields.look].name
  if (field === 'language') return texts.site.languages[fields.language]
  if (field === 'languages') return listed(furtherLanguages(fields).map((one) => texts.site.languages[one]))
  if (field === 'questions') return fields.questions?.map(({ text }) => text).join('\n') ?? texts.site.asked.usualOnes
  if (field !== 'hiddenCategories') return fields[field]
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return listed(fields.hiddenCategories.map((id) => names.get(id) ?? `#${id}`))
}

function logoDifference(before: string | null, after: string | null): Difference[] {
  if (before === after) return []
  const { logoNone, logoOne, logoOther } = texts.site
  if (after === null) return [{ field: 'logo', before: logoOne, after: logoNone }]
  return [
    before === null
      ? { field: 'logo', before: logoNone, after: logoOne }
      : { field: 'logo', before: logoOne, after: logoOther },
  ]
}

/** Only those that came, went or are called otherwise now. */
function categoryDifference(before: Version, after: Version): Difference[] {
  const changedIn = (own: Version, other: Version) => {
    const names = new Map(other.categories.map(({ id, name }) => [id, name]))
    return listed(own.categories.filter(({ id, name }) => names.get(id) !== name).map(({ name }) => name))
  }
  const [gone, fresh] = [changedIn(before, after), changedIn(after, before)]
  return gone === '' && fresh === '' ? [] : [{ field: 'categories', before: gone, after: fresh }]
}

const listed = (names: readonly string[]) => names.toSorted((one, other) => one.localeCompare(other)).join(', ')
