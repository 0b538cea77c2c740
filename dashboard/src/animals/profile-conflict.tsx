// The conflict of two members in the profile of the same animal.

import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { draftsOf } from '../ui/draft.ts'
import { ConflictTable, MergedNote } from '../ui/edit-conflict.tsx'
import type { Categories } from './categories.ts'
import type { FieldName } from './profile-fields.ts'
import { wordsOf } from './profile-words.ts'
import { profileKind, type ProfileState, type ProfileAutosave } from './use-profile.ts'

const words = texts.profiles

type ConflictProps = { draft: ProfileState['draft']; autosave: ProfileAutosave; categories: Categories }

export function ProfileConflict({ draft, autosave, categories }: ConflictProps) {
  const { kind: store } = useProject()
  const [kind] = useState(() => profileKind(draft.mine.fee.currency, new Date()))
  const { mine, theirs, taken } = draft
  const labelOf = (name: FieldName) => (name === 'fee' ? words.fee(store) : words.fields[name])
  const rows =
    theirs &&
    draftsOf(kind)
      .conflicting(draft)
      .map((name) => ({
        name: labelOf(name),
        yours: wordsOf(mine, name, categories),
        theirs: wordsOf(kind.fieldsOf(theirs), name, categories),
      }))
  return (
    <>
      {rows && (
        <ConflictTable words={words.conflict} rows={rows} onKeep={autosave.keepMine} onTake={autosave.takeTheirs} />
      )}
      <MergedNote words={words.conflict} fields={taken.map(labelOf)} onRead={autosave.read} />
    </>
  )
}
