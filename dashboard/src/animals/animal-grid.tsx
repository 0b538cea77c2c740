// The virtualised list of animals, as cards or as a table. Only the visible ones are in the DOM, however many there are;
// assistive technology gets the total and the index of each. It is one stop for the Tab key, and inside it the arrow keys
// move. For assistive technology both are a grid with one row for each animal: a card is a row that looks different.

import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { AnimalRow, rowId } from './animal-row.tsx'
import type { Categories } from './categories.ts'
import { layoutOf, type ListView } from './grid-layout.ts'
import { KEYS_HINT } from './keys-hint.tsx'
import { movedTo } from './keyboard-navigation.ts'
import type { Animal } from './rows.ts'
import type { Selection } from './selection.ts'
import type { Listed } from './use-animals.ts'
import { useGridArea } from './use-grid-area.ts'

/** Rows fetched ahead of the visible ones, so that scrolling shows rows and not placeholders. */
const ROWS_AHEAD = 500
/** In rem: the bar at the top of the page; the bars at its bottom. */
const COVERED_TOP = 4.25
const COVERED_BOTTOM = 9

type GridProps = {
  /** For callers that return the focus to it. */
  grid: RefObject<HTMLDivElement | null>
  view: ListView
  listed: Listed
  selection: Selection
  categories: Categories
  isSelectable: boolean
  onOpen: (animal: Animal) => void
}

export function AnimalGrid({ grid, view, listed, selection, categories, isSelectable, onOpen }: GridProps) {
  const { slug } = useProject()
  const { rows, count, isCounted } = listed
  useSyncExternalStore(selection.subscribe, selection.version)
  const anchor = useRef(0)
  const [wished, setActive] = useState(0)
  const active = Math.min(wished, count - 1)
  const body = useRef<HTMLDivElement>(null)
  const { virtual, columns, inSight, top } = useLines(body, view, listed, active)
  const [now] = useState(() => Date.now())

  const moveTo = (index: number) => {
    setActive(index)
    virtual.scrollToIndex(Math.floor(index / columns), { align: 'auto' })
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
    const target = movedTo(key, { active, count, columns, inSight })
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

  const lines = virtual.getVirtualItems()
  const isShown = lines.some(({ index }) => index === Math.floor(active / columns))
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={texts.animals.title}
      aria-describedby={KEYS_HINT}
      aria-rowcount={isCounted ? count + 1 : -1}
      aria-multiselectable={isSelectable}
      aria-activedescendant={isShown ? rowId(active) : undefined}
      className={`animal-${view}${isSelectable ? ' selectable' : ''}${selection.size() > 0 ? ' selecting' : ''}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <Head isSelectable={isSelectable} />
      <div ref={body} role="rowgroup" className="animal-rows" style={{ height: virtual.getTotalSize() }}>
        {lines.map(({ index: line, start, size }) => (
          <div
            key={line}
            role="presentation"
            className="animal-line"
            style={lineStyle({ top: start - top, height: size, columns })}
          >
            {indexesOf(line, columns, count).map((index) => {
              const animal = rows.at(index)
              return (
                <AnimalRow
                  key={index}
                  project={slug}
                  view={view}
                  animal={animal}
                  index={index}
                  now={now}
                  category={animal ? categories.nameOf(animal.categoryId) : ''}
                  isActive={index === active}
                  isSelected={animal !== undefined && selection.has(animal.id)}
                  isSelectable={isSelectable}
                />
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The lines that the window shows, and some around them. */
function useLines(body: RefObject<HTMLElement | null>, view: ListView, { rows, count }: Listed, active: number) {
  const area = useGridArea(body)
  const { columns, lineHeight, headHeight } = layoutOf(view, area)
  const covered = COVERED_TOP * area.rem + headHeight
  const virtual = useWindowVirtualizer({
    count: area.width === 0 ? 0 : Math.ceil(count / columns),
    estimateSize: () => lineHeight,
    getItemKey,
    overscan: view === 'cards' ? 2 : 8,
    scrollMargin: area.top,
    scrollPaddingStart: covered,
    scrollPaddingEnd: COVERED_BOTTOM * area.rem,
    useFlushSync: false,
    // The active row is always in the page: assistive technology is pointed to it.
    rangeExtractor: (range) => withActive(range, Math.floor(active / columns)),
    onChange: ({ range }) => void rows.want(((range?.endIndex ?? 0) + 1) * columns + ROWS_AHEAD),
  })
  useEffect(() => virtual.measure(), [virtual, lineHeight])
  const inSight = Math.floor((window.innerHeight - covered - COVERED_BOTTOM * area.rem) / lineHeight)
  return { virtual, columns, inSight, top: area.top }
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
      <div role="columnheader" className="animal-here">
        {texts.animals.hereFor}
      </div>
    </div>
  </div>
)

const lineStyle = ({ top, height, columns }: { top: number; height: number; columns: number }) =>
  ({ transform: `translateY(${top}px)`, height, '--columns': columns }) as CSSProperties

const indexesOf = (line: number, columns: number, count: number): number[] =>
  Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) => line * columns + column)

/** A stable function, or the heights of all rows would be computed again. */
const getItemKey = (index: number) => index

function withActive(range: Range, active: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (active < 0 || (active >= (shown[0] ?? 0) && active <= (shown.at(-1) ?? -1))) return shown
  return active < (shown[0] ?? 0) ? [active, ...shown] : [...shown, active]
}
