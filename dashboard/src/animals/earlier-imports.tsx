// Tables that were imported before, and those that are still being worked off.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { ImportResult, type ImportView } from './import-result.tsx'
import { importViews } from './views.ts'

const words = texts.animals.imports
const ASK_AGAIN_MS = 2000

/** `current` is shown above already. */
export function EarlierImports({ current }: { current: string | undefined }) {
  const { slug } = useProject()
  const imports = useQuery({
    ...query('listImports', { project: slug }),
    refetchInterval: ({ state: { data = [] } }) => (data.some(isGoing) ? ASK_AGAIN_MS : false),
  })
  return (
    <Section title={words.earlier}>
      <Loaded from={imports}>
        {(list) => {
          const shown = list.filter(({ id }) => id !== current)
          return shown.length === 0 ? (
            <p className="quiet plain">{words.noneEarlier}</p>
          ) : (
            <table className="list import-earlier">
              <thead>
                <tr>
                  <th scope="col">{words.when}</th>
                  <th scope="col">{words.state}</th>
                  <th scope="col">{words.result}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((one) => (
                  <Line key={one.id} one={one} />
                ))}
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </Section>
  )
}

const isGoing = ({ state }: ImportView) => importViews[state].isGoing

function Line({ one }: { one: ImportView }) {
  const { label, tone } = importViews[one.state]
  return (
    <tr>
      <td data-label={words.when}>
        <Time at={one.createdAt} />
      </td>
      <td data-label={words.state}>
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td data-label={words.result}>
        {isGoing(one)
          ? words.lines(one.lines)
          : one.state === 'succeeded'
            ? words.wasAdded(one.added)
            : words.nothingAdded}
        {(one.bad > 0 || one.reason !== null) && (
          <details>
            <summary>{words.details}</summary>
            <ImportResult result={one} />
          </details>
        )}
      </td>
    </tr>
  )
}
