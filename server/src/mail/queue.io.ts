// `queueMail` puts a mail into the outbox, in the transaction that causes it: both happen, or
// neither.

import { clearTimer, setTimer } from '../foundation/postgres/timer-leases.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { digest, timerOf, type MailQueue, type MailRules } from './kinds.ts'
import { endMail, insertMail, type MailRow, type MailSubject } from './outbox-queries.ts'

export type NewMail<Kind extends string> = {
  /** A new one by default. */
  id?: string
  kind: Kind
  /** The id of an account, or of a request of a person who is not signed in. */
  recipient: string
  /** Ids that the text is about. */
  subject?: MailSubject
  /** The project that caused it, if one did. */
  project?: bigint
  /** Seconds until it is sent, in which what it is about may become more. */
  delaySeconds?: number
}

/** Queues mails of the kinds that the caller causes. */
export type QueueMail<Kind extends string> = (db: Db, mail: NewMail<Kind>) => Promise<void>

export const mailQueue =
  <Kind extends string>(kinds: Readonly<Record<Kind, MailRules>>, newId: (kind: string) => string): QueueMail<Kind> =>
  async (db, { id = newId('mail'), kind, recipient, subject = {}, project = 0n, delaySeconds = 0 }) => {
    const { queue, validSeconds, goesFirst } = kinds[kind]
    const row = { project, id, kind, recipient, subject, validSeconds: validSeconds + delaySeconds }
    if (!(await insertMail(db, row))) return
    await setTimer(db, { kind: timerOf[queue], project, id }, delaySeconds - (goesFirst ? HEAD_START_SECONDS : 0))
  }

/** A mail that waits is not sent after all; one that was sent stays sent. */
export async function dropMail(
  db: Db,
  queue: MailQueue,
  mail: { project: bigint; id: string },
  because: string,
): Promise<void> {
  await endMail(db, mail, 'dropped', because)
  await clearTimer(db, { kind: timerOf[queue], ...mail })
}

/** What has been due for longer is sent first. */
const HEAD_START_SECONDS = 24 * 3600

/** What is summed up waits until the hour or the day is over. */
export type DigestPace = 'hourly' | 'daily'

const HOUR_SECONDS = 3600
/** In UTC: in the morning where most stores are. */
const DAILY_HOUR = 6

/** Seconds until the digest that is sent next. */
export function secondsToDigest(pace: DigestPace, now: Date): number {
  const ofHour = (now.getTime() / 1000) % HOUR_SECONDS
  if (pace === 'hourly') return HOUR_SECONDS - ofHour
  const hours = (DAILY_HOUR - now.getUTCHours() + 24) % 24 || 24
  return hours * HOUR_SECONDS - ofHour
}

/** The mail becomes part of a digest; the first of several begins it, and says since when it counts. */
export async function queueDigest(
  db: Db,
  newId: (kind: string) => string,
  { project, recipient, queuedAt }: MailRow,
  pace: DigestPace,
): Promise<void> {
  const id = newId('mail')
  const { queue, validSeconds } = digest
  const wait = secondsToDigest(pace, new Date())
  const subject = { since: queuedAt.toISOString() }
  const row = { project, id, kind: 'digest', recipient, subject, validSeconds: validSeconds + wait }
  if (await insertMail(db, row)) await setTimer(db, { kind: timerOf[queue], project, id }, wait)
}

/** For an installation without a relay. */
export const noMail: QueueMail<string> = () => Promise.resolve()
