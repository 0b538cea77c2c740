// Every kind of mail: which queue it waits in, for how long it is worth sending, and how many of
// it a recipient gets. The texts are written by the features that cause the mails.

/** An urgent mail never waits behind notifications: it has its own timers and its own connections. */
export const mailQueues = ['urgent', 'bulk'] as const
export type MailQueue = (typeof mailQueues)[number]

export type MailLimit = { most: number; windowSeconds: number }

type MailKindSettings = {
  queue: MailQueue
  validSeconds: number
  /** Undefined if it is counted where it is requested. */
  limit: MailLimit | undefined
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** A stranger who triggers notices must not be able to fill a mailbox. */
const notice: MailKindSettings = {
  queue: 'urgent',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 5, windowSeconds: HOUR_SECONDS },
}

export const mailKinds = {
  sign_up: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined },
  recovery: { queue: 'urgent', validSeconds: HOUR_SECONDS / 2, limit: undefined },
  new_sign_in: notice,
  email_change: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined },
  email_changed: notice,
  email_verified: notice,
  password_changed: notice,
  password_reset: notice,
  recovery_link_created: notice,
  recovery_codes_created: notice,
  recovery_code_used: notice,
  passkey_added: notice,
  passkey_removed: notice,
  access_token_created: notice,
  access_token_revoked: notice,
  account_deleted: notice,
} as const satisfies Record<string, MailKindSettings>

export type MailKind = keyof typeof mailKinds

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(mailKinds, text)

/** The timer that sends the mails of a queue. */
export const timerOf: Readonly<Record<MailQueue, string>> = { urgent: 'mail_urgent', bulk: 'mail' }
