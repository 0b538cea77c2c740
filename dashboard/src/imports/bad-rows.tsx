// Rows that were not imported, of a file that was not reviewed: a script sent it.

import * as texts from '../texts/texts.ts'
import type { FoundImport } from './views.ts'

const words = texts.imports

export function BadRows({ found: { bad, badLines } }: { found: FoundImport }) {
  if (badLines.length === 0) return null
  return (
    <>
      <h3>{words.badRows(bad)}</h3>
      <div className="import-lines" data-scrolls tabIndex={0} role="region" aria-label={words.reason}>
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.reason}</th>
            </tr>
          </thead>
          <tbody>
            {badLines.map(({ line, reason }) => (
              <tr key={line}>
                <td data-label={words.line}>{words.number(line)}</td>
                <td data-label={words.reason}>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {bad > badLines.length && <p className="quiet small plain">{words.firstOnly(badLines.length)}</p>}
    </>
  )
}
