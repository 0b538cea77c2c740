// The way to some of the animals that an import has added or changed.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import type { FoundImport } from './views.ts'

const words = texts.imports
const SHOWN = 8

export function ImportedAnimals({ found: { id, added, table } }: { found: FoundImport }) {
  const { slug } = useProject()
  const outcome = added > 0 ? 'create' : 'update'
  const { data = [] } = useQuery(
    query('listImportRows', { project: slug, importId: id, limit: SHOWN, outcome } as const),
  )
  const column = table?.columns.find(({ field }) => field === 'name')?.index
  return (
    <div className="stack tight">
      <h3>{words.examples}</h3>
      <ul className="chips import-animals">
        {data.flatMap(({ row, animalId, cells }) =>
          animalId === null
            ? []
            : [
                <li key={row}>
                  <Link
                    className="chip"
                    to="/projects/$project/animals/$animal"
                    params={{ project: slug, animal: String(animalId) }}
                  >
                    {(column !== undefined && cells[column]) || words.unnamed}
                  </Link>
                </li>,
              ],
        )}
      </ul>
    </div>
  )
}
