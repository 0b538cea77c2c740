// The context of the APIs: `serve.ts` builds it once per process.

import type { Attempts } from '../accounts/sign-in/attempts.io.ts'
import type { Passwords } from '../accounts/sign-in/password.io.ts'
import type { AccountGuard } from '../accounts/sessions/guard.io.ts'
import type { ProgramContext } from './context.ts'
import type { DomainDeps } from '../domains/check.io.ts'
import type { AdmissionRules } from '../foundation/load/admission.ts'
import type { HttpOptions } from '../foundation/http/http.io.ts'
import type { SharedLimits } from '../foundation/load/rate-limit.io.ts'
import type { Revocations } from '../foundation/postgres/revocations.io.ts'
import type { Guard } from '../projects/guard.io.ts'
import type { KeyUses } from '../projects/jobs.io.ts'

export type ServiceContext = ProgramContext & {
  guard: Guard
  accountGuard: AccountGuard
  revocations: Pick<Revocations, 'hold'>
  /** False only in a negative control, which shows that a poll per event stream is detected. */
  sharesFeeds?: boolean | undefined
  passwords: Passwords
  /** Attempts to sign in, to sign up and to recover an account, counted across processes. */
  attempts: Attempts
  /** Quotas of requests, added up over all processes. */
  quotas: SharedLimits
  domains: DomainDeps
  keyUses: Pick<KeyUses, 'note'>
  newRequestId: () => string
  /** Others than the usual ones, only in tests and negative controls. */
  admission?: Partial<AdmissionRules> | undefined
  logger?: HttpOptions['logger']
  /** The folder of the bundled API reference; without it `/docs` explains how to build it. */
  referenceAssets: string
  /** The folder of the dashboard; without it its addresses explain how to build it. */
  dashboardAssets: string
}
