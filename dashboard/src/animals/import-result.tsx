// The result of an import: the animals added, and the rows that could not be read, with
// reasons.

import type { Received } from '@petstore-platform/contract/platform/client'
import * as texts from '../texts/texts.ts'

const words = texts.animals.imports

export type ImportView = Received<'getImport'>

export function ImportResult({ result }: { result: ImportView }) {
  const { state, added, bad, badLines, reason } = result
  const isGood = state === 'succeeded'
  return (
    <div className="stack">
      <div className={isGood ? 'note good' : 'note bad'} role="status">
        {isGood ? words.wasAdded(added) : (reason ?? words.nothingAdded)}
      </div>
      {bad > 0 && (
        <>
          <h3>{isGood ? words.leftOut(bad) : words.unreadable(bad)}</h3>
          <div className="import-lines" data-scrolls tabIndex={0} role="region" aria-label={words.reason}>
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">{words.line}</th>
                  <th scope="col">{words.reason}</th>
                </tr>
              </thead>
              <tbody>
                {badLines.map(({ line, reason: wrong }) => (
                  <tr key={line}>
                    <td data-label={words.line}>{texts.animals.number(line)}</td>
                    <td data-label={words.reason}>{wrong}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {bad > badLines.length && <p className="quiet small plain">{words.firstOnly(badLines.length)}</p>}
        </>
      )}
    </div>
  )
}
