// How a hostname stands with its certificate, for whoever asked: told from what is
// stored, never stored itself. A valid certificate is what counts; an order that fails
// beside it is a renewal that fails, and stops nothing.

import { MINUTE, type Instant } from '../foundation/time.ts'
import type { CertificateOrder } from './lifecycle.ts'
import { classOf, codeOf, detailOf } from './problems.ts'

export type CertificateStatus = {
  generation: bigint
  state: CertificateStatusState
  /** Of the last failure, while nothing has gone well since. */
  cause: CertificateStatusCause | null
  /** What is served, or was until it ended. */
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
  /** Of the list of causes. */
  code: string
  detail: string
  authority: string | null
  /** When it is tried again; null if it waits for other evidence. */
  until: Instant | null
  /** Nobody refused it: it waits for its place in our own line. */
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

/** Our share of what the authority grants is used up for now, or others of the same client are before it. */
const isQueued = ({ state, problem, nextAt }: CertificateOrder, now: Instant): boolean =>
  state === 'wanted' && problem === null && nextAt !== null && nextAt > now + MINUTE

function causeOf(order: CertificateOrder, now: Instant): CertificateStatusCause | null {
  const { problem, authority, nextAt: until } = order
  if (problem) return { code: codeOf(problem), detail: detailOf(problem), authority, until, isPaced: false }
  const paced = { code: 'ca.rate_limited_account', detail: '', authority, until, isPaced: true }
  return isQueued(order, now) ? paced : null
}
