// The sessions of the person, and how to end them on other devices. This device signs
// out.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { CircleQuestionMark, Monitor, Smartphone, Tablet, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { query, useAction } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Named, Part } from './account-part.tsx'
import { Loaded } from '../ui/states.tsx'
import { Time, timeWords } from '../ui/time.tsx'
import { deviceKind, type DeviceKind } from './device-kind.ts'
import { removesFrom, RemovalList, RemovalQuestion, useRemoval } from './removable-list.tsx'

const words = texts.account.sessions
const { columns } = words
const AT_FIRST = 5
type Session = Received<'listSessions'>[number]

const deviceIcons: Readonly<Record<DeviceKind, LucideIcon>> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  unknown: CircleQuestionMark,
}

export function SessionsSection() {
  const sessions = useQuery(query('listSessions'))
  const [isAll, setAll] = useState(false)
  const removal = useRemoval<Session>()
  const end = useAction('endSession', { ...removesFrom('listSessions'), done: words.done })
  return (
    <Part
      title={words.title}
      lead={
        <>
          <p className="plain">{words.lead}</p>
          <p className="plain">{words.lengths}</p>
        </>
      }
    >
      <Loaded from={sessions}>
        {(list) => (
          <RemovalList of={removal} label={words.title}>
            <table className="list">
              <ListHead
                columns={[columns.device, columns.began, columns.seen, columns.ends]}
                actions={texts.account.actions}
              />
              <tbody>
                {list.slice(0, isAll ? list.length : AT_FIRST).map((session) => (
                  <Row key={session.id} session={session} onEnd={() => removal.ask(session)} />
                ))}
              </tbody>
            </table>
            {!isAll && list.length > AT_FIRST && (
              <Button variant="subtle" onClick={() => setAll(true)}>
                {words.all(list.length)}
              </Button>
            )}
          </RemovalList>
        )}
      </Loaded>
      <RemovalQuestion
        of={removal}
        title={() => words.ask}
        text={({ createdAt }) => words.text(timeWords(createdAt))}
        action={words.end}
        remove={({ id }) => end.mutateAsync({ sessionId: id })}
        isBusy={end.isPending}
      />
    </Part>
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
    <td>
      <Named of={deviceIcons[deviceKind(device)]}>{device ?? words.unknownDevice}</Named>
    </td>
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
        <Button
          size="compact-sm"
          variant="default"
          data-tone="danger"
          onClick={onEnd}
          aria-label={words.endOf(timeWords(createdAt))}
        >
          {words.end}
        </Button>
      )}
    </td>
  </tr>
)
