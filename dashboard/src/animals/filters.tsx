// The filters of the animal list: the beginning of a name, a status, a category. They are
// in the URL; typed text goes there after a pause.

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { categoryOptions, type Categories } from './categories.ts'
import { animalSearch, filterOf, isFiltered, nameIn, type AnimalSearch } from './search.ts'
import { statusOptions } from './views.ts'

const PAUSE_MS = 250

type FiltersProps = { search: AnimalSearch; categories: Categories; onChange: (search: AnimalSearch) => void }

export function Filters({ search, categories, onChange }: FiltersProps) {
  const filter = filterOf(search)
  const change = (changed: Record<string, unknown>) => onChange(animalSearch({ ...search, ...changed }))
  return (
    <div className="animal-filters" role="search">
      <SearchField name={search.name ?? ''} onSearch={(name) => change({ name })} />
      <NativeSelect
        label={texts.animals.status}
        value={search.status ?? ''}
        onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        data={[{ value: '', label: texts.animals.everyStatus }, ...statusOptions]}
      />
      <NativeSelect
        label={texts.animals.category}
        value={String(search.category ?? '')}
        onChange={({ currentTarget }) => change({ category: currentTarget.value })}
        data={[{ value: '', label: texts.animals.everyCategory }, ...categoryOptions(categories, filter.categoryId)]}
      />
      {isFiltered(filter) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {texts.animals.clearFilters}
        </Button>
      )}
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
      label={texts.animals.search}
      placeholder={texts.animals.searchHint}
      maxLength={255}
      value={typed}
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
