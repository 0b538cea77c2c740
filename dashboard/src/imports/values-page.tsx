// The third step of an import: what the words of the file mean, each once. The server proposes.

import { Button, NativeSelect } from '@mantine/core'
import type { ImportValue } from '@petstore-platform/contract/platform/import-shapes'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { ImportStepPage } from './import-frame.tsx'
import { StartOver } from './start-over.tsx'
import { addressOf } from './steps.ts'
import { useStepAction } from './use-step-action.ts'
import { choicesOf, keyOf, readMeaning, written, type KnownCategory, type Meaning } from './value-choices.ts'
import type { FoundImport } from './views.ts'
import { Waiting } from './waiting.tsx'

const words = texts.imports

export const ValuesPage = () => (
  <ImportStepPage at="values">
    {(found) => (found.state === 'judging' ? <Waiting>{words.judging}</Waiting> : <Values found={found} />)}
  </ImportStepPage>
)

function Values({ found: { id, values } }: { found: FoundImport }) {
  const { slug, kind } = useProject()
  const { data: categories = [] } = useQuery(query('listCategories', { project: slug }))
  const [chosen, setChosen] = useState<Readonly<Record<string, Meaning>>>({})
  const params = { project: slug, import: id }
  const put = useStepAction('putImportValues', id, 'review')

  const shown = values.map((one) => ({ ...one, ...chosen[keyOf(one)] }))
  const changed = shown.filter((one, at) => written(one) !== written(values[at] ?? one))
  const onContinue = () => {
    const body = { values: changed.map(({ field, value, action, to }) => ({ field, value, action, to })) }
    if (changed.length === 0) put.goOn()
    else put.mutate({ project: slug, importId: id, body })
  }
  const open = shown.filter(({ action }) => action === 'none').length
  return (
    <>
      <Section title={words.valuesTitle} actions={<StartOver importId={id} />}>
        <p className="plain quiet">{shown.length === 0 ? words.noValues : words.valuesLead}</p>
        <div role="status" className="said">
          {open > 0 && <div className="note warn">{words.needsChoice(open)}</div>}
        </div>
      </Section>
      {[...Map.groupBy(shown, ({ field }) => field)].map(([field, list]) => (
        <Section key={field} title={words.fields[field]}>
          <ul className="import-columns">
            {list.map((one) => (
              <ValueLine
                key={keyOf(one)}
                one={one}
                categories={categories}
                kind={kind}
                onChoose={(meaning) => setChosen({ ...chosen, [keyOf(one)]: meaning })}
              />
            ))}
          </ul>
        </Section>
      ))}
      <div className="import-bar">
        <Button loading={put.isPending} onClick={onContinue}>
          {words.continue}
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to={addressOf.columns} params={params} {...props} />}>
          {texts.common.back}
        </Button>
      </div>
    </>
  )
}

type LineProps = {
  one: ImportValue
  categories: readonly KnownCategory[]
  kind: ProjectKind
  onChoose: (meaning: Meaning) => void
}

const ValueLine = ({ one, categories, kind, onChoose }: LineProps) => (
  <li data-open={one.action === 'none' || undefined}>
    <div className="grow">
      <strong>{one.value === '' ? words.emptyValue : one.value}</strong>
      <p className="plain quiet small">{words.valuesOf(one.rows)}</p>
    </div>
    <NativeSelect
      className="import-becomes"
      aria-label={words.meaningOf(words.fields[one.field], one.value)}
      value={written(one)}
      data={choicesOf(one, categories, kind)}
      onChange={({ currentTarget: { value } }) => onChoose(readMeaning(value))}
    />
  </li>
)
