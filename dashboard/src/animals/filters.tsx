// The filters of the animal list: a category, a search, a status, no photo; and its order. They are in the URL; typed text goes
// there after a pause. Beside them the choice between cards and a table.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { ArrowDownUp, Camera, CircleDot, LayoutGrid, List, Search, Tag } from 'lucide-react'
import { useRef, useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { categoryOptions, type Categories } from './categories.ts'
import { CategoryChips, fitsChips } from './category-chips.tsx'
import type { ListView } from './grid-layout.ts'
import { animalSearch, filterOf, isFiltered, nameIn, type AnimalSearch } from './search.ts'
import { statusOptions } from './views.ts'

const PAUSE_MS = 250
const words = texts.animals
const views = {
  cards: { label: words.views.cards, icon: LayoutGrid },
  table: { label: words.views.table, icon: List },
}

type FiltersProps = {
  search: AnimalSearch
  categories: Categories
  view: ListView
  onView: (view: ListView) => void
  onChange: (search: AnimalSearch) => void
}

export function Filters({ search, categories, view, onView, onChange }: FiltersProps) {
  const { kind } = useProject()
  const filter = filterOf(search)
  const change = (changed: Record<string, unknown>) => onChange(animalSearch({ ...search, ...changed }))
  const options = categoryOptions(categories, filter.categoryId)
  const category = String(search.category ?? '')
  // What is found by a text or in a category is never sorted by arrival.
  const isByName = filter.name !== undefined || filter.categoryId !== undefined
  const setCategory = (value: string) => change({ category: value })
  return (
    <div className="stack" role="search">
      {fitsChips(options) && <CategoryChips options={options} chosen={category} onChoose={setCategory} />}
      <div className="animal-filters">
        <SearchField name={search.name ?? ''} onSearch={(name) => change({ name })} />
        <NativeSelect
          aria-label={words.status}
          leftSection={<Icon of={CircleDot} size={16} />}
          value={search.status ?? ''}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          data={[{ value: '', label: words.everyStatus }, ...statusOptions(kind)]}
        />
        {!fitsChips(options) && (
          <NativeSelect
            aria-label={words.category}
            leftSection={<Icon of={Tag} size={16} />}
            value={category}
            onChange={({ currentTarget }) => setCategory(currentTarget.value)}
            data={[{ value: '', label: words.everyCategory }, ...options]}
          />
        )}
        <NativeSelect
          aria-label={words.photos}
          leftSection={<Icon of={Camera} size={16} />}
          value={search.photo ?? ''}
          onChange={({ currentTarget }) => change({ photo: currentTarget.value })}
          data={[
            { value: '', label: words.everyPhoto },
            { value: 'none', label: words.noPhoto },
          ]}
        />
        <NativeSelect
          aria-label={words.order}
          leftSection={<Icon of={ArrowDownUp} size={16} />}
          value={search.sort ?? (isByName ? 'name' : '')}
          onChange={({ currentTarget }) => change({ sort: currentTarget.value })}
          data={[
            ...(isByName ? [] : [{ value: '', label: words.newestFirst }]),
            { value: 'name', label: words.byName },
            { value: 'completeness', label: words.leastComplete },
          ]}
        />
        {isFiltered(filter) && (
          <Button variant="subtle" onClick={() => onChange({})}>
            {words.clearFilters}
          </Button>
        )}
        <Segmented label={words.views.label} choices={views} chosen={view} onChoose={onView} className="push" />
      </div>
    </div>
  )
}

function SearchField({ name, onSearch }: { name: string; onSearch: (name: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [sent, setSent] = useState(name)
  const [seen, setSeen] = useState(name)
  // The URL changed. If not because of the input, as by going back, the field follows the URL.
  if (name !== seen) {
    setSeen(name)
    if (name !== sent) {
      setTyped(name)
      setSent(name)
    }
  }
  const search = useDebouncedCallback((value: string) => {
    setSent(nameIn(value) ?? '')
    onSearch(value)
  }, PAUSE_MS)
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
    event.preventDefault()
    input.current?.select()
  })
  return (
    <TextInput
      ref={input}
      className="animal-search"
      type="search"
      aria-label={words.search}
      placeholder={words.search}
      maxLength={255}
      value={typed}
      leftSection={<Icon of={Search} size={18} />}
      rightSection={typed === '' ? <kbd aria-hidden>/</kbd> : null}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        search(currentTarget.value)
      }}
    />
  )
}

/** In a field a slash is a slash, and behind a dialog there is nothing to search. */
const isWriting = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select'))
