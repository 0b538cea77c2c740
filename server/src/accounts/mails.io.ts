// The kinds of mail about an account, and what they read when they are sent.

import { CONFIRM_HOURS, UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import { SIGN_UP_HOURS, type SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import { languages, type Language } from '@petstore-platform/contract/platform/site'
import { DAY_SECONDS, HOUR_SECONDS, notice } from '../mail/kinds.ts'
import type { Compose, MailKind, MailKinds } from '../mail/mail-kind.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY } from '../foundation/time.ts'
import { noticeKinds, type NoticeKind } from './account-actions.ts'
import { findAccount, findCredentials, listTokens, type AccountId, type AccountRow } from './account-queries.ts'
import { findEvent } from './audit-queries.ts'
import { findFormer } from './deletion-queries.ts'
import { findChange } from './links/email-change-queries.ts'
import { accountMails, knownAddressMail, noticeMails } from './mails.ts'
import { listPasskeys } from './passkeys/passkey-queries.ts'
import { createLink } from './links/links.io.ts'
import { accountLinks, linkUrl, type AccountLinkPurpose } from './links/purposes.ts'
import { findReplaced, findRequested } from './links/request-queries.ts'
import { findSignUpRequest, isMoved } from './links/sign-up-queries.ts'

export type AccountMailContext = {
  run: Db
  dashboardOrigin: string
  randomBytes: (count: number) => Uint8Array
  mode: SignUpMode
  /** Whether an invitation to a project is open for the address. */
  isInvited: (email: string) => Promise<boolean>
}

export const accountMailKinds = {
  sign_up: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined, proves: true, compose: signUp },
  recovery: { queue: 'urgent', validSeconds: HOUR_SECONDS / 2, limit: undefined, compose: recovery },
  // Counted by address, where it is requested.
  sign_in_link: {
    queue: 'urgent',
    validSeconds: HOUR_SECONDS / 4,
    limit: undefined,
    compose: requestedLink('sign_in', accountMails.sign_in_link),
  },
  // Counted by address, once a day, where attempts are refused. It is dropped with the request that names the
  // address, which may have no account and so is not kept for longer.
  sign_ins_limited: { queue: 'urgent', validSeconds: HOUR_SECONDS, limit: undefined, compose: signInsLimited },
  email_change: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined, proves: true, compose: emailChange },
  email_changed: { ...notice, compose: (context) => (row) => emailChanged(context, row, row.recipient) },
  account_deleted: { ...notice, compose: accountDeleted },
  ...everyNotice(),
} satisfies MailKinds<AccountMailContext>

function everyNotice() {
  const kinds = noticeKinds.map((kind) => [kind, { ...notice, compose: noticeOf(kind) }])
  return Object.fromEntries(kinds) as Record<NoticeKind, MailKind<AccountMailContext>>
}

function noticeOf(kind: NoticeKind) {
  return (context: AccountMailContext): Compose =>
    async (row) => {
      const { run } = context
      const account = await findAccount(run, row.recipient as AccountId)
      if (!account || isMoved(account.email)) return undefined
      const event = await findEvent(run, account.id, row.subject['event'] ?? '0')
      const secureUrl = await linkOf(context, row, account, 'secure')
      if (secureUrl === undefined) return undefined
      const facts = {
        language: account.language,
        at: event?.at ?? row.queuedAt,
        device: event?.device ?? undefined,
        label: await labelOf(run, account.id, row),
        secureUrl,
      }
      return { to: account.email, mail: noticeMails[kind](facts) }
    }
}

/** A mail with a link that was requested by entering the address. */
function requestedLink(purpose: 'recovery' | 'sign_in', mailOf: (typeof accountMails)['recovery']) {
  return (context: AccountMailContext): Compose =>
    async (row) => {
      const account = await findRequested(context.run, row.recipient)
      const url = account && (await linkOf(context, row, account, purpose))
      if (!account || url === undefined) return undefined
      const { minutes } = accountLinks[purpose]
      return { to: account.email, mail: mailOf({ language: account.language, url, minutes }) }
    }
}

/** At an address that the account had until a few days ago, the owner is offered to take it back. */
function recovery(context: AccountMailContext): Compose {
  const requested = requestedLink('recovery', accountMails.recovery)(context)
  return async (row, rules) =>
    (await requested(row, rules)) ?? emailChanged(context, row, await findReplaced(context.run, row.recipient))
}

