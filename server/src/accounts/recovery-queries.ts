// Queries for requests to recover an account, for the links that are mailed for them, and for the
// codes that do the same without mail.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../foundation/postgres/revocations.io.ts'
import { endProvedSuppressions } from '../mail/suppression-queries.ts'
import type { AccountId, AccountRow } from './account-queries.ts'
import { endChanges, endRequests } from './email-change-queries.ts'
import { clearFailures, emailDigest } from './sign-in-failure-queries.ts'

const insertRequestRow = statement<never, [id: string, emailKey: string]>(
  'insert-recovery-request',
  `insert into recovery_requests (id, email_key)
   values ($1, $2)`,
)

export const insertRequest = (db: Db, id: string, emailKey: string) => db(insertRequestRow, id, emailKey)

const findRequestedRow = statement<Pick<AccountRow, 'id' | 'email' | 'language'>, [request: string]>(
  'find-requested-account',
  `select accounts.id, email, language
   from recovery_requests
     join accounts using (email_key)
   where recovery_requests.id = $1`,
)

/** The account that a request is about; undefined if its address has none. */
export const findRequested = async (db: Db, request: string) => (await db(findRequestedRow, request))[0]

/**
 * A link sets a new password, ends everything with which the account can be used, confirms a new address, undoes its
 * change, or signs in.
 */
export type LinkPurpose = 'recovery' | 'secure' | 'confirm_email' | 'undo_email' | 'sign_in'

// Of an account that is being deleted meanwhile, nothing is found, and no link is inserted.
const insertLinkRow = statement<
  { digest: Buffer },
  [digest: Buffer, account: AccountId, mail: string, purpose: LinkPurpose, minutes: number, emailChange: string | null]
