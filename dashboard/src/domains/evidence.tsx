// The evidence, collapsed: each server that was queried, the query and the answer. For
// owners who want the details, or have to convince their provider.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { Terminal } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Time } from '../ui/time.tsx'
import { Fold } from './folds.tsx'

const { evidence: words } = texts.domains

export const Evidence = ({ evidence, evidenceAt }: Pick<Domain, 'evidence' | 'evidenceAt'>) => (
  <Fold of={Terminal} title={words.title}>
    {evidence.length === 0 ? (
      <p className="quiet">{words.none}</p>
    ) : (
      <div className="stack">
        <p className="quiet small">
          {words.at} <Time at={evidenceAt} />
        </p>
        <table className="list evidence">
          <thead>
            <tr>
              <th scope="col">{words.server}</th>
              <th scope="col">{words.question}</th>
              <th scope="col">{words.answer}</th>
              <th scope="col">{words.ms}</th>
            </tr>
          </thead>
          <tbody>
            {evidence.map(({ server, question, answer, ms }, index) => (
              <tr key={`${index} ${server} ${question}`}>
                <td data-label={words.server}>{server}</td>
                <td data-label={words.question} className="mono">
                  {question}
                </td>
                <td data-label={words.answer} className="mono">
                  {answer}
                </td>
                <td data-label={words.ms} className="quiet">
                  {words.took(ms)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Fold>
)