function emailChange(context: AccountMailContext): Compose {
  const { run } = context
  return async (row) => {
    const change = await findChange(run, row.recipient)
    if (!change || change.confirmedAt) return undefined
    const holder = await findCredentials(run, change.newEmail)
    // No mail reveals that another account has the address, not even one to that address.
    if (holder?.isVerified && holder.id !== change.account) return undefined
    const url = await linkOf(context, row, { id: change.account, email: change.newEmail }, 'confirm_email', change.id)
    if (url === undefined) return undefined
    return {
      to: change.newEmail,
      mail: accountMails.email_change({
        language: await languageOf(run, change.account),
        url,
        isNew: holder?.id !== change.account,
        hours: CONFIRM_HOURS,
      }),
    }
  }
}

async function emailChanged(context: AccountMailContext, row: MailRow, id: string | undefined) {
  const { run } = context
  const change = id === undefined ? undefined : await findChange(run, id)
  if (!change?.confirmedAt) return undefined
  const url = await linkOf(context, row, { id: change.account, email: change.oldEmail }, 'undo_email', change.id)
  if (url === undefined) return undefined
  const language = await languageOf(run, change.account)
  const at = change.confirmedAt
  return { to: change.oldEmail, mail: accountMails.email_changed({ language, url, at, days: daysLeft(at) }) }
}

function accountDeleted({ run }: AccountMailContext): Compose {
  return async (row) => {
    const to = await findFormer(run, row.recipient)
    const language = languages.find((known) => known === row.subject['language']) ?? FOR_STRANGERS
    return to === undefined ? undefined : { to, mail: accountMails.account_deleted({ language, at: row.queuedAt }) }
  }
}

function signInsLimited({ run, dashboardOrigin }: AccountMailContext): Compose {
  return async (row) => {
    const account = await findRequested(run, row.recipient)
    if (!account) return undefined
    const facts = { language: account.language, at: row.queuedAt, url: `${dashboardOrigin}/account` }
    return { to: account.email, mail: accountMails.sign_ins_limited(facts) }
  }
}

function signUp({ run, dashboardOrigin, randomBytes, mode, isInvited }: AccountMailContext): Compose {
  return async (row) => {
    const request = await findSignUpRequest(run, row.recipient)
    if (!request) return undefined
    const holder = await findCredentials(run, request.email)
    const language = holder?.language ?? FOR_STRANGERS
    if (holder?.isVerified) return { to: holder.email, mail: knownAddressMail({ language, dashboardOrigin }) }
    if (mode === 'closed') return undefined
    if (mode === 'invited' && !request.isInvited && !(await isInvited(request.email))) return undefined
    const secret = await createLink(run, randomBytes, { purpose: 'sign_up', request: request.id, mail: row.id })
    const url = linkUrl(dashboardOrigin, 'sign_up', secret)
    const facts = { url, hours: SIGN_UP_HOURS, isKnown: holder !== undefined }
    const recoveryUrl = `${dashboardOrigin}/recovery`
    return { to: request.email, mail: accountMails.sign_up({ language, ...facts, recoveryUrl }) }
  }
}

/** For an address without an account: nothing is known about the person. */
const FOR_STRANGERS: Language = 'en'

const languageOf = async (run: Db, account: AccountId) => (await findAccount(run, account))?.language ?? FOR_STRANGERS

type Recipient = Pick<AccountRow, 'id' | 'email'>

/** A new link; undefined if the account no longer exists, or has another address now. */
async function linkOf(
  { run, dashboardOrigin, randomBytes }: AccountMailContext,
  row: MailRow,
  to: Recipient,
  purpose: AccountLinkPurpose,
  emailChange?: string,
) {
  const about = { email: to.email, ...(emailChange !== undefined && { emailChange }) }
  const secret = await createLink(run, randomBytes, { purpose, account: to.id, mail: row.id, ...about })
  return secret && linkUrl(dashboardOrigin, purpose, secret)
}

/** For how many days a change can still be undone, the last one included. */
const daysLeft = (changedAt: Date): number =>
  Math.max(1, UNDO_DAYS - Math.floor((Date.now() - changedAt.getTime()) / DAY))

/** Undefined if it was removed in the meantime: what is gone has no name any more. */
async function labelOf(run: Db, account: AccountId, { subject }: MailRow): Promise<string | undefined> {
  const { passkey, token } = subject
  if (passkey !== undefined) return (await listPasskeys(run, account)).find(({ id }) => id === passkey)?.label
  if (token !== undefined) return (await listTokens(run, account)).find(({ id }) => id === token)?.label
  return undefined
}
