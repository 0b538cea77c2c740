// The columns of a file: their titles, some of their values, and what each becomes.

import { NativeSelect } from '@mantine/core'
import type { ImportField, TableColumn } from '@petstore-platform/contract/platform/import-shapes'
import * as texts from '../texts/texts.ts'
import { fieldChoices, isField } from './field-choices.ts'

const words = texts.imports
const SAMPLES = 3

type ColumnListProps = {
  columns: readonly TableColumn[]
  fields: readonly (ImportField | null)[]
  onField: (place: number, field: ImportField | null) => void
}

export const ColumnList = ({ columns, fields, onField }: ColumnListProps) => (
  <ul className="import-columns">
    {columns.map(({ index, title, samples }, place) => {
      const name = title === '' ? words.unnamedColumn(index + 1) : title
      const field = fields[place] ?? null
      return (
        <li key={index} data-unused={field === null || undefined}>
          <div className="grow">
            <strong>{name}</strong>
            <p className="plain quiet small cut">
              {samples.length === 0 ? words.noSamples : samples.slice(0, SAMPLES).join(' · ')}
            </p>
          </div>
          <NativeSelect
            className="import-becomes"
            aria-label={words.becomesOf(name)}
            value={field ?? ''}
            data={fieldChoices}
            onChange={({ currentTarget: { value } }) => onField(place, isField(value) ? value : null)}
          />
        </li>
      )
    })}
  </ul>
)
