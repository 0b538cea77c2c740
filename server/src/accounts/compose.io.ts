// Reads the facts of a mail about an account when it is sent, and has its text written.

import { RECOVERY_MINUTES } from '@petstore/contract/platform/recovery'
import { digestOf } from '../foundation/key-format.ts'
import type { Compose } from '../mail/jobs.io.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { findAccount, listTokens, type AccountId } from './account-queries.ts'
import { newSecret } from './guard.io.ts'
import { noticeOf, recoveryMail, type NoticeKind } from './mails.ts'
import { listPasskeys } from './passkey-queries.ts'
import { findRequested, insertLink } from './recovery-queries.ts'

export type AccountMailDeps = {
  run: Db
  dashboardOrigin: string
  randomBytes: (count: number) => Uint8Array
}

export function accountComposers({
  run,
  dashboardOrigin,
  randomBytes,
}: AccountMailDeps): Readonly<Record<NoticeKind | 'recovery', Compose>> {
  const notice =
    (kind: NoticeKind): Compose =>
    async (row) => {
      const account = await findAccount(run, row.recipient as AccountId)
      if (!account) return undefined
      const facts = {
        at: row.queuedAt,
        label: await labelOf(run, account.id, row),
        accountUrl: `${dashboardOrigin}/account`,
      }
      return { to: account.email, mail: noticeOf(kind, facts) }
    }
  const recovery: Compose = async (row) => {
    const account = await findRequested(run, row.recipient)
    if (!account) return undefined
    const secret = newSecret(randomBytes)
    const minutes = RECOVERY_MINUTES
    await insertLink(run, { digest: digestOf(secret), account: account.id, mail: row.id, minutes })
    // Behind the #, a secret reaches neither logs nor other sites.
    return { to: account.email, mail: recoveryMail({ url: `${dashboardOrigin}/recovery#${secret}`, minutes }) }
  }
  return {
    recovery,
    password_changed: notice('password_changed'),
    password_reset: notice('password_reset'),
    passkey_added: notice('passkey_added'),
    passkey_removed: notice('passkey_removed'),
    access_token_created: notice('access_token_created'),
    access_token_revoked: notice('access_token_revoked'),
  }
}

/** Undefined if it was removed in the meantime: what is gone has no name any more. */
async function labelOf(run: Db, account: AccountId, { subject }: MailRow): Promise<string | undefined> {
  const { passkey, token } = subject
  if (passkey !== undefined) return (await listPasskeys(run, account)).find(({ id }) => id === passkey)?.label
  if (token !== undefined) return (await listTokens(run, account)).find(({ id }) => id === token)?.label
  return undefined
}
