// What all routes of people on `/platform/v1` share: how a person proves who they are, what is recorded and mailed about
// it, and the guards by type of caller.

import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { Context } from '../foundation/context.ts'
import type { Mounting } from '../foundation/http/operation.io.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { AccountLimits } from './account-limits.ts'
import type { AccountId } from './account-queries.ts'
import type { RecordAction } from './audit.io.ts'
import type { EnteredMailKind } from './links/links.io.ts'
import type { Person, Visitor } from './sessions/guard.io.ts'
import type { Attempts } from './sign-in/attempts.io.ts'
import type { Passwords } from './sign-in/password.io.ts'

export type AccountPlatform = Pick<Context, 'database' | 'newId' | 'randomBytes'> & {
  dashboardOrigin: string
  passwords: Passwords
  /** Shared by all ways of signing in. */
  attempts: Attempts
  limits: AccountLimits
  record: RecordAction
  /** Undefined if no mail is sent. */
  queueMail: QueueMail<EnteredMailKind | 'sign_up' | 'email_change' | 'account_deleted'> | undefined
  /** Names and slugs of the projects of an account: no part of a password. */
  projectNamesOf: (account: AccountId) => Promise<readonly string[]>
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}
