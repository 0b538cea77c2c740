// A cell of the review: its value, what is wrong with it, what it was before; and the field in which it is changed.

import { useRef, useState, type KeyboardEvent } from 'react'
import * as texts from '../texts/texts.ts'
import type { GridColumn } from './grid-column.ts'
import { faultWords, type ReviewRow } from './views.ts'

const words = texts.imports

type CellProps = {
  id: string
  row: ReviewRow
  column: GridColumn
  isActive: boolean
  isEdited: boolean
  onActive: () => void
  onEnd: (isByKey: boolean) => void
  onChange: (value: string) => Promise<void>
}

export function ReviewCell({ id, row, column, isActive, isEdited, onActive, onEnd, onChange }: CellProps) {
  /** What was typed, until the server has it. */
  const [typed, setTyped] = useState<string>()
  const value = row.cells[column.index] ?? ''
  const problem = row.problems.find((one) => one.column === column.index)
  const change = row.changes.find(({ field }) => field === column.field)
  const onDone = (text: string, isByKey: boolean) => {
    onEnd(isByKey)
    if (text === value) return
    setTyped(text)
    // A refusal is shown as a notice, and the cell is as it was.
    void onChange(text).then(
      () => setTyped(undefined),
      () => setTyped(undefined),
    )
  }
  return (
    <td
      id={id}
      role="gridcell"
      data-label={column.name}
      tabIndex={isActive ? 0 : -1}
      aria-invalid={problem !== undefined || undefined}
      aria-busy={typed !== undefined || undefined}
      data-problem={problem !== undefined || undefined}
      onFocus={onActive}
    >
      {isEdited ? (
        <CellInput
          label={words.editCell(column.name, row.row)}
          value={value}
          onDone={onDone}
          onCancel={() => onEnd(true)}
        />
      ) : (
        <span className="import-value">{typed ?? value}</span>
      )}
      {problem && !isEdited && <p className="import-fault">{faultWords(problem.reason)}</p>}
      {change && <p className="plain quiet tiny">{words.was(change.before)}</p>}
    </td>
  )
}

type InputProps = {
  label: string
  value: string
  onDone: (text: string, isByKey: boolean) => void
  onCancel: () => void
}

function CellInput({ label, value, onDone, onCancel }: InputProps) {
  // Removing the field takes the focus from it, which must not count as an answer.
  const isOver = useRef(false)
  const end = (action: () => void) => {
    if (isOver.current) return
    isOver.current = true
    action()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { value: text } = event.currentTarget
    if (event.key === 'Enter' && !event.shiftKey) end(() => onDone(text, true))
    else if (event.key === 'Escape') end(onCancel)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <textarea
      rows={1}
      className="import-input"
      aria-label={label}
      defaultValue={value}
      maxLength={10_000}
      autoComplete="off"
      ref={selected}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget: { value: text } }) => end(() => onDone(text, false))}
    />
  )
}

function selected(input: HTMLTextAreaElement | null): void {
  if (!input || document.activeElement === input) return
  input.focus()
  input.select()
}
