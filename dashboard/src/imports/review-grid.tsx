// The rows of an import as a grid: one cell is in the order of Tab, arrow keys move, Enter changes the cell. On a phone
// each row is a card, and a tap changes a cell.

import { useEffect, useState, type KeyboardEvent, type MouseEvent } from 'react'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { cellId, isCellId, type GridColumn } from './grid-column.ts'
import { movedBy, type GridPlace } from './grid-moves.ts'
import { ReviewCell } from './review-cell.tsx'
import { faultWords, outcomeViews, type ReviewRow } from './views.ts'

const words = texts.imports
const HINT = 'import-keys'

type GridProps = {
  rows: readonly ReviewRow[]
  columns: readonly GridColumn[]
  onChange: (row: number, column: number, value: string) => Promise<void>
}

export function ReviewGrid({ rows, columns, onChange }: GridProps) {
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<string>()
  const idAt = ({ row, column }: GridPlace) => cellId(rows[row]?.row ?? 0, columns[column]?.index ?? 0)
  useEffect(() => {
    // An address can name a cell.
    const named = location.hash.slice(1)
    if (isCellId(named)) document.getElementById(named)?.focus()
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (edited !== undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const to = movedBy(event.key, active, { rows: rows.length, columns: columns.length })
    if (to) {
      event.preventDefault()
      document.getElementById(idAt(to))?.focus()
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      setEdited(idAt(active))
    }
  }
  const onClick = ({ target }: MouseEvent) => {
    const cell = target instanceof Element ? target.closest('[role=gridcell]') : null
    if (cell && cell.id !== edited) setEdited(cell.id)
  }
  /** The keyboard stays where it was, unless the person has moved on. */
  const onEnd = (id: string, isByKey: boolean) => {
    setEdited(undefined)
    if (isByKey) document.getElementById(id)?.focus()
  }
  return (
    <>
      <p id={HINT} className="quiet tiny plain import-hint">
        <span className="import-by-key">{words.keysHint}</span>
        <span className="import-by-touch">{words.touchHint}</span>
      </p>
      <div className="import-rows" data-scrolls role="region" aria-label={words.rows} tabIndex={0} onClick={onClick}>
        <table
          role="grid"
          className="import-grid"
          aria-label={words.rows}
          aria-describedby={HINT}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <th scope="col">{words.row}</th>
              <th scope="col">{words.outcome}</th>
              {columns.map(({ index, name, title }) => (
                <th key={index} scope="col">
                  {name}
                  {title !== '' && title !== name && <span className="quiet import-title">{title}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((one, at) => (
              <tr key={one.row} data-outcome={one.outcome}>
                <th scope="row" className="num">
                  <span className="import-row-word">{words.row} </span>
                  {words.number(one.row)}
                </th>
                <td className="import-outcome">
                  <Badge tone={outcomeViews[one.outcome].tone}>{outcomeViews[one.outcome].label}</Badge>
                  {rowProblems(one, columns).map((reason) => (
                    <p key={reason} className="import-fault">
                      {reason}
                    </p>
                  ))}
                </td>
                {columns.map((column, place) => {
                  const id = cellId(one.row, column.index)
                  return (
                    <ReviewCell
                      key={column.index}
                      id={id}
                      row={one}
                      column={column}
                      isActive={at === active.row && place === active.column}
                      isEdited={edited === id}
                      onActive={() => setActive({ row: at, column: place })}
                      onEnd={(isByKey) => onEnd(id, isByKey)}
                      onChange={(value) => onChange(one.row, column.index, value)}
                    />
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Those that belong to no cell that is shown. */
const rowProblems = ({ problems }: ReviewRow, columns: readonly GridColumn[]): string[] =>
  problems
    .filter(({ column }) => !columns.some(({ index }) => index === column))
    .map(({ reason }) => faultWords(reason))
