// Queries for requests to recover an account, and for the links that are mailed for them.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { AccountId, AccountRow } from './account-queries.ts'

const insertRequestRow = statement<never, [id: string, emailKey: string]>(
  'insert-recovery-request',
  `insert into recovery_requests (id, email_key)
   values ($1, $2)`,
)

export const insertRequest = (db: Db, id: string, emailKey: string) => db(insertRequestRow, id, emailKey)

const findRequestedRow = statement<Pick<AccountRow, 'id' | 'email'>, [request: string]>(
  'find-requested-account',
  `select accounts.id, email
   from recovery_requests
     join accounts using (email_key)
   where recovery_requests.id = $1`,
)

/** The account that a request is about; undefined if its address has none. */
export const findRequested = async (db: Db, request: string) => (await db(findRequestedRow, request))[0]

const insertLinkRow = statement<never, [digest: Buffer, account: AccountId, mail: string, minutes: number]>(
  'insert-account-link',
  `insert into account_links (digest, account_id, mail_id, expires_at)
   values ($1, $2, $3, now() + make_interval(mins => $4))`,
)

// A mail is sent again when it is unknown whether it has arrived; so the earlier links must work as well.
const limitLinkRows = statement<never, [account: AccountId, mail: string, most: number]>(
  'limit-account-links',
  `delete from account_links
   where account_id = $1 and mail_id = $2 and digest not in (
     select digest
     from account_links
     where account_id = $1 and mail_id = $2
     order by created_at desc, digest
     limit $3
   )`,
)

const LINKS_PER_MAIL = 3

export type NewLink = { digest: Buffer; account: AccountId; mail: string; minutes: number }

export async function insertLink(db: Db, { digest, account, mail, minutes }: NewLink): Promise<void> {
  await db(insertLinkRow, digest, account, mail, minutes)
  await db(limitLinkRows, account, mail, LINKS_PER_MAIL)
}

const hasLinkRow = statement<{ account: AccountId }, [digest: Buffer]>(
  'has-account-link',
  `select account_id as account
   from account_links
   where digest = $1 and expires_at > now()`,
)

export const hasLink = async (db: Db, digest: Buffer): Promise<boolean> => (await db(hasLinkRow, digest)).length > 0

const takeLinkRow = statement<{ account: AccountId }, [digest: Buffer]>(
  'take-account-link',
  `delete from account_links
   where digest = $1 and expires_at > now()
   returning account_id as account`,
)

/** The account of a link, which is consumed: of several requests with it, one gets the account. */
export const takeLink = async (db: Db, digest: Buffer): Promise<AccountId | undefined> =>
  (await db(takeLinkRow, digest))[0]?.account

const recoverRow = statement<never, [account: AccountId, password: string]>(
  'recover-account',
  `update accounts
   set password = $2, verified_at = coalesce(verified_at, now())
   where id = $1`,
)
const endLinkRows = statement<never, [account: AccountId]>(
  'end-account-links',
  `delete from account_links
   where account_id = $1`,
)
const endTokenRows = statement<never, [account: AccountId]>(
  'end-access-tokens',
  `delete from access_tokens
   where account_id = $1`,
)
const endPasskeyRows = statement<never, [account: AccountId]>(
  'end-passkeys',
  `delete from passkeys
   where account_id = $1`,
)
const endSessionRows = statement<never, [account: AccountId]>(
  'end-sessions',
  `delete from sessions
   where account_id = $1`,
)

/** Ends what was created while the old password was known: a person who knew it may have done so. */
export async function endTokensAndLinks(db: Db, account: AccountId): Promise<void> {
  await db(endTokenRows, account)
  await db(endLinkRows, account)
}

/** Sets the password, and ends everything else with which the account can be used. */
export async function recover(db: Db, account: AccountId, password: string): Promise<void> {
  await db(recoverRow, account, password)
  await endTokensAndLinks(db, account)
  await db(endSessionRows, account)
  await db(endPasskeyRows, account)
}

const sweepRequestRows = statement<never, []>(
  'sweep-recovery-requests',
  `delete from recovery_requests
   where id in (
     select id
     from recovery_requests
     where created_at < now() - interval '1 hour'
     limit 10000
     for update skip locked
   )`,
)
const sweepLinkRows = statement<never, []>(
  'sweep-account-links',
  `delete from account_links
   where digest in (
     select digest
     from account_links
     where expires_at < now()
     limit 10000
     for update skip locked
   )`,
)

/** Deletes requests whose mail is too old to be sent, and expired links; a bounded number at a time. */
export async function sweepRecovery(db: Db): Promise<void> {
  await db(sweepRequestRows)
  await db(sweepLinkRows)
}
