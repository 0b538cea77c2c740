// Derives history entries about a domain's certificate: issued, renewed, expired, and refused
// with a cause. The entries depend on the certificate's status and on what was reported last,
// never on the states in between: a renewal may begin and end between two checks. So each
// certificate is reported once, and a refusal again only if its cause has changed, or after a
// certificate was issued in between.

import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { Instant } from '../../foundation/time.ts'
import { causes, type CauseCode } from '../causes/causes.ts'
import type { DomainEvent } from './history-events.ts'
import type { CertificateState } from './states.ts'

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
