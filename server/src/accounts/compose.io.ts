// Reads the facts of a mail about an account when it is sent, and has its text written.

import type { Compose } from '../mail/jobs.io.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { findAccount, listTokens, type AccountId } from './account-queries.ts'
import { noticeOf, type AccountMailKind } from './mails.ts'
import { listPasskeys } from './passkey-queries.ts'

export type AccountMailDeps = { run: Db; dashboardOrigin: string }

export function accountComposers({
  run,
  dashboardOrigin,
}: AccountMailDeps): Readonly<Record<AccountMailKind, Compose>> {
  const notice =
    (kind: AccountMailKind): Compose =>
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
  return {
    password_changed: notice('password_changed'),
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
