// The columns of `pet_profiles`, derived from the list of profile fields: parts of statements, put together once, and the
// row that is written. The tests that check every statement read these constants as well. Pure.

import {
  fieldsWith,
  profileFieldNames,
  profileFields,
  type ProfileFieldEntry,
  type ProfileFieldName,
} from '@petstore-platform/contract/platform/profile-fields'
import type { ProfileFields } from './profile.ts'

/** `second_breed` of `secondBreed`. */
const columnOf = (name: ProfileFieldName): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A date of birth has three columns, and a fee two. */
const columnsOf = (name: ProfileFieldName): readonly string[] => {
  if (name === 'born') return ['born', 'born_precision', 'is_born_estimated']
  return name === 'fee' ? ['fee_amount', 'fee_currency'] : [columnOf(name)]
}

/** A field under its name, from its columns. */
function selected(name: ProfileFieldName): string {
  const column = columnOf(name)
  const { type, isUnique }: ProfileFieldEntry = profileFields[name]
  if (type === 'born')
    return `case when born is not null then json_build_object(
      'date', born, 'precision', born_precision, 'isEstimated', is_born_estimated) end as born`
  if (type === 'fee')
    return `case when fee_amount is not null then json_build_object(
      'amount', fee_amount, 'currency', fee_currency) end as fee`
  if (type === 'day') return `${column}::text as "${name}"`
  if (isUnique) return `coalesce(${column}, '') as "${name}"`
  return column === name ? column : `${column} as "${name}"`
}

const list = (parts: readonly string[]): string => parts.join(', ')
const selectedOf = (names: readonly ProfileFieldName[]) => list(names.map(selected))
const written = profileFieldNames.flatMap(columnsOf)

export const allFields = `version, ${selectedOf(profileFieldNames)}`
/** What visitors may see in a list, and on the page of the animal. */
export const cardFields = selectedOf(fieldsWith({ shown: ['card'] }))
export const publicFields = selectedOf(fieldsWith({ shown: ['card', 'page'] }))
/** What a list for members says of each animal, and how many of the first questions of visitors are answered. */
export const summaryFields = `${selectedOf(['breed', 'sex', 'born', 'inCareSince', 'portrait', 'isHidden', 'isFeatured'])},
     ${answered()} as answered`
/** Only that, by less. */
export const answeredCount = `${answered()} as answered`
/** The columns that a change sets, each once, and the same columns of what is written. */
export const changed = list(written)
export const given = list(written.map((column) => `excluded.${column}`))

/** Of each question, whether a field answers it. */
function answered(): string {
  const asked = Map.groupBy(
    profileFieldNames,
    (name): string => (profileFields[name] as ProfileFieldEntry).question ?? '',
  )
  asked.delete('')
  const known = [...asked.values()].map((names) => names.map(isAnswered).join(' or '))
  return known.map((condition) => `(${condition})::integer`).join(' + ')
}

function isAnswered(name: ProfileFieldName): string {
  const column = columnOf(name)
  const { type } = profileFields[name]
  if (type === 'line' || type === 'text') return `${column} <> ''`
  if (type === 'list') return `cardinality(${column}) > 0`
  return type === 'answer' ? `${column} <> 'unknown'` : `${column} is not null`
}

/** As JSON, by column. */
export const rowOf = (profile: ProfileFields): string =>
  JSON.stringify(Object.fromEntries(profileFieldNames.flatMap((name) => cellsOf(name, profile))))

function cellsOf(name: ProfileFieldName, profile: ProfileFields): [column: string, value: unknown][] {
  const { born, fee } = profile
  if (name === 'born')
    return [
      ['born', born?.date],
      ['born_precision', born?.precision],
      ['is_born_estimated', born?.isEstimated],
    ]
  if (name === 'fee')
    return [
      ['fee_amount', fee?.amount],
      ['fee_currency', fee?.currency],
    ]
  const { isUnique }: ProfileFieldEntry = profileFields[name]
  return [[columnOf(name), isUnique && profile[name] === '' ? null : profile[name]]]
}
