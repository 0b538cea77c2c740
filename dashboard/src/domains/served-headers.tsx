// The responses that visitors to a domain get at this moment, redirect by redirect. For
// owners who see an old redirect in their browser: the server requests it, without a
// cache.

import { Button } from '@mantine/core'
import type { DomainTrace, TraceHop, TraceOutcome } from '@petstore-platform/contract/platform/domain-tracing'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { clockWords } from '../ui/now.ts'
import { Failure } from '../ui/states.tsx'
import { dateWords } from '../ui/time.tsx'
import './redirects.css'

const { served: words } = texts.redirects

const outcomes: Readonly<Record<TraceOutcome, { label: string; tone: Tone }>> = {
  arrives: { label: words.outcomes.arrives, tone: 'good' },
  stopped: { label: words.outcomes.stopped, tone: 'bad' },
  untold: { label: words.outcomes.untold, tone: 'plain' },
}

export function ServedHeaders({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const [isAsked, setAsked] = useState(false)
  // Only on request: each trace sends requests to third-party servers.
  const trace = useQuery({
    ...query('traceDomain', { project: slug, hostname }),
    enabled: isAsked,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <div className="stack served">
      <div>
        <Button
          variant="default"
          loading={trace.isFetching}
          onClick={() => (isAsked ? void trace.refetch() : setAsked(true))}
        >
          {isAsked ? words.again : words.show}
        </Button>
      </div>
      <div className="stack" aria-live="polite">
        {trace.isFetching && <span className="quiet">{words.looking}</span>}
        {!trace.isFetching && trace.error && <Failure error={trace.error} />}
        {!trace.isFetching && !trace.error && trace.data && <Trace trace={trace.data} />}
      </div>
    </div>
  )
}

const Trace = ({ trace: { at, outcome, note, also, hops } }: { trace: DomainTrace }) => (
  <>
    <div className="row">
      <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
      <span className="quiet small">{words.at(clockWords(at))}</span>
    </div>
    <p>{note}</p>
    <ol className="hops" aria-label={words.hops}>
      {hops.map((hop) => (
        <Hop key={hop.url} hop={hop} />
      ))}
    </ol>
    {also.map((text) => (
      <p key={text} className="small">
        {text}
      </p>
    ))}
    <p className="note">{words.fresh}</p>
  </>
)

function Hop({ hop }: { hop: TraceHop }) {
  const { url, status, location, cacheControl, hsts, server, address, certificateUntil } = hop
  const by = [address, server].filter((part) => part !== null).join(', ')
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    [words.leadsTo, location],
    [words.cacheControl, status === null ? null : (cacheControl ?? words.notSaid)],
    [words.hsts, hsts],
    [words.server, by === '' ? null : by],
    [words.certificateUntil, certificateUntil && dateWords(certificateUntil)],
  ]
  return (
    <li>
      <div className="row">
        <strong>{status === null ? words.silent : words.answered(status)}</strong>
        <code>{url}</code>
      </div>
      <dl className="small">
        {facts.map(([name, value]) => value !== null && <Fact key={name} name={name} value={value} />)}
      </dl>
    </li>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt className="quiet">{name}</dt>
    <dd>
      <code>{value}</code>
    </dd>
  </>
)
