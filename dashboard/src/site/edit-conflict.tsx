// The conflict of two members in the same draft. Fields that both changed are shown side
// by side until one value is chosen; changes by the other one alone are in the form
// already, and are only listed.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { clashing, type Draft } from './draft.ts'
import { fieldsOf, type FieldName } from './fields.ts'
import { wordsOf } from './versions.ts'

const words = texts.site

export function Clash({ draft, onKeep, onTake }: { draft: Draft; onKeep: () => void; onTake: () => void }) {
  const { slug } = useProject()
  const { data: categories = [] } = useQuery(query('listCategories', { project: slug }))
  const { mine, theirs } = draft
  if (!theirs) return null
  const said = (fields: typeof mine, name: FieldName) => wordsOf(fields, name, categories) || words.nothing
  return (
    <section className="card stack site-clash" role="alert" aria-label={words.clash}>
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
          {clashing(draft).map((name) => (
            <tr key={name}>
              <th scope="row">{words.fields[name]}</th>
              <td data-label={words.yours} className="site-value">
                {said(mine, name)}
              </td>
              <td data-label={words.theirs} className="site-value">
                {said(fieldsOf(theirs), name)}
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
}

export const Taken = ({ fields, onRead }: { fields: readonly FieldName[]; onRead: () => void }) => (
  <div role="status" className="site-told">
    {fields.length > 0 && (
      <div className="note row apart">
        <span>{words.taken(fields.map((name) => words.fields[name]).join(', '))}</span>
        <Button size="xs" variant="default" onClick={onRead}>
          {words.understood}
        </Button>
      </div>
    )}
  </div>
)
