// Files that were imported before, and those that are not finished: each leads to where it stands.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Received } from '@petstore-platform/contract/platform/client'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { addressOf } from './steps.ts'
import { importViews, stepOf } from './views.ts'

const words = texts.imports
const ASK_AGAIN_MS = 2000

type Listed = Received<'listImports'>[number]

export function EarlierImports() {
  const { slug } = useProject()
  const imports = useQuery({
    ...query('listImports', { project: slug }),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ state }) => importViews[state].isGoing) ? ASK_AGAIN_MS : false,
  })
  return (
    <Section title={words.earlier}>
      <Loaded from={imports}>
        {(list) =>
          list.length === 0 ? (
            <p className="quiet plain">{words.noneEarlier}</p>
          ) : (
            <table className="list import-earlier">
              <thead>
                <tr>
                  <th scope="col">{words.file}</th>
                  <th scope="col">{words.when}</th>
                  <th scope="col">{words.state}</th>
                  <th scope="col">{words.result}</th>
                  <th scope="col">
                    <span className="visually-hidden">{words.open}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((one) => (
                  <Line key={one.id} one={one} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Section>
  )
}

function Line({ one }: { one: Listed }) {
  const { slug } = useProject()
  const { label, tone } = importViews[one.state]
  const step = stepOf(one.state)
  const name = one.fileName ?? words.unnamedFile
  const isToContinue = step !== 'done'
  return (
    <tr>
      <td data-label={words.file}>{name}</td>
      <td data-label={words.when}>
        <Time at={one.createdAt} />
      </td>
      <td data-label={words.state}>
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td data-label={words.result}>{resultOf(one)}</td>
      <td className="import-open">
        <Button
          size="xs"
          variant="default"
          aria-label={isToContinue ? words.continueOf(name) : words.openOf(name)}
          renderRoot={(props) => <Link to={addressOf[step]} params={{ project: slug, import: one.id }} {...props} />}
        >
          {isToContinue ? words.continue : words.open}
        </Button>
      </td>
    </tr>
  )
}

function resultOf({ state, added, changed }: Listed): string {
  if (state === 'succeeded') return added + changed === 0 ? words.nothingChanged : words.done(added, changed)
  return state === 'failed' ? words.notDone : ''
}
