// The conflict of two members in the same draft. Fields that both changed are shown side
// by side until one value is chosen; changes by the other one alone are in the form
// already, and are only listed.

import { Button } from '@mantine/core'
import './edit-conflict.css'

export type ConflictWords = {
  conflict: string
  conflictText: string
  yours: string
  theirs: string
  keepMine: string
  takeTheirs: string
  nothing: string
  taken: (fields: string) => string
  understood: string
}
/** One field, and what both wrote, as people read it. */
export type ConflictRow = { name: string; yours: string; theirs: string }

type ConflictTableProps = { words: ConflictWords; rows: readonly ConflictRow[]; onKeep: () => void; onTake: () => void }

export const ConflictTable = ({ words, rows, onKeep, onTake }: ConflictTableProps) => (
  <section className="card stack edit-conflict" role="alert" aria-label={words.conflict}>
    <h2>{words.conflict}</h2>
    <p className="plain">{words.conflictText}</p>
    <table className="list">
      <thead>
        <tr>
          <td />
          <th scope="col">{words.yours}</th>
          <th scope="col">{words.theirs}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, yours, theirs }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label={words.yours} className="edit-conflict-value">
              {yours || words.nothing}
            </td>
            <td data-label={words.theirs} className="edit-conflict-value">
              {theirs || words.nothing}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className="row">
      <Button onClick={onKeep}>{words.keepMine}</Button>
      <Button variant="default" onClick={onTake}>
        {words.takeTheirs}
      </Button>
    </div>
  </section>
)

type MergedNoteProps = { words: ConflictWords; fields: readonly string[]; onRead: () => void }

/** `fields`: their names, as people read them. */
export const MergedNote = ({ words, fields, onRead }: MergedNoteProps) => (
  <div role="status" className="edit-conflict-merged">
    {fields.length > 0 && (
      <div className="note row apart">
        <span>{words.taken(fields.join(', '))}</span>
        <Button size="xs" variant="default" onClick={onRead}>
          {words.understood}
        </Button>
      </div>
    )}
  </div>
)
