// The progress of a removal: which edges have stopped serving the domain. Polled until
// all that can be reached have confirmed it. An isolated edge is listed as such, since
// visitors may still reach it.

import type { DomainRemoval } from '@petstore-platform/contract/platform/domain-shapes'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { takeLostFocus } from '../ui/focus.ts'
import { clockWords } from '../ui/now.ts'
import './redirects.css'

const { removal: words } = texts.redirects
const ASK_MS = 1000
/** One that is cut off comes back in its own time. */
const ASK_CUT_OFF_MS = 5000

type Edge = DomainRemoval['edges'][number]

const isWaitedFor = ({ confirmedAt, isConnected }: Edge) => confirmedAt === null && isConnected

function pollInterval(removal: DomainRemoval | undefined): number | false {
  if (!removal || removal.edges.some(isWaitedFor)) return ASK_MS
  return removal.edges.every(({ confirmedAt }) => confirmedAt !== null) ? false : ASK_CUT_OFF_MS
}

export function RemovalProgress({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const removal = useQuery({
    ...query('getDomainRemoval', { project: slug, hostname }),
    refetchInterval: ({ state }) => pollInterval(state.data),
  })
  if (!removal.data) return null
  const { edges } = removal.data
  return (
    // It comes in place of the dialog that had the keyboard.
    <div className="stack removal" ref={takeLostFocus} tabIndex={-1}>
      <p role="status">
        <strong>{summaryOf(removal.data)}</strong>
      </p>
      {edges.length > 0 && (
        <ul className="edges" aria-label={words.title}>
          {edges.map((edge) => (
            <li key={edge.edge}>
              <span className="row">
                <span className="mono">{edge.edge}</span>
                <EdgeBadge edge={edge} />
              </span>
              {edge.confirmedAt === null && !edge.isConnected && <p className="small">{words.cutOffText}</p>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function summaryOf({ edges, removedAt }: DomainRemoval): string {
  if (edges.length === 0) return words.servedNowhere
  if (edges.some(isWaitedFor)) return words.waiting
  const confirmed = edges.flatMap(({ confirmedAt }) => confirmedAt ?? [])
  if (confirmed.length === 0) return words.noneReachable
  const last = clockWords(confirmed.toSorted().at(-1) ?? removedAt)
  return confirmed.length === edges.length ? words.everywhere(last) : words.connectedOnly(last)
}

function EdgeBadge({ edge: { confirmedAt, isConnected } }: { edge: Edge }) {
  if (confirmedAt !== null) return <Badge tone="good">{words.stopped(clockWords(confirmedAt))}</Badge>
  return isConnected ? <Badge tone="wait">{words.stopping}</Badge> : <Badge tone="warn">{words.cutOff}</Badge>
}
