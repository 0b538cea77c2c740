// What is wrong, each with the way to its cell: the link moves the keyboard there.

import * as texts from '../texts/texts.ts'
import { cellId, type GridColumn } from './grid-column.ts'
import { faultWords, type ReviewRow } from './views.ts'

const words = texts.imports
const LISTED = 5

type ProblemListProps = { rows: readonly ReviewRow[]; count: number; columns: readonly GridColumn[] }

export function ProblemList({ rows, count, columns }: ProblemListProps) {
  const found = rows.flatMap(({ row, problems }) => problems.map(({ column, reason }) => ({ row, column, reason })))
  const nameOf = (column: number | null) => columns.find(({ index }) => index === column)?.name
  const listed = found.slice(0, LISTED)
  return (
    <div role="status">
      {count === 0 ? (
        <div className="note good">{words.solved}</div>
      ) : (
        <div className="note bad stack tight">
          <strong>{words.problemsTitle(count)}</strong>
          <ul className="import-problems">
            {listed.map(({ row, column, reason }) => (
              <li key={`${row} ${column} ${reason}`}>
                <CellLink id={cellId(row, column ?? columns[0]?.index ?? 0)}>
                  {words.problemAt(row, nameOf(column), faultWords(reason))}
                </CellLink>
              </li>
            ))}
          </ul>
          {found.length > LISTED && <span>{words.moreProblems(found.length - LISTED)}</span>}
          <span>{words.problemsText}</span>
        </div>
      )}
    </div>
  )
}

const CellLink = ({ id, children }: { id: string; children: string }) => (
  <a
    href={`#${id}`}
    onClick={(event) => {
      event.preventDefault()
      const cell = document.getElementById(id)
      cell?.focus()
      cell?.scrollIntoView({ block: 'center', inline: 'nearest' })
    }}
  >
    {children}
  </a>
)
