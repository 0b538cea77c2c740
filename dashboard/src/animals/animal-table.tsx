// The virtualised table of animals. Only the visible rows are in the DOM, however many
// there are; assistive technology gets the total and the index of each row. It is one
// stop for the Tab key, and inside it the arrow keys move from row to row.

import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { texts } from '../texts/texts.ts'
import { AnimalRow, rowId } from './animal-row.tsx'
import type { Categories } from './categories.ts'
import { KeysHint } from './keys-hint.tsx'
import { movedTo } from './keyboard-navigation.ts'
import type { Animal } from './rows.ts'
import type { Selection } from './selection.ts'
import type { Listed } from './use-animals.ts'

/** Rows fetched ahead of the visible ones, so that scrolling shows rows and not placeholders. */
const ROWS_AHEAD = 500
const KEYS_HINT = 'animal-keys'

type TableProps = {
  /** For callers that return the focus to it. */
  grid: RefObject<HTMLDivElement | null>
  listed: Listed
  selection: Selection
  categories: Categories
  isSelectable: boolean
  onOpen: (animal: Animal) => void
}

export function AnimalTable({ grid, listed, selection, categories, isSelectable, onOpen }: TableProps) {
  const { rows, count, isCounted } = listed
  useSyncExternalStore(selection.subscribe, selection.version)
  const anchor = useRef(0)
  const [wished, setActive] = useState(0)
  const active = Math.min(wished, count - 1)
  const { rowHeight, headHeight } = useHeights()
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    useFlushSync: false,
    // The active row is always in the page: assistive technology is pointed to it.
    rangeExtractor: (range) => withActive(range, active),
    onChange: ({ range }) => void rows.want((range?.endIndex ?? 0) + ROWS_AHEAD),
  })

  useEffect(() => virtual.measure(), [virtual, rowHeight])

  const moveTo = (index: number) => {
    setActive(index)
    virtual.scrollToIndex(index, { align: 'auto' })
  }
  const select = (index: number, isRange: boolean) => {
    const animal = rows.at(index)
    if (!isSelectable || !animal) return
    if (isRange) selection.add(rows.slice(Math.min(anchor.current, index), Math.max(anchor.current, index) + 1))
    else selection.toggle(animal.id)
    anchor.current = index
  }
  const open = (index: number) => {
    const animal = rows.at(index)
    if (animal) onOpen(animal)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event
    const inSight = Math.floor(((virtual.scrollRect?.height ?? 0) - headHeight) / rowHeight)
    const target = movedTo(key, { active, count, inSight })
    if (target !== undefined) moveTo(target)
    else if (key === ' ') select(active, shiftKey)
    else if (key === 'Enter') open(active)
    else if (key === 'a' && (event.ctrlKey || event.metaKey) && isSelectable) selection.add(rows.slice(0, count))
    else if (key === 'Escape' && selection.size() > 0) selection.clear()
    else return
    event.preventDefault()
    // The end of a list without a count is known once all of it is loaded.
    if (key === 'End' && !isCounted) void rows.want(Infinity).then(() => moveTo(rows.snapshot().loaded - 1))
  }
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof Element)) return
    const index = Number(target.closest('[data-index]')?.getAttribute('data-index') ?? -1)
    if (index < 0) return
    setActive(index)
    grid.current?.focus({ preventScroll: true })
    if (shiftKey || target.closest('.animal-select')) select(index, shiftKey)
    else open(index)
  }

  const items = virtual.getVirtualItems()
  return (
    <div className="animal-frame">
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={texts.animals.title}
        aria-describedby={KEYS_HINT}
        aria-rowcount={isCounted ? count + 1 : -1}
        aria-multiselectable={isSelectable}
        aria-activedescendant={items.some(({ index }) => index === active) ? rowId(active) : undefined}
        className={`animal-table${isSelectable ? ' selectable' : ''}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        data-scrolls
      >
        <Head isSelectable={isSelectable} />
        <div role="rowgroup" className="animal-rows" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const animal = rows.at(index)
            return (
              <AnimalRow
                key={index}
                animal={animal}
                index={index}
                top={start - headHeight}
                category={animal ? categories.nameOf(animal.categoryId) : ''}
                isActive={index === active}
                isSelected={animal !== undefined && selection.has(animal.id)}
                isSelectable={isSelectable}
              />
            )
          })}
        </div>
      </div>
      <KeysHint id={KEYS_HINT} />
    </div>
  )
}

const Head = ({ isSelectable }: { isSelectable: boolean }) => (
  <div role="rowgroup" className="animal-head">
    <div role="row" aria-rowindex={1} className="animal-columns">
      {isSelectable && (
        <div role="columnheader" className="animal-select">
          <span className="visually-hidden">{texts.animals.selected}</span>
        </div>
      )}
      <div role="columnheader">{texts.animals.name}</div>
      <div role="columnheader">{texts.animals.category}</div>
      <div role="columnheader">{texts.animals.status}</div>
      <div role="columnheader">{texts.animals.added}</div>
    </div>
  </div>
)

/** A stable function, or the heights of all rows would be computed again. */
const getItemKey = (index: number) => index

function withActive(range: Range, active: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (active < 0 || (active >= (shown[0] ?? 0) && active <= (shown.at(-1) ?? -1))) return shown
  return active < (shown[0] ?? 0) ? [active, ...shown] : [...shown, active]
}

/** As in animals.css, in pixels of this device: larger text has higher rows. */
function useHeights() {
  const isPhone = useMediaQuery('(max-width: 40rem)', undefined, { getInitialValueInEffect: false })
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  return { rowHeight: (isPhone ? 4.25 : 2.75) * rem, headHeight: isPhone ? 0 : 2.5 * rem }
}
