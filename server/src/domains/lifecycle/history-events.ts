// Derives history entries from two successive lifecycle states: one for each thing that
// happened. No change, no entry: checks that find what the last one found leave none, however
// many there are.

import type { DomainEventKind } from '@petstore-platform/contract/platform/domain-shapes'
import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { Instant } from '../../foundation/time.ts'
import { causes, type CauseCode } from '../causes/causes.ts'
import type { LifecycleState, CertificateState } from './states.ts'
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

// Derives history entries about a domain's certificate: issued, renewed, expired, and refused
// with a cause. The entries depend on the certificate's status and on what was reported last,
// never on the states in between: a renewal may begin and end between two checks. So each
// certificate is reported once, and a refusal again only if its cause has changed, or after a
// certificate was issued in between.

/** What was reported last. */
export type Reported = {
  reportedSerial: string | null
  wasExpiryReported: boolean
  reportedRefusal: string | null
}

export const nothingReported: Reported = { reportedSerial: null, wasExpiryReported: false, reportedRefusal: null }

type CertificateEvent = DomainEvent & { detail: Readonly<Record<string, string>> }
type CertificateEvents = { events: readonly CertificateEvent[]; reported: Reported }

export function certificateEvents(
  { certificate, reportedSerial, wasExpiryReported, reportedRefusal }: Reported & { certificate: CertificateState },
  status: CertificateStatus | undefined,
  now: Instant,
): CertificateEvents {
  const before = { reportedSerial, wasExpiryReported, reportedRefusal }
  if (!status) return { events: [], reported: before }
  const ofServed = servedEvents(certificate, before, status, now)
  const ofRefusal = refusalEvents(ofServed.reported, status)
  return { events: [...ofServed.events, ...ofRefusal.events], reported: ofRefusal.reported }
}

function servedEvents(
  certificate: CertificateState,
  reported: Reported,
  status: CertificateStatus,
  now: Instant,
): CertificateEvents {
  const { serial, notAfter } = status
  if (serial === null || notAfter === null) return { events: [], reported }
  const isNew = serial !== reported.reportedSerial
  if (notAfter <= now) {
    if (!isNew && reported.wasExpiryReported) return { events: [], reported }
    return {
      events: [event('certificate.expired', status)],
      reported: { ...reported, reportedSerial: serial, wasExpiryReported: true },
    }
  }
  if (!isNew) return { events: [], reported }
  const kind =
    reported.reportedSerial !== null && renewable.has(certificate) ? 'certificate.renewed' : 'certificate.issued'
  return { events: [event(kind, status)], reported: { ...nothingReported, reportedSerial: serial } }
}

/** States with a certificate to renew; one that follows an expired certificate counts as issued. */
const renewable = new Set<CertificateState>(['issued', 'deployed', 'renewing', 'renewal_failing'])

function refusalEvents(reported: Reported, status: CertificateStatus): CertificateEvents {
  const { state, cause } = status
  const isRefused = cause !== null && refused.has(state) && !cause.isPaced
  if (!isRefused || cause.code === reported.reportedRefusal) return { events: [], reported }
  const code = isCause(cause.code) ? cause.code : null
  const after = { ...reported, reportedRefusal: cause.code }
  return { events: [event('certificate.refused', { ...status, authority: cause.authority }, code)], reported: after }
}

const refused = new Set<CertificateStatusState>(['blocked', 'rate_limited', 'renewal_failing'])

const isCause = (code: string): code is CauseCode => Object.hasOwn(causes, code)

type Shown = Pick<CertificateStatus, 'authority' | 'notAfter'>

/** Only known details: an authority that was never contacted is left out. */
const event = (
  kind: DomainEvent['kind'],
  { authority, notAfter }: Shown,
  code: CauseCode | null = null,
): CertificateEvent => ({
  kind,
  code,
  detail: {
    ...(authority !== null && { authority }),
    ...(notAfter !== null && { validUntil: new Date(notAfter).toISOString() }),
  },
})
