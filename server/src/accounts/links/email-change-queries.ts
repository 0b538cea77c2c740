// Queries for changes of an account's address.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
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

const endUnconfirmedRows = statement<never, [account: AccountId]>(
  'end-email-change-requests',
  `delete from email_changes
   where account_id = $1 and confirmed_at is null`,
)

/** Ends what has been requested and not confirmed; its links end with it. */
export const endUnconfirmed = (db: Db, account: AccountId) => db(endUnconfirmedRows, account)

const endChangeRows = statement<never, [account: AccountId]>(
  'end-email-changes',
  `delete from email_changes
   where account_id = $1`,
)

/** Ends all of them: none can be confirmed or undone any more. */
export const endChanges = (db: Db, account: AccountId) => db(endChangeRows, account)

const undoChangeRows = statement<never, [ids: readonly string[]]>(
  'undo-email-changes',
  `delete from email_changes
   where id = any ($1)`,
)

/** With the links that would undo them. */
export const undoChanges = (db: Db, ids: readonly string[]) => db(undoChangeRows, ids)

// An address that the account never had cannot be restored.
const listChangeRows = statement<EmailChangeRow, [account: AccountId, undoDays: number]>(
  'list-email-changes',
  `select ${columns}
   from email_changes
   where account_id = $1 and confirmed_at > now() - make_interval(days => $2)
     and old_email not like '%@moved.invalid'
   order by confirmed_at, requested_at, id`,
)

/** Those that can be undone, oldest first. */
export const listChanges = (db: Db, account: AccountId, undoDays: number) => db(listChangeRows, account, undoDays)

const findChangeRow = statement<EmailChangeRow, [id: string]>(
  'find-email-change',
  `select ${columns}
   from email_changes
   where id = $1`,
)

export const findChange = async (db: Db, id: string): Promise<EmailChangeRow | undefined> =>
  (await db(findChangeRow, id))[0]

const confirmChangeRow = statement<never, [id: string]>(
  'confirm-email-change',
  `update email_changes
   set confirmed_at = now()
   where id = $1`,
)

export const confirmChange = (db: Db, id: string) => db(confirmChangeRow, id)

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
