// What the columns of a file become, while a person changes it. Pure.

import type { ImportField, ImportMapping, MatchKey } from '@petstore-platform/contract/platform/import-shapes'
import type { FoundImport } from './views.ts'

export type Mapping = Omit<ImportMapping, 'columns'> & { fields: readonly (ImportField | null)[] }

/** As proposed, or as mapped before; undefined until the file has been read. */
export const mappingOf = ({ table, reading }: FoundImport): Mapping | undefined =>
  table && reading ? { ...reading, fields: table.columns.map(({ field }) => field) } : undefined

/** A field has one column: it leaves the one that had it. A row can name several photos. */
export const withField = (mapping: Mapping, place: number, field: ImportField | null): Mapping => ({
  ...mapping,
  fields: mapping.fields.map((known, at) =>
    at === place ? field : field !== null && field !== 'photos' && known === field ? null : known,
  ),
})

const has = ({ fields }: Mapping, ...wanted: readonly ImportField[]) => wanted.some((field) => fields.includes(field))

/** Which questions have a meaning for these columns. */
export const questionsOf = (mapping: Mapping) => ({
  matchBy: (['externalId', 'id'] as const).filter((key) => has(mapping, key)),
  dates: has(mapping, 'born', 'inCareSince'),
  currency: has(mapping, 'fee') && !has(mapping, 'feeCurrency'),
  category: !has(mapping, 'category', 'categoryId'),
})

export const matchKeyOf = (mapping: Mapping): MatchKey =>
  questionsOf(mapping).matchBy.find((key) => key === mapping.matchBy) ?? 'none'

export function bodyOf(mapping: Mapping, columns: readonly { index: number }[]): ImportMapping {
  const { fields, ...reading } = mapping
  return {
    ...reading,
    matchBy: matchKeyOf(mapping),
    columns: columns.map(({ index }, place) => ({ index, field: fields[place] ?? null })),
  }
}
