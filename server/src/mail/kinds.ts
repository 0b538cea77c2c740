// Every kind of mail: which queue it waits in, for how long it is worth sending, and how many of
// it a recipient gets. The texts are written by the features that cause the mails.

import type { NotificationTopic } from '@petstore-platform/contract/platform/notifications'

/** An urgent mail never waits behind notifications: it has its own timers and its own connections. */
export const mailQueues = ['urgent', 'bulk'] as const
export type MailQueue = (typeof mailQueues)[number]

export type MailLimit = {
  most: number
  windowSeconds: number
  /** What is counted together; otherwise each kind is counted alone. */
  group?: string
  /** Counted per account by default; per address where the recipient is not an account. */
  by?: 'address'
  /** What is above the limit is summed up every hour; otherwise it is dropped. */
  overflow?: 'digest'
}

export type MailKindSettings = {
  queue: MailQueue
  validSeconds: number
  /** Undefined if it is counted where it is requested. */
  limit: MailLimit | undefined
  /** What the recipient can turn off; undefined if it cannot be turned off. */
  topic?: NotificationTopic | 'invitations'
  /** True if it is sent before other mails of its queue. */
  goesFirst?: true
  /** True if it is sent to an address from which mail came back: it is how the address is proved again. */
  proves?: true
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** A stranger who triggers notices must not be able to fill a mailbox. */
const notice: MailKindSettings = {
  queue: 'urgent',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 5, windowSeconds: HOUR_SECONDS },
}

const notification = (topic: NotificationTopic): MailKindSettings => ({
  queue: 'bulk',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 20, windowSeconds: DAY_SECONDS, group: 'notification', overflow: 'digest' },
  topic,
})

/** About something that changes soon: not worth reading a day later. */
const alert = (topic: NotificationTopic): MailKindSettings => ({ ...notification(topic), validSeconds: DAY_SECONDS })

/** About a domain, to those who must know: grouped by cause, so that the limit is hardly ever reached. */
const owed: MailKindSettings = {
  queue: 'bulk',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 20, windowSeconds: DAY_SECONDS },
}

const toVisitor: MailKindSettings = {
  queue: 'bulk',
  validSeconds: DAY_SECONDS,
  limit: { most: 3, windowSeconds: DAY_SECONDS, group: 'visitor', by: 'address' },
}

export const mailKinds = {
  sign_up: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined, proves: true },
  recovery: { queue: 'urgent', validSeconds: HOUR_SECONDS / 2, limit: undefined },
  // Counted by address, where it is requested.
  sign_in_link: { queue: 'urgent', validSeconds: HOUR_SECONDS / 4, limit: undefined },
  // Counted by address, once a day, where attempts are refused. It is dropped with the request that names the
  // address, which may have no account and so is not kept for longer.
  sign_ins_limited: { queue: 'urgent', validSeconds: HOUR_SECONDS, limit: undefined },
  new_sign_in: notice,
  email_change: { queue: 'urgent', validSeconds: DAY_SECONDS, limit: undefined, proves: true },
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
  invitation: {
    queue: 'bulk',
    validSeconds: 3 * DAY_SECONDS,
    limit: { most: 5, windowSeconds: DAY_SECONDS, by: 'address' },
    topic: 'invitations',
  },
  role_changed: notice,
  member_removed: notice,
  member_joined: notification('members'),
  api_key_created: notice,
  project_deleted: notice,
  plan_requested: { queue: 'bulk', validSeconds: 3 * DAY_SECONDS, limit: undefined },
  order_placed: { ...alert('requests'), goesFirst: true },
  order_waiting: alert('reminders'),
  hold_ended: alert('reminders'),
  order_withdrawn: notification('reminders'),
  order_received: toVisitor,
  order_approved: toVisitor,
  order_declined: toVisitor,
  order_expired: toVisitor,
  visit_arranged: toVisitor,
  order_completed: toVisitor,
  found_a_home: toVisitor,
  // A visitor waits for it, and it is how the address is proved. A stranger must not fill a mailbox with it.
  request_confirm: {
    queue: 'urgent',
    validSeconds: DAY_SECONDS,
    limit: { most: 5, windowSeconds: DAY_SECONDS, by: 'address' },
    proves: true,
  },
  deployment_failed: notification('publishing'),
  import_finished: notification('publishing'),
  domain_live: notification('domains'),
  domain_restored: notification('domains'),
  domain_alert: alert('alerts'),
  domain_reminder: alert('alerts'),
  renewal_failing: owed,
  domain_moved: owed,
  edge_addresses_change: owed,
  digest: { queue: 'bulk', validSeconds: DAY_SECONDS, limit: undefined, topic: 'requests' },
} satisfies Record<string, MailKindSettings>

export type MailKind = keyof typeof mailKinds

export const settingsOf = (kind: MailKind): MailKindSettings => mailKinds[kind]

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(mailKinds, text)

/** The timer that sends the mails of a queue. */
export const timerOf: Readonly<Record<MailQueue, string>> = { urgent: 'mail_urgent', bulk: 'mail' }
