// Translates the status of a certificate into facts of the domain's lifecycle. Certificates
// have their own lifecycle and notify only that something changed; here the change is mapped to
// the certificate axis by the shortest path that its table allows. So one table defines all
// transitions, and none that it forbids can be skipped.

import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { CertificateTrouble } from '../observing/evidence.ts'
import { certificateAxis, factKinds, type Fact, type FactKind } from './lifecycle.ts'
import type { CertificateState } from './states.ts'
import { isRouted, type Routed } from './status.ts'

type CertificateFact = Extract<Fact, { kind: 'order_placed' | 'certificate_deployed' }>

/** The facts that must have happened since; none if the table has no path, or no certificate is wanted. */
export function certificateFacts(current: CertificateState, status: CertificateStatus | undefined): Fact[] {
  return status ? pathTo(current, targetOf(current, status.state)) : []
}

/** A certificate counts as deployed only after edges have confirmed it; a renewed one needs no new confirmation. */
function targetOf(current: CertificateState, state: CertificateStatusState): CertificateState {
  const isDeployed = current === 'deployed' || current === 'renewing' || current === 'renewal_failing'
  if (state === 'issued') return isDeployed ? 'deployed' : 'issued'
  if (state === 'renewing' || state === 'renewal_failing') return isDeployed ? state : 'issued'
  return state === 'none' ? current : state
}

/** Facts that end a domain are not about its certificate. */
const facts = factKinds.filter((kind) => kind !== 'removal_requested' && kind !== 'proven_by_another')

function pathTo(from: CertificateState, to: CertificateState): Fact[] {
  const paths = new Map<CertificateState, readonly FactKind[]>([[from, []]])
  for (const [state, path] of paths) {
    if (state === to) return path.map((kind) => ({ kind }) as CertificateFact)
    for (const fact of facts) {
      const next = certificateAxis[state][fact]
      if (next !== undefined && !paths.has(next)) paths.set(next, [...path, fact])
    }
  }
  return []
}

/** The trouble that blocks the certificate, if there is one. */
export const certificateTrouble = (status: CertificateStatus | undefined): CertificateTrouble | null =>
  status?.cause && troubled.has(status.state) ? { ...status.cause, validUntil: status.notAfter } : null

const troubled = new Set<CertificateStatusState>(['blocked', 'rate_limited', 'renewal_failing'])

/** Whether edges may need an update; the certificate may be a new one although its state is the same. */
export const isRerouted = (before: Routed, after: Routed): boolean => isRouted(before) || isRouted(after)
