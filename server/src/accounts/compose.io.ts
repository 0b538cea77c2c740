// Reads the facts of a mail about an account when it is sent, and has its text written.

import { CONFIRM_HOURS, UNDO_DAYS } from '@petstore-platform/contract/platform/email-change'
import { SIGN_UP_HOURS, type SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import { languages, type Language } from '@petstore-platform/contract/platform/site'
import type { Compose } from '../mail/jobs.io.ts'
import type { MailRow } from '../mail/outbox-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { DAY } from '../foundation/time.ts'
import type { NoticeKind } from './account-actions.ts'
import { findAccount, findCredentials, listTokens, type AccountId, type AccountRow } from './account-queries.ts'
import { findEvent } from './audit-queries.ts'
import { findFormer } from './deletion-queries.ts'
import { findChange } from './links/email-change-queries.ts'
import {
  accountDeletedMail,
  emailChangedMail,
  emailChangeMail,
  knownAddressMail,
  noticeOf,
  recoveryMail,
  signInLinkMail,
  signInsLimitedMail,
  signUpMail,
} from './mails.ts'
import { listPasskeys } from './passkeys/passkey-queries.ts'
import { createLink } from './links/links.io.ts'
import { accountLinks, linkUrl, type AccountLinkPurpose } from './links/purposes.ts'
import { findReplaced, findRequested } from './links/request-queries.ts'
import { findSignUpRequest, isMoved } from './links/sign-up-queries.ts'

type AccountMailKind =
  | NoticeKind
  | 'sign_up'
  | 'recovery'
  | 'sign_in_link'
  | 'sign_ins_limited'
  | 'email_change'
  | 'email_changed'
  | 'account_deleted'

export type AccountMailDeps = {
  run: Db
  dashboardOrigin: string
  randomBytes: (count: number) => Uint8Array
  mode: SignUpMode
  /** Whether an invitation to a project is open for the address. */
  isInvited: (email: string) => Promise<boolean>
}

export function accountComposers(deps: AccountMailDeps): Readonly<Record<AccountMailKind, Compose>> {
  const { run, dashboardOrigin, randomBytes } = deps
  /** A new link; undefined if the account no longer exists, or has another address now. */
  const linkOf = async (row: MailRow, to: Recipient, purpose: AccountLinkPurpose, emailChange?: string) => {
    const about = { email: to.email, ...(emailChange !== undefined && { emailChange }) }
    const secret = await createLink(run, randomBytes, { purpose, account: to.id, mail: row.id, ...about })
    return secret && linkUrl(dashboardOrigin, purpose, secret)
  }
  const languageOf = async (account: AccountId) => (await findAccount(run, account))?.language ?? FOR_STRANGERS
  const notice =
    (kind: NoticeKind): Compose =>
    async (row) => {
      const account = await findAccount(run, row.recipient as AccountId)
      if (!account || isMoved(account.email)) return undefined
      const event = await findEvent(run, account.id, row.subject['event'] ?? '0')
      const secureUrl = await linkOf(row, account, 'secure')
      if (secureUrl === undefined) return undefined
      const facts = {
        language: account.language,
        at: event?.at ?? row.queuedAt,
        device: event?.device ?? undefined,
        label: await labelOf(run, account.id, row),
        secureUrl,
      }
      return { to: account.email, mail: noticeOf(kind, facts) }
    }
  /** A mail with a link that was requested by entering the address. */
  const requestedLink =
    (purpose: 'recovery' | 'sign_in', mailOf: typeof recoveryMail): Compose =>
    async (row) => {
      const account = await findRequested(run, row.recipient)
      const url = account && (await linkOf(row, account, purpose))
      if (!account || url === undefined) return undefined
      return {
        to: account.email,
        mail: mailOf({ language: account.language, url, minutes: accountLinks[purpose].minutes }),
      }
    }
  const emailChange: Compose = async (row) => {
    const change = await findChange(run, row.recipient)
    if (!change || change.confirmedAt) return undefined
    const holder = await findCredentials(run, change.newEmail)
    // No mail reveals that another account has the address, not even one to that address.
    if (holder?.isVerified && holder.id !== change.account) return undefined
    const url = await linkOf(row, { id: change.account, email: change.newEmail }, 'confirm_email', change.id)
    if (url === undefined) return undefined
    return {
      to: change.newEmail,
      mail: emailChangeMail({
        language: await languageOf(change.account),
        url,
        isNew: holder?.id !== change.account,
        hours: CONFIRM_HOURS,
      }),
    }
  }
  const changed = async (row: MailRow, id: string | undefined) => {
    const change = id === undefined ? undefined : await findChange(run, id)
    if (!change?.confirmedAt) return undefined
    const url = await linkOf(row, { id: change.account, email: change.oldEmail }, 'undo_email', change.id)
    if (url === undefined) return undefined
    const language = await languageOf(change.account)
    const at = change.confirmedAt
    return { to: change.oldEmail, mail: emailChangedMail({ language, url, at, days: daysLeft(at) }) }
  }
  const recovery = requestedLink('recovery', recoveryMail)
  const accountDeleted: Compose = async (row) => {
    const to = await findFormer(run, row.recipient)
    const language = languages.find((known) => known === row.subject['language']) ?? FOR_STRANGERS
    return to === undefined ? undefined : { to, mail: accountDeletedMail({ language, at: row.queuedAt }) }
  }
  return {
    // At an address that the account had until a few days ago, the owner is offered to take it back.
    recovery: async (row) => (await recovery(row)) ?? changed(row, await findReplaced(run, row.recipient)),
    sign_in_link: requestedLink('sign_in', signInLinkMail),
    sign_ins_limited: signInsLimitedComposer(deps),
    sign_up: signUpComposer(deps),
    email_change: emailChange,
    email_changed: (row) => changed(row, row.recipient),
    account_deleted: accountDeleted,
    ...everyNotice(notice),
  }
}

/** For an address without an account: nothing is known about the person. */
const FOR_STRANGERS: Language = 'en'

const signInsLimitedComposer =
  ({ run, dashboardOrigin }: AccountMailDeps): Compose =>
  async (row) => {
    const account = await findRequested(run, row.recipient)
    if (!account) return undefined
    const facts = { language: account.language, at: row.queuedAt, url: `${dashboardOrigin}/account` }
    return { to: account.email, mail: signInsLimitedMail(facts) }
  }

const signUpComposer =
  ({ run, dashboardOrigin, randomBytes, mode, isInvited }: AccountMailDeps): Compose =>
  async (row) => {
    const request = await findSignUpRequest(run, row.recipient)
    if (!request) return undefined
    const holder = await findCredentials(run, request.email)
    const language = holder?.language ?? FOR_STRANGERS
    if (holder?.isVerified) return { to: holder.email, mail: knownAddressMail({ language, dashboardOrigin }) }
    if (mode === 'closed') return undefined
    if (mode === 'invited' && !request.isInvited && !(await isInvited(request.email))) return undefined
    const secret = await createLink(run, randomBytes, { purpose: 'sign_up', request: request.id, mail: row.id })
    const facts = {
      url: linkUrl(dashboardOrigin, 'sign_up', secret),
      hours: SIGN_UP_HOURS,
      isKnown: holder !== undefined,
    }
    return { to: request.email, mail: signUpMail({ language, ...facts, recoveryUrl: `${dashboardOrigin}/recovery` }) }
  }

const everyNotice = (notice: (kind: NoticeKind) => Compose): Record<NoticeKind, Compose> => ({
  new_sign_in: notice('new_sign_in'),
  email_verified: notice('email_verified'),
  recovery_link_created: notice('recovery_link_created'),
  recovery_codes_created: notice('recovery_codes_created'),
  recovery_code_used: notice('recovery_code_used'),
  password_changed: notice('password_changed'),
  password_reset: notice('password_reset'),
  passkey_added: notice('passkey_added'),
  passkey_removed: notice('passkey_removed'),
  access_token_created: notice('access_token_created'),
  access_token_revoked: notice('access_token_revoked'),
})

type Recipient = Pick<AccountRow, 'id' | 'email'>

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
