// Where the certificate of a domain stands, as facts of the domain's life. Certificates
// have a life of their own and tell only that something changed; here that is brought
// into the domain's axis by the shortest way that its table allows, so that there is
// one table of what may follow what, and nothing can be skipped that it forbids.

import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { CertificateTrouble } from '../observing/evidence.ts'
import { certificateAxis, factKinds, type Fact, type FactKind } from './lifecycle.ts'
import type { CertificateState } from './states.ts'
import { isRouted, type Routed } from './status.ts'

type CertificateFact = Extract<Fact, { kind: 'order_placed' | 'certificate_deployed' }>

/** What must have happened since; nothing if the table knows no way, or nobody wants a certificate. */
export function certificateFacts(current: CertificateState, standing: CertificateStatus | undefined): Fact[] {
  return standing ? wayTo(current, targetOf(current, standing.state)) : []
}

/** A certificate counts as deployed only when edges have said so; a renewed one needs no more saying. */
function targetOf(current: CertificateState, state: CertificateStatusState): CertificateState {
  const isDeployed = current === 'deployed' || current === 'renewing' || current === 'renewal_failing'
  if (state === 'issued') return isDeployed ? 'deployed' : 'issued'
  if (state === 'renewing' || state === 'renewal_failing') return isDeployed ? state : 'issued'
  return state === 'none' ? current : state
}

/** What ends a domain altogether is no news of its certificate. */
const facts = factKinds.filter((kind) => kind !== 'removal_requested' && kind !== 'proven_by_another')

function wayTo(from: CertificateState, to: CertificateState): Fact[] {
  const ways = new Map<CertificateState, readonly FactKind[]>([[from, []]])
  for (const [state, way] of ways) {
    if (state === to) return way.map((kind) => ({ kind }) as CertificateFact)
    for (const fact of facts) {
      const next = certificateAxis[state][fact]
      if (next !== undefined && !ways.has(next)) ways.set(next, [...way, fact])
    }
  }
  return []
}

/** What stands in the way of it, if something does. */
export const certificateTrouble = (standing: CertificateStatus | undefined): CertificateTrouble | null =>
  standing?.cause && troubled.has(standing.state) ? { ...standing.cause, validUntil: standing.notAfter } : null

const troubled = new Set<CertificateStatusState>(['blocked', 'rate_limited', 'renewal_failing'])

/** Whether edges may have to hear of it; a certificate may be another one although it stands where it stood. */
export const isRerouted = (before: Routed, after: Routed): boolean => isRouted(before) || isRouted(after)
