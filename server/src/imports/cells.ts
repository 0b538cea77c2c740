// An animal as the cells of an export. Every field of its profile is one, so that a file that was exported and not changed
// changes nothing when it is imported. Pure.

import { exportFields, type ExportField, type ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { profileFieldNames, type ProfileFieldName } from '@petstore-platform/contract/platform/profile-fields'
import type { PetStatus } from '@petstore-platform/contract/pets'
import type { Born } from '@petstore-platform/contract/platform/profiles'
import { amountText } from '@petstore-platform/contract/platform/spelled-numbers'
import type { ProfileFields } from '../animals/profile.ts'

/** What an import reads and writes of an animal. */
export type AnimalState = { name: string; categoryId: bigint; status: PetStatus; profile: ProfileFields }

/** A cell that says something else than the animal already does; by field. `''` empties the field. */
export type Said = { column: number; text: string }
export type SaidCells = ReadonlyMap<ImportField, Said>

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

/** By field. `categoryName`: empty if the category has none. */
export function cellsOf(id: bigint, animal: AnimalState, categoryName: string): Record<ExportField, string> {
  return {
    id: String(id),
    name: animal.name,
    categoryId: String(animal.categoryId),
    status: animal.status,
    category: categoryName,
    ...(Object.fromEntries(profileFieldNames.map((name) => [name, cellOf(animal.profile, name)])) as ProfileCells),
    isBornEstimated: animal.profile.born === null ? '' : yesNo(animal.profile.born.isEstimated),
    feeCurrency: animal.profile.fee?.currency ?? '',
  }
}

type ProfileCells = Record<ProfileFieldName, string>

function cellOf(profile: ProfileFields, name: ProfileFieldName): string {
  if (name === 'born') return profile.born === null ? '' : bornText(profile.born)
  if (name === 'fee') return profile.fee === null ? '' : amountText(profile.fee)
  if (name === 'traits') return traitsText(profile.traits)
  const value = profile[name]
  return typeof value === 'boolean' ? yesNo(value) : String(value ?? '')
}

/** In the order of the columns. */
export const exportRow = (cells: Record<ExportField, string>): string[] => exportFields.map((field) => cells[field])

/** As exactly as it is known: 2023-04-05, 2023-04, 2023. */
const bornText = ({ date, precision }: Born): string =>
  precision === 'day' ? date : date.slice(0, precision === 'month' ? 7 : 4)

/** On lines of their own if one of them contains what would separate them. */
const traitsText = (traits: readonly string[]): string =>
  traits.some((trait) => /[,;|]/.test(trait)) ? `${traits.join('\n')}\n` : traits.join(', ')

export const traitsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]/.test(text) ? /[\r\n]+/ : /[,;|]/)
      .map((trait) => trait.trim().replaceAll(/\s+/g, ' '))
      .filter((trait) => trait !== ''),
  ),
]
