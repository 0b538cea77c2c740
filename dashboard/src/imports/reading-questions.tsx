// What the columns alone do not say: which animals are known already, how dates and fees are written, and what kind of
// animals these are. Only questions that have a meaning for the chosen columns are asked.

import { NativeSelect, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DateOrder } from '@petstore-platform/contract/platform/import-shapes'
import { useId } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { matchKeyOf, questionsOf, type Mapping } from './mapping.ts'

const words = texts.imports

type QuestionsProps = { mapping: Mapping; onChange: (changed: Partial<Mapping>) => void }

export function ReadingQuestions({ mapping, onChange }: QuestionsProps) {
  const asks = questionsOf(mapping)
  if (asks.matchBy.length === 0 && !asks.dates && !asks.currency && !asks.category) return null
  return (
    <Section title={words.detailsTitle}>
      {asks.category && <CategoryField mapping={mapping} onChange={onChange} />}
      {asks.matchBy.length > 0 && (
        <Radio.Group
          label={words.matchBy}
          value={matchKeyOf(mapping)}
          onChange={(value) => onChange({ matchBy: value })}
        >
          <div className="stack tight import-choices">
            {[...asks.matchBy, 'none' as const].map((key) => (
              <Radio key={key} value={key} label={words.matchKeys[key]} />
            ))}
          </div>
        </Radio.Group>
      )}
      <div className="row import-small">
        {asks.dates && (
          <NativeSelect
            label={words.dateOrder}
            value={mapping.dateOrder}
            data={Object.entries(words.dateOrders).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget: { value } }) => onChange({ dateOrder: value as DateOrder })}
          />
        )}
        {asks.currency && (
          <NativeSelect
            label={words.currency}
            value={mapping.currency}
            data={Intl.supportedValuesOf('currency')}
            onChange={({ currentTarget: { value } }) => onChange({ currency: value })}
          />
        )}
      </div>
    </Section>
  )
}

/** One of the store's, or a new name. */
function CategoryField({ mapping, onChange }: QuestionsProps) {
  const { slug } = useProject()
  const { data = [] } = useQuery(query('listCategories', { project: slug }))
  const id = useId()
  return (
    <>
      <TextInput
        label={words.defaultCategory}
        description={words.defaultCategoryNeeded}
        value={mapping.defaultCategory ?? ''}
        list={id}
        maxLength={255}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => onChange({ defaultCategory: value === '' ? null : value })}
      />
      <datalist id={id}>
        {data.map((category) => (
          <option key={String(category.id)} value={category.name} />
        ))}
      </datalist>
    </>
  )
}
