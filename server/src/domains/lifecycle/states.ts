// The state of a domain: its axes, and what its lifecycle stores next to them. The table over
// the axes is in `lifecycle.ts`.

import type { Instant } from '../../foundation/time.ts'
import type { Severity } from '../causes/cause.ts'
import type { CauseCode } from '../causes/causes.ts'

export type LifecycleState = {
  id: string
  ownership: OwnershipState
  proof: 'cname' | 'txt' | null
  routing: RoutingState
  certificate: CertificateState
  rest: 'dormant' | 'paused' | null
  /** Which of the last three checks while served found it elsewhere; see the table `domains`. */
  driftChecks: number
  driftSince: Instant | null
  addedAt: Instant
  askedAt: Instant
  watchedUntil: Instant | null
  checkedAt: Instant | null
  cause: CauseCode | null
  severity: Exclude<Severity, 'informs'> | null
  causeUntil: Instant | null
  nextCheckAt: Instant | null
  liveAt: Instant | null
  removedAt: Instant | null
}

export type OwnershipState = 'unproven' | 'proven' | 'contested' | 'lost' | 'released'

export type RoutingState =
  | 'unknown'
  | 'missing'
  | 'wrong'
  | 'conflict'
  | 'propagating'
  | 'pointing'
  | 'drifted'
  | 'unreachable'

export type CertificateState =
  | 'none'
  | 'blocked'
  | 'queued'
  | 'validating'
  | 'issued'
  | 'deployed'
  | 'renewing'
  | 'renewal_failing'
  | 'expired'
  | 'rate_limited'

export type RestState = 'awake' | 'dormant' | 'paused'
