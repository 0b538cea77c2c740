// Queries for mailed links, for the codes that recover an account without mail, and for what ends with a recovery.

import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import { notifyRevocation } from '../../foundation/postgres/revocations.io.ts'
import { endProvedSuppressions } from '../../mail/suppression-queries.ts'
import type { AccountId } from '../account-queries.ts'
import { endUnconfirmed } from './email-change-queries.ts'
import { endRequests } from './request-queries.ts'
import { clearFailures, emailDigest } from '../sign-in/sign-in-failure-queries.ts'

/**
 * A link sets a new password, ends everything with which the account can be used, confirms a new address, undoes its
 * change, or signs in.
 */
export type LinkPurpose = 'recovery' | 'secure' | 'confirm_email' | 'undo_email' | 'sign_in'

// Of an account that is being deleted meanwhile, or given another address, nothing is found, and no link is inserted. The
// lock waits for the transaction that does so.
const insertLinkRow = statement<
  { digest: Buffer },
  [
    digest: Buffer,
    account: AccountId,
    mail: string,
    purpose: LinkPurpose,
    minutes: number,
    emailChange: string | null,
    mailedTo: Buffer,
  ]
>(
  'insert-account-link',
  `insert into account_links (digest, account_id, mail_id, purpose, expires_at, email_change_id, address_digest)
   select $1, id, $3, $4, now() + make_interval(mins => $5), $6, $7
   from accounts
   where id = $2 and ($6::text is not null or sha256(convert_to(email_key, 'UTF8')) = $7)
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
  /** The address to which it is mailed; that of the account, unless it is about a change of the address. */
  email: string
  emailChange?: string
}

/** False if the account no longer exists, or no longer has the address. */
export async function insertLink(
  db: Db,
  { digest, account, mail, purpose, minutes, email, emailChange }: NewLink,
): Promise<boolean> {
  const about = emailChange ?? null
  const inserted = await db(insertLinkRow, digest, account, mail, purpose, minutes, about, emailDigest(email))
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

/** `mailedTo`: the address, by digest; null if an earlier release mailed it. */
export type LinkRow = { account: AccountId; emailChange: string | null; mailedTo: Buffer | null }

const takeLinkRow = statement<LinkRow, [digest: Buffer, purpose: LinkPurpose]>(
  'take-account-link',
  `delete from account_links
   where digest = $1 and purpose = $2 and expires_at > now()
   returning account_id as account, email_change_id as "emailChange", address_digest as "mailedTo"`,
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

const endAccessLinkRows = statement<never, [account: AccountId]>(
  'end-account-links',
  `delete from account_links
   where account_id = $1 and purpose in ('recovery', 'confirm_email', 'sign_in')`,
)

/**
 * Ends the links that give access, and lets others be requested. Those that only restore the account stay: its owner may
 * have to use one because of the very change that ends these.
 */
export async function endAccessLinks(db: Db, account: AccountId): Promise<void> {
  await db(endAccessLinkRows, account)
  await endRequests(db, account)
}

const endSignInLinkRows = statement<never, [account: AccountId]>(
  'end-sign-in-links',
  `delete from account_links
   where account_id = $1 and purpose = 'sign_in'`,
)

/** The first link that is used ends those that were mailed beside it. */
export async function endSignInLinks(db: Db, account: AccountId): Promise<void> {
  await db(endSignInLinkRows, account)
  await endRequests(db, account, ['sign_in'])
}

const endNoticeLinkRows = statement<never, [account: AccountId, addresses: readonly Buffer[]]>(
  'end-notice-links',
  `delete from account_links
   where account_id = $1 and purpose = 'secure' and not coalesce(address_digest = any ($2), false)`,
)

/** The link of a notice was used: that of others restores the account if it was mailed to one of these addresses. */
export const endNoticeLinks = (db: Db, account: AccountId, addresses: readonly Buffer[]) =>
  db(endNoticeLinkRows, account, addresses)

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
  await endAccessLinks(db, account)
  await endUnconfirmed(db, account)
}

/**
 * Sets the password, and ends everything else with which the account can be used. What only restores it stays: a thief
 * may be the one who recovers it.
 */
export async function recover(
  db: Db,
  account: AccountId,
  { password, isAddressProved }: { password: string; isAddressProved: boolean },
): Promise<void> {
  const [recovered] = await db(setRecoveredRow, account, password, isAddressProved)
  if (recovered && isAddressProved) await endProvedSuppressions(db, recovered.email)
  if (recovered) await clearFailures(db, emailDigest(recovered.email))
  for (const rows of [endSessionRows, endPasskeyRows, endDeviceRows, endCodeRows]) await db(rows, account)
  await endTokensAndLinks(db, account)
}

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

/** Deletes expired links, a bounded number at a time. */
export const sweepLinks = (db: Db) => db(sweepLinkRows)
