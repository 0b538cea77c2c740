// The activity page: the audit events of the project, by day.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query, usePages } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Avatar, Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { dateWords } from '../ui/time.tsx'
import { eventKindOf } from './event-kind.ts'
import { byDay, grouped, whatOf, whoOf, type AuditEntry, type EventGroup } from './audit-entry.ts'
import './activity.css'

const words = texts.activity
const COUNT = 50
const DAY_MS = 86_400_000

export function ActivityPage() {
  const { mayEdit } = useProject()
  return (
    <Page title={words.title} lead={words.lead}>
      {mayEdit ? (
        <Trail />
      ) : (
        <Empty of="requests" title={words.viewer}>
          <p>{words.viewerText}</p>
        </Empty>
      )}
    </Page>
  )
}

function Trail() {
  const { slug } = useProject()
  const found = usePages('listAudit', { project: slug, limit: COUNT })
  const members = useQuery(query('listMembers', { project: slug }))
  const people = new Map(members.data?.map(({ id, name }) => [id, name]))
  return (
    <Loaded from={found}>
      {({ pages }) => {
        const entries = pages.flatMap(({ items }) => items)
        if (entries.length === 0) return <Empty of="requests" title={words.empty} />
        return (
          <>
            {byDay(entries).map(({ day, at, entries: ofDay }) => (
              <Day key={day} at={at} entries={ofDay} people={people} />
            ))}
            {found.hasNextPage && (
              <div>
                <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                  {texts.common.more}
                </Button>
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

type DayProps = { at: string; entries: readonly AuditEntry[]; people: ReadonlyMap<string, string> }

const Day = ({ at, entries, people }: DayProps) => (
  <section className="card stack" aria-label={dayWords(at)}>
    <h2>{dayWords(at)}</h2>
    <ol className="timeline">
      {grouped(entries, people).map((group) => (
        // More of them come at its newer end.
        <Event key={String(group.oldest.id)} group={group} what={whatOf(group.newest, people, group.count)} />
      ))}
    </ol>
  </section>
)

/** The actor as an avatar with the kind of the event on it; without a person, the kind alone. */
function Event({ group: { newest: entry, oldest, count }, what }: { group: EventGroup; what: string }) {
  const times = count === 1 ? [entry.at] : [oldest.at, entry.at]
  const { icon, tone } = eventKindOf(entry.action)
  return (
    <li>
      <span className="timeline-sign">
        {entry.actor.name !== null && <Avatar name={entry.actor.name} />}
        <Glyph of={icon} tone={tone} />
      </span>
      <span className="grow">
        <strong>{whoOf(entry)}</strong> {what}
      </span>
      <time
        className="quiet tiny num"
        dateTime={entry.at}
        title={times.map((at) => new Date(at).toLocaleString()).join(' – ')}
      >
        {new Date(entry.at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
      </time>
    </li>
  )
}

function dayWords(at: string): string {
  const day = new Date(at).toDateString()
  if (day === new Date().toDateString()) return words.today
  return day === new Date(Date.now() - DAY_MS).toDateString() ? words.yesterday : dateWords(at)
}
