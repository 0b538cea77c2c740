// The activity page: the audit events of the project, by day.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query, usePages } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/states.tsx'
import { dateWords } from '../ui/time.tsx'
import { byDay, whatOf, whoOf, type AuditEntry } from './audit-entry.ts'
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
        <Empty title={words.viewer}>
          <p className="quiet">{words.viewerText}</p>
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
        if (entries.length === 0) return <Empty title={words.empty} />
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
    <ol className="deeds">
      {entries.map((entry) => (
        <li key={String(entry.id)}>
          <time className="quiet small" dateTime={entry.at} title={new Date(entry.at).toLocaleString()}>
            {new Date(entry.at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
          </time>
          <span>
            <strong>{whoOf(entry)}</strong> {whatOf(entry, people)}
          </span>
        </li>
      ))}
    </ol>
  </section>
)

function dayWords(at: string): string {
  const day = new Date(at).toDateString()
  if (day === new Date().toDateString()) return words.today
  return day === new Date(Date.now() - DAY_MS).toDateString() ? words.yesterday : dateWords(at)
}
