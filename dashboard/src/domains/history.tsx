// The history of a domain, newest first, with its certificates.

import { Button } from '@mantine/core'
import type { DomainEvent, DomainEventKind } from '@petstore-platform/contract/platform/domain-shapes'
import { History as Clock } from 'lucide-react'
import { usePages } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Loaded } from '../ui/states.tsx'
import { dateWords, Time } from '../ui/time.tsx'
import { Fold } from './folds.tsx'

const { history: words } = texts.domains
const kinds: Readonly<Record<DomainEventKind, string>> = words.kinds
const COUNT = 10
/** The dot before an entry; the others are plain. */
const tones: Readonly<Partial<Record<DomainEventKind, 'good' | 'bad'>>> = {
  'domain.dns_detected': 'good',
  'domain.verified': 'good',
  'domain.recovered': 'good',
  'domain.live': 'good',
  'domain.restored': 'good',
  'domain.resumed': 'good',
  'certificate.issued': 'good',
  'certificate.renewed': 'good',
  'domain.action_required': 'bad',
  'domain.drift': 'bad',
  'domain.degraded': 'bad',
  'certificate.refused': 'bad',
  'certificate.expired': 'bad',
}

export function History({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const events = usePages('listDomainEvents', { project: slug, hostname, limit: COUNT })
  return (
    <Fold of={Clock} title={words.title} isOpen>
      <Loaded from={events}>
        {({ pages }) => (
          <>
            {pages[0]?.items.length === 0 && <p className="quiet">{words.empty}</p>}
            {pages[0]?.items.length !== 0 && (
              <ol className="domain-history">
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
    </Fold>
  )
}

const Entry = ({ event: { at, kind, detail } }: { event: DomainEvent }) => (
  <li className={tones[kind]}>
    <span>{[kinds[kind], ...wordsOf(detail)].join(', ')}</span>
    <span className="quiet tiny">
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
