// Translates the status of a certificate into a fact of the domain's lifecycle, whose table maps it to the certificate axis.
// Certificates have their own lifecycle and notify only that something changed.

import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { CertificateTrouble } from '../observing/evidence.ts'
import { certificateTransitions, type Fact } from './lifecycle.ts'
import type { CertificateState } from './states.ts'
import { isRouted, type Routed } from './status.ts'

/** None if it changes nothing, or no certificate is wanted. */
export function certificateFacts(current: CertificateState, status: CertificateStatus | undefined): Fact[] {
  if (!status || status.state === 'none') return []
  const kind = `certificate_${status.state}` as const
  return certificateTransitions[current][kind] === current ? [] : [{ kind }]
}

/** The trouble that blocks the certificate, if there is one. */
export const certificateTrouble = (status: CertificateStatus | undefined): CertificateTrouble | null =>
  status?.cause && troubled.has(status.state) ? { ...status.cause, validUntil: status.notAfter } : null

const troubled = new Set<CertificateStatusState>(['blocked', 'rate_limited', 'renewal_failing'])

/** Whether edges may need an update; the certificate may be a new one although its state is the same. */
export const isRerouted = (before: Routed, after: Routed): boolean => isRouted(before) || isRouted(after)
