// Queries for mailed links, of which only digests are stored: creating one, using it, and ending them.

import { statement, query, queryFirst, type Db, type Statement } from '../../foundation/postgres/postgres.io.ts'
import type { AccountId } from '../account-queries.ts'
import { emailDigest } from '../sign-in/sign-in-failure-queries.ts'
import { accountLinks, type AccountLinkPurpose } from './purposes.ts'
import { endRequests } from './request-queries.ts'

export type AccountLink = {
  purpose: AccountLinkPurpose
  account: AccountId
  mail: string
  /** The address to which it is mailed; that of the account, unless it is about a change of the address. */
  email: string
  emailChange?: string
}
/** Without a mail, an operator passes the link on. */
type SignUpLink = { purpose: 'sign_up'; request: string; mail: string | null }
/** The invitation must be locked, or new: of one that is being revoked, no link may be left behind. */
type InvitationLink = { purpose: 'invitation'; project: bigint; invitation: string }

export type NewLink = AccountLink | SignUpLink | InvitationLink

// Of an account that is being deleted meanwhile, or given another address, nothing is found, and no link is inserted. The
// lock waits for the transaction that does so.
const insertAccountLinkRow = statement<
  { digest: Buffer },
  [
    digest: Buffer,
    account: AccountId,
    mail: string,
    purpose: AccountLinkPurpose,
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

const insertSignUpLinkRow = statement<never, [digest: Buffer, request: string, mail: string | null]>(
  'insert-sign-up-link',
  `insert into sign_up_links (digest, request_id, mail_id)
   values ($1, $2, $3)`,
)

const insertInvitationLinkRow = statement<never, [digest: Buffer, project: bigint, invitation: string]>(
  'insert-invitation-link',
  `insert into invitation_directory (digest, project_id, invitation_id)
   values ($1, $2, $3)`,
)

/** A mail is sent again when it is unknown whether it has arrived; so the earlier links must work as well. */
const LINKS_KEPT = 3

function keepNewest<Owner extends readonly unknown[]>(
  table: 'account_links' | 'sign_up_links' | 'invitation_directory',
  ...owner: { [Column in keyof Owner]: string }
): Statement<never, Owner> {
  const values = owner.map((_, index) => `$${index + 1}`)
  const isOwned = `(${owner.join(', ')}) = (${values.join(', ')})`
  return {
    name: `keep-newest-${table}`,
    text: `delete from ${table}
     where ${isOwned} and digest not in (
       select digest
       from ${table}
       where ${isOwned}
       order by created_at desc, digest
       limit ${LINKS_KEPT}
     )`,
  }
}

const newestOfMail = keepNewest<[account: AccountId, mail: string]>('account_links', 'account_id', 'mail_id')
const newestOfRequest = keepNewest<[request: string]>('sign_up_links', 'request_id')
const newestOfInvitation = keepNewest<[project: bigint, invitation: string]>(
  'invitation_directory',
  'project_id',
  'invitation_id',
)

/** False if the account no longer exists, or no longer has the address. */
export async function insertLink(db: Db, digest: Buffer, link: NewLink): Promise<boolean> {
  switch (link.purpose) {
    case 'sign_up':
      await db(insertSignUpLinkRow, digest, link.request, link.mail)
      await db(newestOfRequest, link.request)
      return true
    case 'invitation':
      await db(insertInvitationLinkRow, digest, link.project, link.invitation)
      await db(newestOfInvitation, link.project, link.invitation)
      return true
    default:
      return insertAccountLink(db, digest, link)
  }
}

async function insertAccountLink(db: Db, digest: Buffer, link: AccountLink): Promise<boolean> {
  const { account, mail, purpose, email, emailChange = null } = link
  const { minutes } = accountLinks[purpose]
  const values = [digest, account, mail, purpose, minutes, emailChange, emailDigest(email)] as const
  const inserted = await db(insertAccountLinkRow, ...values)
  await db(newestOfMail, account, mail)
  return inserted.length > 0
}

const accountOfLinkRow = statement<{ account: AccountId }, [digest: Buffer, purpose: AccountLinkPurpose]>(
  'account-of-link',
  `select account_id as account
   from account_links
   where digest = $1 and purpose = $2 and expires_at > now()`,
)

/** The account of a link that works; undefined if it does not. */
export const accountOfLink = async (
  db: Db,
  digest: Buffer,
  purpose: AccountLinkPurpose,
): Promise<AccountId | undefined> => (await db(accountOfLinkRow, digest, purpose))[0]?.account

/** `mailedTo`: the address, by digest; null if an earlier release mailed it. */
export type LinkRow = { account: AccountId; emailChange: string | null; mailedTo: Buffer | null }

/** The account of a link, which is consumed: of several requests with it, one gets the account. */
export const takeLink = queryFirst<LinkRow, [digest: Buffer, purpose: AccountLinkPurpose]>(
  'take-account-link',
  `delete from account_links
   where digest = $1 and purpose = $2 and expires_at > now()
   returning account_id as account, email_change_id as "emailChange", address_digest as "mailedTo"`,
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

/** The link of a notice was used: that of others restores the account if it was mailed to one of these addresses. */
export const endNoticeLinks = query<never, [account: AccountId, addresses: readonly Buffer[]]>(
  'end-notice-links',
  `delete from account_links
   where account_id = $1 and purpose = 'secure' and not coalesce(address_digest = any ($2), false)`,
)
