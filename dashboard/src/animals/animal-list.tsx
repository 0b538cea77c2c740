// The list of filtered animals and its actions. Changes are applied to the loaded rows,
// so that nothing is fetched again.

import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Empty, Failure } from '../ui/states.tsx'
import { AddDialog } from './add-dialog.tsx'
import { AnimalGrid } from './animal-grid.tsx'
import { BulkBar, CountBar } from './bulk-bar.tsx'
import { changedBy, type BulkChange } from './bulk-change.ts'
import { BulkDialog, type BulkRequest } from './bulk-dialog.tsx'
import type { Categories } from './categories.ts'
import type { ListView } from './grid-layout.ts'
import type { Animal } from './rows.ts'
import { isFiltered, type AnimalFilter } from './search.ts'
import { createSelection } from './selection.ts'
import { fits, useAnimals } from './use-animals.ts'
import { useDuplicate } from './use-duplicate.ts'
import type { OfferUndo } from './use-change-undo.ts'

type ListProps = {
  filter: AnimalFilter
  view: ListView
  categories: Categories
  isAdding: boolean
  onAdd: () => void
  onAdded: () => void
  onClear: () => void
  offerUndo: OfferUndo
  timesUndone: number
}

export function AnimalList(props: ListProps) {
  const { filter, view, categories, isAdding, onAdd, onAdded, onClear, offerUndo, timesUndone } = props
  const { slug, mayEdit } = useProject()
  const listed = useAnimals(slug, filter)
  const [selection] = useState(createSelection)
  const open = useOpening()
  const duplicate = useDuplicate()
  const [asked, setAsked] = useState<BulkRequest>()
  const grid = useRef<HTMLDivElement>(null)
  const { rows, loaded, isComplete, error } = listed

  useEffect(() => {
    if (timesUndone > 0) void rows.renew()
  }, [rows, timesUndone])

  /** Other pages count and show animals too. */
  const changed = () => void renew(queryClient, ['getOverview', 'listAnimals', 'getAnimal'])
  const added = (animal: Animal, isLast: boolean) => {
    changed()
    if (fits(filter, animal)) rows.add(animal)
    if (!isLast) return
    // Adding and describing is one flow. Going back leads to the list, not to the form.
    onAdded()
    open(animal)
  }
  const wasChanged = (ids: readonly bigint[], change: BulkChange, missing: readonly bigint[]) => {
    const gone = new Set(missing)
    rows.change(new Set(ids), (animal) => {
      const now = changedBy(change, animal)
      return gone.has(animal.id) || !fits(filter, now) ? undefined : now
    })
    selection.remove(ids)
    changed()
  }

  const chosen = () => rows.slice(0, loaded).filter(({ id }) => selection.has(id))

  const isEmpty = isComplete && loaded === 0
  return (
    <>
      {error !== undefined && loaded === 0 ? (
        <Failure error={error} onRetry={rows.retry} />
      ) : isEmpty && isFiltered(filter) ? (
        <Empty of="search" title={texts.animals.noneTitle}>
          <p>{texts.animals.noneText}</p>
          <Button variant="default" onClick={onClear}>
            {texts.animals.showAll}
          </Button>
        </Empty>
      ) : isEmpty ? (
        <NoAnimals onAdd={onAdd} />
      ) : (
        <div className="animal-list">
          <CountBar listed={listed} selection={selection} isSelectable={mayEdit} view={view} />
          <AnimalGrid
            grid={grid}
            view={view}
            listed={listed}
            selection={selection}
            categories={categories}
            isSelectable={mayEdit}
            onOpen={open}
          />
          {error !== undefined && <Failure error={error} onRetry={rows.retry} />}
          <BulkBar
            selection={selection}
            onChange={(change) => setAsked({ change, animals: chosen() })}
            onDuplicate={duplicate}
            chosen={chosen}
          />
        </div>
      )}
      <BulkDialog
        asked={asked}
        categories={categories}
        onClose={() => setAsked(undefined)}
        backTo={grid}
        onChanged={wasChanged}
        offerUndo={offerUndo}
      />
      <AddDialog
        // The form begins with a category, so it needs to know which there are.
        isOpen={isAdding && categories.isKnown}
        categories={categories}
        onClose={onAdded}
        backTo={grid}
        onAdded={added}
      />
    </>
  )
}

/** Leads to the page of an animal. */
function useOpening() {
  const { slug } = useProject()
  const navigate = useNavigate()
  return ({ id }: Animal) =>
    void navigate({ to: '/projects/$project/animals/$animal', params: { project: slug, animal: String(id) } })
}

function NoAnimals({ onAdd }: { onAdd: () => void }) {
  const { slug, mayEdit } = useProject()
  return (
    <Empty of="animals" title={texts.animals.emptyTitle}>
      <p>{mayEdit ? texts.animals.emptyText : texts.animals.emptyViewer}</p>
      {mayEdit && (
        <div className="row">
          <Button size="lg" leftSection={<Icon of={Plus} size={18} />} onClick={onAdd}>
            {texts.animals.add}
          </Button>
          <Button
            size="lg"
            variant="default"
            leftSection={<Icon of={Upload} size={18} />}
            renderRoot={(props) => (
              <Link to="/projects/$project/animals/import" params={{ project: slug }} {...props} />
            )}
          >
            {texts.animals.emptyImport}
          </Button>
        </div>
      )}
    </Empty>
  )
}
