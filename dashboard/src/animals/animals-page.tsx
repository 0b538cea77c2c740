// All animals of the project: found, added, changed, many at once.

import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Plus, Tags, Upload } from 'lucide-react'
import { useState } from 'react'
import { written } from '@petstore-platform/contract/client'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { client, query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { AnimalList } from './animal-list.tsx'
import { useCategories } from './categories.ts'
import { CategoriesDialog } from './categories-dialog.tsx'
import { Filters } from './filters.tsx'
import type { ListView } from './grid-layout.ts'
import { filterOf, isFiltered, type AnimalSearch } from './search.ts'
import { useChangeUndo } from './use-change-undo.ts'
import './animals.css'

const words = texts.animals

export function AnimalsPage() {
  const { slug, kind, mayEdit } = useProject()
  const search = useSearch({ from: '/projects/$project/animals' })
  const navigate = useNavigate({ from: '/projects/$project/animals' })
  const categories = useCategories(slug)
  const { data: overview } = useQuery(query('getOverview', { project: slug }))
  // Remembered on this device, since it is a matter of taste.
  const [view, setView] = useLocalStorage<ListView>({
    key: 'petstore-animals-view',
    defaultValue: 'cards',
    getInitialValueInEffect: false,
  })
  const { offerUndo, timesUndone } = useChangeUndo()
  const [isNaming, setIsNaming] = useState(false)
  const setSearch = (changed: AnimalSearch) => void navigate({ search: changed, replace: true, resetScroll: false })
  const isAdding = search.add === true && mayEdit
  const setIsAdding = (is: boolean) => {
    const { add: _, ...rest } = search
    setSearch(is ? { ...rest, add: true } : rest)
  }
  const filter = filterOf(search)
  // An empty store shows what to do instead of filters and files.
  const isEmpty = overview !== undefined && !isFiltered(filter) && leadOf(overview, kind) === ''
  return (
    <Page
      title={words.title}
      lead={overview ? leadOf(overview, kind) : '\u00a0'}
      actions={!isEmpty && <Actions onAdd={() => setIsAdding(true)} onName={() => setIsNaming(true)} />}
    >
      {!isEmpty && (
        <Filters search={search} categories={categories} view={view} onView={setView} onChange={setSearch} />
      )}
      {/* Another filter is another list, which begins at its first row with no selection. */}
      <AnimalList
        key={written([slug, filter])}
        filter={filter}
        view={view}
        categories={categories}
        isAdding={isAdding}
        onAdd={() => setIsAdding(true)}
        onAdded={() => setIsAdding(false)}
        onClear={() => setSearch({})}
        offerUndo={offerUndo}
        timesUndone={timesUndone}
      />
      <CategoriesDialog categories={categories} isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </Page>
  )
}

/** On a phone all but the first are icons. */
function Actions({ onAdd, onName }: { onAdd: () => void; onName: () => void }) {
  const { slug, mayEdit } = useProject()
  const white = { variant: 'default', className: 'animal-act' }
  return (
    <>
      {mayEdit && (
        <Button {...white} leftSection={<Icon of={Tags} size={18} />} onClick={onName}>
          {words.categories}
        </Button>
      )}
      <Button
        {...white}
        leftSection={<Icon of={Upload} size={18} />}
        renderRoot={(props) => <Link to="/projects/$project/animals/import" params={{ project: slug }} {...props} />}
      >
        {words.import}
      </Button>
      <Button
        {...white}
        leftSection={<Icon of={Download} size={18} />}
        component="a"
        href={client.addressOf('exportAnimals', { project: slug, columns: 'all' })}
        download
      >
        {words.export}
      </Button>
      {mayEdit && (
        <Button leftSection={<Icon of={Plus} size={18} />} onClick={onAdd}>
          {words.add}
        </Button>
      )}
    </>
  )
}

/** Empty if there are no animals. */
function leadOf({ animals: { available, pending, sold } }: Received<'getOverview'>, kind: ProjectKind): string {
  const shown = ({ count, isMore }: typeof available) =>
    count === 0 ? undefined : isMore ? words.atLeast(count) : words.number(count)
  return words.lead[kind](shown(available), shown(pending), shown(sold))
}
