// Queries that erase an account. Audit events keep its id, and nothing else about the person.

import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { AccountId } from './account-queries.ts'
import { endChanges } from './links/email-change-queries.ts'
import { forgetRequests } from './links/request-queries.ts'

/** Nothing that refers to the account can be inserted until the transaction ends, and then it is gone. */
export const lockForErasure = query<never, [account: AccountId]>(
  'lock-account-for-erasure',
  `select id
   from accounts
   where id = $1
   for update`,
)

const endChallengeRows = statement<never, [account: AccountId]>(
  'end-passkey-challenges',
  `delete from passkey_challenges
   where account_id = $1`,
)
const endLinkRows = statement<never, [account: AccountId]>(
  'end-all-account-links',
  `delete from account_links
   where account_id = $1`,
)
const blurEventRows = statement<never, [account: AccountId]>(
  'blur-account-events',
  `update account_audit
   set device = null, address_group = null
   where account_id = $1`,
)
const eraseAccountRow = statement<never, [account: AccountId]>(
  'erase-account',
  `delete from accounts
   where id = $1`,
)

/** Everything else with which the account can be used must have ended. */
export async function erase(db: Db, account: AccountId): Promise<void> {
  await db(endChallengeRows, account)
  await db(endLinkRows, account)
  await endChanges(db, account)
  await forgetRequests(db, account)
  await db(blurEventRows, account)
  await db(eraseAccountRow, account)
}

const insertFormerRow = statement<never, [id: string, email: string, mail: string]>(
  'insert-former-address',
  `insert into former_addresses (id, email, mail_id)
   values ($1, $2, $3)`,
)

/** Keeps the address for the mail that tells of the deletion. */
export const insertFormer = (db: Db, { id, email, mail }: { id: string; email: string; mail: string }) =>
  db(insertFormerRow, id, email, mail)

export const findFormer = query<{ email: string }, [id: string], string | undefined>(
  'find-former-address',
  `select email
   from former_addresses
   where id = $1`,
  ([row]) => row?.email,
)
