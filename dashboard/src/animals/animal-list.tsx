// The list of filtered animals and its actions. Changes are applied to the loaded rows,
// so that nothing is fetched again.

import type { Received } from '@petstore/contract/platform/client'
import type { PetStatus } from '@petstore/contract/pets'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { queryClient, renew } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Empty, Failure } from '../ui/states.tsx'
import { AnimalDialog } from './animal-dialog.tsx'
import { AnimalTable } from './animal-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Categories } from './categories.ts'
import { MarkDialog, type Marking } from './mark-dialog.tsx'
import type { Animal } from './rows.ts'
import { isFiltered, type AnimalFilter } from './search.ts'
import { createSelection } from './selection.ts'
import { fits, useAnimals } from './use-animals.ts'

type ListProps = {
  filter: AnimalFilter
  categories: Categories
  isAdding: boolean
  onAdd: () => void
  onAdded: () => void
}

export function AnimalList({ filter, categories, isAdding, onAdd, onAdded }: ListProps) {
  const { slug, mayEdit } = useProject()
  const listed = useAnimals(slug, filter)
  const [selection] = useState(createSelection)
  const [opened, setOpened] = useState<Animal>()
  const [marking, setMarking] = useState<Marking>()
  const grid = useRef<HTMLDivElement>(null)
  const { rows, loaded, isComplete, error } = listed

  /** Other pages count and show animals too. */
  const changed = () => void renew(queryClient, ['getOverview', 'listAnimals', 'getAnimal'])
  const saved = (animal: Animal) => {
    rows.change(new Set([animal.id]), () => (fits(filter, animal) ? animal : undefined))
    changed()
  }
  const added = (animal: Animal) => {
    if (fits(filter, animal)) rows.add(animal)
    changed()
  }
  const deleted = ({ id }: Animal) => {
    rows.change(new Set([id]), () => undefined)
    selection.remove([id])
    changed()
  }
  const marked = (ids: readonly bigint[], status: PetStatus, { missing }: Received<'setAnimalStatuses'>) => {
    const gone = new Set(missing)
    rows.change(new Set(ids), (animal) => {
      const now = { ...animal, status }
      return gone.has(animal.id) || !fits(filter, now) ? undefined : now
    })
    selection.remove(ids)
    changed()
  }

  const isEmpty = isComplete && loaded === 0
  return (
    <>
      {error !== undefined && loaded === 0 ? (
        <Failure error={error} onRetry={rows.retry} />
      ) : isEmpty && isFiltered(filter) ? (
        <Empty title={texts.animals.noneTitle}>
          <p className="quiet">{texts.animals.noneText}</p>
        </Empty>
      ) : isEmpty ? (
        <NoAnimals onAdd={onAdd} />
      ) : (
        <div className="animal-list">
          <BulkBar
            listed={listed}
            selection={selection}
            isSelectable={mayEdit}
            onMark={(status) => setMarking({ status, ids: selection.ids() })}
          />
          <AnimalTable
            grid={grid}
            listed={listed}
            selection={selection}
            categories={categories}
            isSelectable={mayEdit}
            onOpen={setOpened}
          />
          {error !== undefined && <Failure error={error} onRetry={rows.retry} />}
        </div>
      )}
      <MarkDialog marking={marking} onClose={() => setMarking(undefined)} backTo={grid} onMarked={marked} />
      <AnimalDialog
        animal={isAdding ? 'new' : opened}
        categories={categories}
        onClose={() => (isAdding ? onAdded() : setOpened(undefined))}
        backTo={grid}
        onAdded={added}
        onSaved={saved}
        onDeleted={deleted}
      />
    </>
  )
}

function NoAnimals({ onAdd }: { onAdd: () => void }) {
  const { slug, mayEdit } = useProject()
  return (
    <Empty title={texts.animals.emptyTitle}>
      <p className="quiet">{mayEdit ? texts.animals.emptyText : texts.animals.emptyViewer}</p>
      {mayEdit && (
        <div className="row">
          <Button onClick={onAdd}>{texts.animals.add}</Button>
          <Link to="/projects/$project/animals/import" params={{ project: slug }}>
            {texts.animals.imports.title}
          </Link>
        </div>
      )}
    </Empty>
  )
}
