// The history of a domain, newest first, with its certificates.

import { Button } from '@mantine/core'
import type { DomainEvent, DomainEventKind } from '@petstore/contract/platform/domain-shapes'
import { usePages } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { dateWords, Time } from '../ui/time.tsx'

const { history: words } = texts.domains
const kinds: Readonly<Record<DomainEventKind, string>> = words.kinds
const COUNT = 10
/** The kinds whose cause is worth reading; for the others it is only incidental. */
const caused: ReadonlySet<DomainEventKind> = new Set([
  'domain.action_required',
  'domain.drift',
  'domain.degraded',
  'certificate.refused',
])

export function History({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const events = usePages('listDomainEvents', { project: slug, hostname, limit: COUNT })
  return (
    <Section title={words.title}>
      <Loaded from={events}>
        {({ pages }) => (
          <>
            {pages[0]?.items.length === 0 && <p className="quiet">{words.empty}</p>}
            {pages[0]?.items.length !== 0 && (
              <ol className="history-list">
                {pages.flatMap(({ items }) => items.map((event) => <Entry key={event.id} event={event} />))}
              </ol>
            )}
          </>
        )}
      </Loaded>
      {events.hasNextPage && (
        <div>
          <Button
            variant="default"
            size="xs"
            loading={events.isFetchingNextPage}
            onClick={() => void events.fetchNextPage()}
          >
            {texts.common.more}
          </Button>
        </div>
      )}
    </Section>
  )
}

const Entry = ({ event: { at, kind, code, detail } }: { event: DomainEvent }) => (
  <li>
    <span>
      {[kinds[kind], ...wordsOf(detail)].join(', ')}
      {code !== null && caused.has(kind) && <code className="quiet"> {code}</code>}
    </span>
    <span className="quiet small">
      <Time at={at} />
    </span>
  </li>
)

/** For a certificate, its issuer and its validity. */
function wordsOf({ authority, validUntil }: DomainEvent['detail']): string[] {
  return [
    ...(typeof authority === 'string' ? [words.authority(authority)] : []),
    ...(typeof validUntil === 'string' ? [words.validUntil(dateWords(validUntil))] : []),
  ]
}
