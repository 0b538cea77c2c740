// Queries for changes of an account's address.

import { statement, query, queryFirst, type Db } from '../../foundation/postgres/postgres.io.ts'
import { endProvedSuppressions } from '../../mail/suppression-queries.ts'
import { keyOf, type AccountId } from '../account-queries.ts'
import { endRequests } from './request-queries.ts'

export type EmailChangeRow = {
  id: string
  account: AccountId
  oldEmail: string
  newEmail: string
  confirmedAt: Date | null
}

const columns = `id, account_id as account, old_email as "oldEmail", new_email as "newEmail",
     confirmed_at as "confirmedAt"`

const insertChangeRow = statement<never, [id: string, account: AccountId, newEmail: string]>(
  'insert-email-change',
  `insert into email_changes (id, account_id, old_email, old_email_key, new_email)
   select $1, id, email, email_key, $3
   from accounts
   where id = $2`,
)

export const insertChange = (db: Db, { id, account, newEmail }: { id: string; account: AccountId; newEmail: string }) =>
  db(insertChangeRow, id, account, newEmail)

/** Ends what has been requested and not confirmed; its links end with it. */
export const endUnconfirmed = query<never, [account: AccountId]>(
  'end-email-change-requests',
  `delete from email_changes
   where account_id = $1 and confirmed_at is null`,
)

/** Ends all of them: none can be confirmed or undone any more. */
export const endChanges = query<never, [account: AccountId]>(
  'end-email-changes',
  `delete from email_changes
   where account_id = $1`,
)

/** With the links that would undo them. */
export const undoChanges = query<never, [ids: readonly string[]]>(
  'undo-email-changes',
  `delete from email_changes
   where id = any ($1)`,
)

// An address that the account never had cannot be restored.
/** Those that can be undone, oldest first. */
export const listChanges = query<EmailChangeRow, [account: AccountId, undoDays: number]>(
  'list-email-changes',
  `select ${columns}
   from email_changes
   where account_id = $1 and confirmed_at > now() - make_interval(days => $2)
     and old_email not like '%@moved.invalid'
   order by confirmed_at, requested_at, id`,
)

export const findChange = queryFirst<EmailChangeRow, [id: string]>(
  'find-email-change',
  `select ${columns}
   from email_changes
   where id = $1`,
)

export const confirmChange = query<never, [id: string]>(
  'confirm-email-change',
  `update email_changes
   set confirmed_at = now()
   where id = $1`,
)

const lockEmailRow = statement<never, [emailKey: string]>(
  'lock-email-address',
  `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
)

const setEmailRow = statement<{ id: AccountId }, [account: AccountId, email: string, emailKey: string]>(
  'set-email-address',
  `update accounts
   set email = $2, email_key = $3, verified_at = now()
   where id = $1 and not exists (
     select 1
     from accounts
     where email_key = $3 and id <> $1
   )
   returning id`,
)

/** Gives the account an address that was proved a moment ago, and gets mail again. False if another account has it. */
export async function setEmail(db: Db, account: AccountId, email: string): Promise<boolean> {
  // So that of two accounts that are given the same address, the second one finds the first.
  await db(lockEmailRow, keyOf(email))
  if ((await db(setEmailRow, account, email, keyOf(email))).length === 0) return false
  await endProvedSuppressions(db, email)
  // Before, the address may have had no account for which a link could be mailed.
  await endRequests(db, account)
  return true
}
