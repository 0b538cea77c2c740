// The search over the animals, requests and pages of a project: one field, and below it what is found. The
// keyboard stays in the field; arrow keys choose, Enter opens.

import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import type { Received } from '@petstore-platform/contract/platform/client'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import type { LateDialogProps } from '../ui/late-dialog.tsx'
import { resultsFor, type SearchResult } from './search-results.ts'

const { search: words } = texts.common

const WAIT_MS = 150
const nothing = { animals: [], orders: [] }

export const SearchDialog = ({ slug, isOpen, onClose }: LateDialogProps & { slug: string }) => (
  <Dialog title={words.title} isOpen={isOpen} onClose={onClose} isWide>
    <SearchForm slug={slug} onClose={onClose} />
  </Dialog>
)

function useFound(slug: string, text: string) {
  const [wanted] = useDebouncedValue(text.trim(), WAIT_MS)
  const found = useQuery({
    ...query('searchProject', { project: slug, text: wanted }),
    enabled: wanted !== '',
    // While the next letter is on its way, the list stays.
    placeholderData: (before: Received<'searchProject'> | undefined) => before,
  })
  return resultsFor(text, (wanted === '' ? undefined : found.data) ?? nothing)
}

function SearchForm({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [wished, setWished] = useState(0)
  const navigate = useNavigate()
  const list = useId()
  const results = useFound(slug, text)
  const chosen = Math.min(wished, results.length - 1)
  const optionId = (index: number) => `${list}-${index}`

  const go = (result: SearchResult | undefined) => {
    if (!result) return
    onClose()
    void navigate({ to: result.to, params: { project: slug, animal: result.animal ?? '', order: result.order ?? '' } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setWished((chosen + step + results.length) % Math.max(1, results.length))
    else if (event.key === 'Enter') go(results[chosen])
    else return
    event.preventDefault()
  }

  return (
    <div className="stack">
      <TextInput
        // What a dialog gives the focus to when it opens; otherwise it would be the button that closes it.
        data-autofocus
        aria-label={words.label}
        placeholder={words.hint}
        leftSection={<Icon of={Search} size={18} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setWished(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={chosen < 0 ? undefined : optionId(chosen)}
        autoComplete="off"
        maxLength={100}
      />
      <ul className="search-results" role="listbox" id={list} aria-label={words.title}>
        {results.map((result, index) => (
          // The keyboard acts in the field, which points to the chosen option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={result.key}
            id={optionId(index)}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(result)}
            onPointerMove={() => setWished(index)}
          >
            <Icon of={result.icon} />
            <span className="grow cut">{result.label}</span>
            <span className="quiet small">{result.kind}</span>
          </li>
        ))}
      </ul>
      <p className="quiet small plain" role="status">
        {results.length === 0 ? words.none(text) : words.keys}
      </p>
    </div>
  )
}
