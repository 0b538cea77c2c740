// The sessions of the person, and how to end them on other devices. This device signs
// out.

import { Button } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, useAction } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time, timeWords } from '../ui/time.tsx'
import { takesFrom, TakingList, RemovalQuestion, useRemoval } from './removable-list.tsx'

const words = texts.account.sessions
const { columns } = words
const AT_FIRST = 5
type Session = Received<'listSessions'>[number]

export function SessionsSection() {
  const sessions = useQuery(query('listSessions'))
  const [isAll, setAll] = useState(false)
  const taking = useRemoval<Session>()
  const end = useAction('endSession', { ...takesFrom('listSessions'), done: words.done })
  return (
    <Section title={words.title}>
      <p className="account-text quiet">{words.lead}</p>
      <p className="account-text quiet">{words.lengths}</p>
      <Loaded from={sessions}>
        {(list) => (
          <TakingList of={taking} label={words.title}>
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">{columns.device}</th>
                  <th scope="col">{columns.began}</th>
                  <th scope="col">{columns.seen}</th>
                  <th scope="col">{columns.ends}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {list.slice(0, isAll ? list.length : AT_FIRST).map((session) => (
                  <Row key={session.id} session={session} onEnd={() => taking.ask(session)} />
                ))}
              </tbody>
            </table>
            {!isAll && list.length > AT_FIRST && (
              <Button variant="subtle" onClick={() => setAll(true)}>
                {words.all(list.length)}
              </Button>
            )}
          </TakingList>
        )}
      </Loaded>
      <RemovalQuestion
        of={taking}
        title={() => words.ask}
        text={({ createdAt }) => words.text(timeWords(createdAt))}
        does={words.end}
        take={({ id }) => end.mutateAsync({ sessionId: id })}
        isBusy={end.isPending}
      />
    </Section>
  )
}

const Row = ({
  session: { isCurrent, device, createdAt, seenAt, expiresAt },
  onEnd,
}: {
  session: Session
  onEnd: () => void
}) => (
  <tr>
    <td data-label={columns.device}>{device ?? <span className="quiet">{words.unknownDevice}</span>}</td>
    <td data-label={columns.began}>
      <Time at={createdAt} />
    </td>
    <td data-label={columns.seen}>
      <Time at={seenAt} />
    </td>
    <td data-label={columns.ends}>
      <Time at={expiresAt} />
    </td>
    <td>
      {isCurrent ? (
        <Badge tone="good">{words.here}</Badge>
      ) : (
        <Button size="compact-sm" variant="default" onClick={onEnd} aria-label={words.endOf(timeWords(createdAt))}>
          {words.end}
        </Button>
      )}
    </td>
  </tr>
)
