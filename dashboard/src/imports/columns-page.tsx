// The second step of an import: what each column becomes. The server proposes; a column that becomes nothing is no
// fault.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { ColumnList } from './column-list.tsx'
import { ImportStepPage } from './import-frame.tsx'
import { bodyOf, mappingOf, withField, type Mapping } from './mapping.ts'
import { ReadingQuestions } from './reading-questions.tsx'
import { SheetChoice } from './sheet-choice.tsx'
import { StartOver } from './start-over.tsx'
import { useStepAction } from './use-step-action.ts'
import { Waiting } from './waiting.tsx'
import type { FoundImport } from './views.ts'

const words = texts.imports

export const ColumnsPage = () => (
  <ImportStepPage at="columns">
    {(found) => {
      const proposed = mappingOf(found)
      if (found.state === 'reading' || !proposed || !found.table) return <Waiting>{words.reading}</Waiting>
      // Another sheet is another table.
      return <Columns key={found.table.sheet} found={found} table={found.table} proposed={proposed} />
    }}
  </ImportStepPage>
)

type ColumnsProps = { found: FoundImport; table: NonNullable<FoundImport['table']>; proposed: Mapping }

function Columns({ found, table, proposed }: ColumnsProps) {
  const { slug } = useProject()
  const [mapping, setMapping] = useState(proposed)
  const put = useStepAction('putImportMapping', found.id, 'values')
  const count = mapping.fields.filter((field) => field !== null).length
  return (
    <>
      <Section title={words.columnsTitle} actions={<StartOver importId={found.id} />}>
        {table.preset && <div className="note good">{words.presets[table.preset]}</div>}
        <p className="plain quiet" role="status">
          {words.found(table.columns.length, table.rows)} {words.mapped(count, table.columns.length)}
        </p>
        <SheetChoice importId={found.id} table={table} />
        <ColumnList
          columns={table.columns}
          fields={mapping.fields}
          onField={(place, field) => setMapping(withField(mapping, place, field))}
        />
      </Section>
      <ReadingQuestions mapping={mapping} onChange={(changed) => setMapping({ ...mapping, ...changed })} />
      <div className="import-bar">
        <Button
          loading={put.isPending}
          onClick={() => put.mutate({ project: slug, importId: found.id, body: bodyOf(mapping, table.columns) })}
        >
          {words.continue}
        </Button>
      </div>
    </>
  )
}
