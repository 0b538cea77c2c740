// Derives history entries from two successive lifecycle states: one for each thing that
// happened. No change, no entry: checks that find what the last one found leave none, however
// many there are.

import type { DomainEventKind } from '@petstore-platform/contract/platform/domain-shapes'
import type { CauseCode } from '../causes/causes.ts'
import type { LifecycleState } from './states.ts'
import { statusOf, type Status } from './status.ts'

export type DomainEvent = { kind: DomainEventKind; code: CauseCode | null }

export function eventsOf(before: LifecycleState, after: LifecycleState): DomainEvent[] {
  const [from, to] = [statusOf(before), statusOf(after)]
  const kinds: (DomainEventKind | false)[] = [
    isDetected(before, after) && 'domain.dns_detected',
    after.ownership === 'proven' && before.ownership !== 'proven' && 'domain.verified',
    isOther(from, to) && enteredBy(from, to, after),
  ]
  const code = 'code' in to ? after.cause : null
  return kinds.filter((kind) => kind !== false).map((kind) => ({ kind, code }))
}

const undetected = new Set<LifecycleState['routing']>(['unknown', 'missing', 'unreachable'])

/** The owner's record was found for the first time, at one nameserver at least. */
const isDetected = (before: LifecycleState, after: LifecycleState) =>
  undetected.has(before.routing) && (after.routing === 'pointing' || after.routing === 'propagating')

/** A different cause that requires action is an event, even if the name of the status is the same. */
const isOther = (from: Status, to: Status) =>
  from.name !== to.name || (to.name === 'action_required' && 'code' in from && from.code !== to.code)

function enteredBy(
  { name: from }: Status,
  { name: to }: Status,
  { ownership, routing }: LifecycleState,
): DomainEventKind | false {
  if (to === 'removed') return ownership === 'lost' ? 'domain.moved' : 'domain.removed'
  if (to === 'paused') return 'domain.paused'
  if (from === 'paused') return 'domain.resumed'
  if (to === 'dormant') return 'domain.dormant'
  if (to === 'action_required') return 'domain.action_required'
  if (to === 'degraded') return routing === 'drifted' ? 'domain.drift' : 'domain.degraded'
  if (to === 'live') return from === 'degraded' ? 'domain.restored' : 'domain.live'
  return from === 'action_required' || from === 'dormant' ? 'domain.recovered' : false
}
