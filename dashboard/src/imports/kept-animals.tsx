// Animals that an undo has kept, and why.

import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import type { FoundImport } from './views.ts'

const words = texts.imports

export function KeptAnimals({ found: { kept, keptCount } }: { found: FoundImport }) {
  const { slug } = useProject()
  return (
    <>
      <div className="note warn" role="status">
        {words.undoneExcept(keptCount)}
      </div>
      <ul className="lines import-kept">
        {kept.map(({ animalId, name, reason }) => {
          const shown = name === '' ? words.unnamed : name
          return (
            <li key={String(animalId)}>
              {reason === 'deleted' ? (
                <strong>{shown}</strong>
              ) : (
                <Link to="/projects/$project/animals/$animal" params={{ project: slug, animal: String(animalId) }}>
                  {shown}
                </Link>
              )}
              <span className="quiet">{words.keptReasons[reason]}</span>
            </li>
          )
        })}
      </ul>
      {keptCount > kept.length && <p className="quiet small plain">{words.firstOnly(kept.length)}</p>}
    </>
  )
}
