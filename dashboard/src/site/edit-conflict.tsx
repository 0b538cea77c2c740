// The conflict of two members in the draft of the site.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { ConflictTable, MergedNote } from '../ui/edit-conflict.tsx'
import { conflicting, type Draft } from './draft.ts'
import { fieldsOf, type FieldName } from './fields.ts'
import { wordsOf } from './versions.ts'

const words = texts.site

export function DraftConflict({ draft, onKeep, onTake }: { draft: Draft; onKeep: () => void; onTake: () => void }) {
  const { slug } = useProject()
  const { data: categories = [] } = useQuery(query('listCategories', { project: slug }))
  const { mine, theirs } = draft
  if (!theirs) return null
  const rows = conflicting(draft).map((name) => ({
    name: words.fields[name],
    yours: wordsOf(mine, name, categories),
    theirs: wordsOf(fieldsOf(theirs), name, categories),
  }))
  return <ConflictTable words={words} rows={rows} onKeep={onKeep} onTake={onTake} />
}

export const MergedFields = ({ fields, onRead }: { fields: readonly FieldName[]; onRead: () => void }) => (
  <MergedNote words={words} fields={fields.map((name) => words.fields[name])} onRead={onRead} />
)
