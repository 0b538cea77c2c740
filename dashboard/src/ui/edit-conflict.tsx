// The conflict of two members in the same draft. Fields that both changed are shown side
// by side until one value is chosen; changes by the other one alone are in the form
// already, and are only listed.

import { Button } from '@mantine/core'
import './edit-conflict.css'

export type ConflictWords = {
  clash: string
  clashText: string
  yours: string
  theirs: string
  keepMine: string
  takeTheirs: string
  nothing: string
  taken: (fields: string) => string
  understood: string
}
/** One field, and what both wrote, as people read it. */
export type ClashRow = { name: string; yours: string; theirs: string }

type ClashProps = { words: ConflictWords; rows: readonly ClashRow[]; onKeep: () => void; onTake: () => void }

export const ClashTable = ({ words, rows, onKeep, onTake }: ClashProps) => (
  <section className="card stack clash" role="alert" aria-label={words.clash}>
    <h2>{words.clash}</h2>
    <p className="plain">{words.clashText}</p>
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
            <td data-label={words.yours} className="clash-value">
              {yours || words.nothing}
            </td>
            <td data-label={words.theirs} className="clash-value">
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

type TakenProps = { words: ConflictWords; fields: readonly string[]; onRead: () => void }

/** `fields`: their names, as people read them. */
export const TakenNote = ({ words, fields, onRead }: TakenProps) => (
  <div role="status" className="clash-taken">
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
