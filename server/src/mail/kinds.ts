// The rules of a kind of mail: which queue it waits in, for how long it is worth sending, and how many of it a recipient
// gets. The features that cause mails list their kinds in `mails.io.ts`.

import type { NotificationTopic } from '@petstore-platform/contract/platform/notifications'

export type MailRules = {
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

/** An urgent mail never waits behind notifications: it has its own timers and its own connections. */
export const mailQueues = ['urgent', 'bulk'] as const
export type MailQueue = (typeof mailQueues)[number]

/** The timer that sends the mails of a queue. */
export const timerOf: Readonly<Record<MailQueue, string>> = { urgent: 'mail_urgent', bulk: 'mail' }

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

export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 24 * HOUR_SECONDS

/** To the person whom it is about. A stranger who triggers notices must not be able to fill a mailbox. */
export const notice: MailRules = {
  queue: 'urgent',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 5, windowSeconds: HOUR_SECONDS },
}

/** To members, who can turn it off. */
export const notification = (topic: NotificationTopic): MailRules => ({
  queue: 'bulk',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 20, windowSeconds: DAY_SECONDS, group: 'notification', overflow: 'digest' },
  topic,
})

/** About something that changes soon: not worth reading a day later. */
export const alert = (topic: NotificationTopic): MailRules => ({ ...notification(topic), validSeconds: DAY_SECONDS })

/** What sums up notifications above the limit. */
export const digest: MailRules = { queue: 'bulk', validSeconds: DAY_SECONDS, limit: undefined, topic: 'requests' }
