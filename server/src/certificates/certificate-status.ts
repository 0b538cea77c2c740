// The certificate status of a hostname, for the requester: derived from what is stored, never
// stored itself. A valid certificate decides; an order that fails next to it is a failing
// renewal, and stops nothing.

import { MINUTE, type Instant } from '../foundation/time.ts'
import type { CertificateOrder } from './lifecycle.ts'
import { classOf, codeOf, detailOf } from './problems.ts'

export type CertificateStatus = {
  generation: bigint
  state: CertificateStatusState
  /** Of the last failure, while no attempt has succeeded since. */
  cause: CertificateStatusCause | null
  /** The certificate that is served, or was until it expired. */
  serial: string | null
  notAfter: Instant | null
  authority: string | null
}

export type CertificateStatusState =
  | 'none'
  | 'queued'
  | 'validating'
  | 'blocked'
  | 'rate_limited'
  | 'issued'
  | 'renewing'
  | 'renewal_failing'
  | 'expired'

export type CertificateStatusCause = {
  /** A code of the list of causes. */
  code: string
  detail: string
  authority: string | null
  /** When it is tried again; null if it waits for different evidence. */
  until: Instant | null
  /** It was not refused: it waits in our own queue. */
  isPaced: boolean
}

/** The certificate of its present generation, if there is one. */
export type ServedCertificate = { serial: string; notAfter: Instant; authority: string }

export function certificateStatusOf(
  generation: bigint,
  order: CertificateOrder | null,
  served: ServedCertificate | null,
  now: Instant,
): CertificateStatus {
  const active = order !== null && order.endedAt === null ? order : null
  return {
    generation,
    state: stateOf(active, served, now),
    cause: active && causeOf(active, now),
    serial: served?.serial ?? null,
    notAfter: served?.notAfter ?? null,
    authority: served?.authority ?? active?.authority ?? null,
  }
}

function stateOf(
  order: CertificateOrder | null,
  served: ServedCertificate | null,
  now: Instant,
): CertificateStatusState {
  const isUnderWay = order !== null && order.state !== 'failed'
  if (served !== null && served.notAfter > now) {
    if (order === null) return 'issued'
    return isUnderWay && order.failures === 0 ? 'renewing' : 'renewal_failing'
  }
  if (order?.state === 'failed')
    return order.problem && classOf(order.problem) === 'limited' ? 'rate_limited' : 'blocked'
  if (order && isQueued(order, now)) return 'rate_limited'
  if (isUnderWay) return order.state === 'authorizing' || order.state === 'finalizing' ? 'validating' : 'queued'
  return served === null ? 'none' : 'expired'
}

/** Our budget at the authority is used up for now, or other orders of the same client come first. */
const isQueued = ({ state, problem, nextAt }: CertificateOrder, now: Instant): boolean =>
  state === 'wanted' && problem === null && nextAt !== null && nextAt > now + MINUTE

function causeOf(order: CertificateOrder, now: Instant): CertificateStatusCause | null {
  const { problem, authority, nextAt: until } = order
  if (problem) return { code: codeOf(problem), detail: detailOf(problem), authority, until, isPaced: false }
  const paced = { code: 'ca.rate_limited_account', detail: '', authority, until, isPaced: true }
  return isQueued(order, now) ? paced : null
}