>(
  'insert-account-link',
  `insert into account_links (digest, account_id, mail_id, purpose, expires_at, email_change_id)
   select $1, id, $3, $4, now() + make_interval(mins => $5), $6
   from accounts
   where id = $2
   for key share
   returning digest`,
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

export type NewLink = {
  digest: Buffer
  account: AccountId
  mail: string
  purpose: LinkPurpose
  minutes: number
  emailChange?: string
}

/** False if the account no longer exists. */
export async function insertLink(
  db: Db,
  { digest, account, mail, purpose, minutes, emailChange }: NewLink,
): Promise<boolean> {
  const inserted = await db(insertLinkRow, digest, account, mail, purpose, minutes, emailChange ?? null)
  await db(limitLinkRows, account, mail, LINKS_PER_MAIL)
  return inserted.length > 0
}

const hasLinkRow = statement<{ account: AccountId }, [digest: Buffer, purpose: LinkPurpose]>(
  'has-account-link',
  `select account_id as account
   from account_links
   where digest = $1 and purpose = $2 and expires_at > now()`,
)

/** The account of a link that works; undefined if it does not. */
export const accountOfLink = async (db: Db, digest: Buffer, purpose: LinkPurpose): Promise<AccountId | undefined> =>
  (await db(hasLinkRow, digest, purpose))[0]?.account

export const hasLink = async (db: Db, digest: Buffer, purpose: LinkPurpose): Promise<boolean> =>
  (await accountOfLink(db, digest, purpose)) !== undefined

export type LinkRow = { account: AccountId; emailChange: string | null }

const takeLinkRow = statement<LinkRow, [digest: Buffer, purpose: LinkPurpose]>(
  'take-account-link',
  `delete from account_links
   where digest = $1 and purpose = $2 and expires_at > now()
   returning account_id as account, email_change_id as "emailChange"`,
)

/** The account of a link, which is consumed: of several requests with it, one gets the account. */
export const takeLink = async (db: Db, digest: Buffer, purpose: LinkPurpose): Promise<LinkRow | undefined> =>
  (await db(takeLinkRow, digest, purpose))[0]

const insertCodeRows = statement<never, [account: AccountId, digests: Buffer[]]>(
  'insert-recovery-codes',
  `insert into recovery_codes (account_id, digest)
   select $1, digest
   from unnest($2::bytea[]) as given (digest)`,
)

const endCodeRows = statement<never, [account: AccountId]>(
  'end-recovery-codes',
  `delete from recovery_codes
   where account_id = $1`,
)

/** Replaces the codes of the account. The account must be locked. */
export async function replaceCodes(db: Db, account: AccountId, digests: readonly Buffer[]): Promise<void> {
  await db(endCodeRows, account)
  await db(insertCodeRows, account, [...digests])
}

const countCodeRow = statement<{ left: number; createdAt: Date | null }, [account: AccountId]>(
  'count-recovery-codes',
  `select count(*)::integer as left, min(created_at) as "createdAt"
   from recovery_codes
   where account_id = $1`,
)

/** How many codes are left, and when they were created. */
export const countCodes = async (db: Db, account: AccountId) =>
  (await db(countCodeRow, account))[0] ?? { left: 0, createdAt: null }

const hasCodeRow = statement<{ account: AccountId }, [emailKey: string, digest: Buffer]>(
  'has-recovery-code',
  `select accounts.id as account
   from accounts
     join recovery_codes on account_id = accounts.id
   where email_key = $1 and digest = $2`,
)

/** The account of the address, if the code is one of its own. */
export const findByCode = async (db: Db, emailKey: string, digest: Buffer): Promise<AccountId | undefined> =>
  (await db(hasCodeRow, emailKey, digest))[0]?.account

const takeCodeRow = statement<{ account: AccountId }, [account: AccountId, digest: Buffer]>(
  'take-recovery-code',
  `delete from recovery_codes
   where account_id = $1 and digest = $2
   returning account_id as account`,
)

/** True if it was still unused; it is consumed. */
export const takeCode = async (db: Db, account: AccountId, digest: Buffer): Promise<boolean> =>
  (await db(takeCodeRow, account, digest)).length > 0

const setRecoveredRow = statement<{ email: string }, [account: AccountId, password: string, isAddressProved: boolean]>(
  'set-recovered-password',
  `update accounts
   set password = $2, verified_at = case when $3 then coalesce(verified_at, now()) else verified_at end
   where id = $1
   returning email`,
)

// A link that only ends or undoes things stays: the person may have to use it because of this very change.
const endOtherLinkRows = statement<never, [account: AccountId]>(
  'end-account-links',
  `delete from account_links
   where account_id = $1 and purpose in ('recovery', 'confirm_email', 'sign_in')`,
)
const endSignInLinkRows = statement<never, [account: AccountId]>(
  'end-sign-in-links',
  `delete from account_links
   where account_id = $1 and purpose = 'sign_in'`,
)

/** The first link that is used ends those that were mailed beside it. */
export const endSignInLinks = (db: Db, account: AccountId) => db(endSignInLinkRows, account)

const endLinkRows = statement<never, [account: AccountId]>(
  'end-all-account-links',
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
const endDeviceRows = statement<never, [account: AccountId]>(
  'end-known-devices',
  `delete from known_devices
   where account_id = $1`,
)

/** Ends what was created while the old password was known: a person who knew it may have done so. */
export async function endTokensAndLinks(db: Db, account: AccountId): Promise<void> {
  await db(endTokenRows, account)
  await notifyRevocation(db)
  await db(endOtherLinkRows, account)
  await endRequests(db, account)
}

/** Sets the password, and ends everything else with which the account can be used. */
export async function recover(
  db: Db,
  account: AccountId,
  { password, isAddressProved }: { password: string; isAddressProved: boolean },
): Promise<void> {
  const [recovered] = await db(setRecoveredRow, account, password, isAddressProved)
  if (recovered && isAddressProved) await endProvedSuppressions(db, recovered.email)
  if (recovered) await clearFailures(db, emailDigest(recovered.email))
  for (const rows of [endTokenRows, endLinkRows, endSessionRows, endPasskeyRows, endDeviceRows, endCodeRows]) {
    await db(rows, account)
  }
  await notifyRevocation(db)
  await endChanges(db, account)
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
