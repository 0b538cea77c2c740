// Which sheet of an Excel file is read, if there are several.

import { NativeSelect } from '@mantine/core'
import type { ImportTable } from '@petstore-platform/contract/platform/import-shapes'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { useStepAction } from './use-step-action.ts'

const words = texts.imports

export function SheetChoice({ importId, table }: { importId: string; table: ImportTable }) {
  const { slug } = useProject()
  const read = useStepAction('readImport', importId, 'columns')
  if (table.sheets.length < 2) return null
  return (
    <NativeSelect
      className="import-sheet"
      label={words.sheet}
      description={words.sheetHint}
      value={table.sheet ?? ''}
      data={table.sheets}
      disabled={read.isPending}
      onChange={({ currentTarget: { value } }) => read.mutate({ project: slug, importId, body: { sheet: value } })}
    />
  )
}
