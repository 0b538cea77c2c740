// The conflict of two members in the draft of the site.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { ClashTable, TakenNote } from '../ui/edit-conflict.tsx'
import { clashing, type Draft } from './draft.ts'
import { fieldsOf, type FieldName } from './fields.ts'
import { wordsOf } from './versions.ts'

const words = texts.site

export function Clash({ draft, onKeep, onTake }: { draft: Draft; onKeep: () => void; onTake: () => void }) {
  const { slug } = useProject()
  const { data: categories = [] } = useQuery(query('listCategories', { project: slug }))
  const { mine, theirs } = draft
  if (!theirs) return null
  const rows = clashing(draft).map((name) => ({
    name: words.fields[name],
    yours: wordsOf(mine, name, categories),
    theirs: wordsOf(fieldsOf(theirs), name, categories),
  }))
  return <ClashTable words={words} rows={rows} onKeep={onKeep} onTake={onTake} />
}

export const Taken = ({ fields, onRead }: { fields: readonly FieldName[]; onRead: () => void }) => (
  <TakenNote words={words} fields={fields.map((name) => words.fields[name])} onRead={onRead} />
)
