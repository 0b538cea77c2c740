// `queueMail` puts a mail into the outbox, in the transaction that causes it: both happen, or
// neither.

import { setTimer } from '../foundation/postgres/timers.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { mailKinds, timerOf, type MailKind } from './kinds.ts'
import { insertMail, type MailSubject } from './outbox-queries.ts'

export type NewMail = {
  /** A new one by default. */
  id?: string
  kind: MailKind
  /** The id of an account, or of a request of a person who is not signed in. */
  recipient: string
  /** Ids that the text is about. */
  subject?: MailSubject
  /** The project that caused it, if one did. */
  project?: bigint
}

export type QueueMail = (db: Db, mail: NewMail) => Promise<void>

export const mailQueue =
  (newId: (kind: string) => string): QueueMail =>
  async (db, { id = newId('mail'), kind, recipient, subject = {}, project = 0n }) => {
    const { queue, validSeconds } = mailKinds[kind]
    await insertMail(db, { project, id, kind, recipient, subject, validSeconds })
    await setTimer(db, { kind: timerOf[queue], project, id })
  }

/** For an installation without a relay. */
export const noMail: QueueMail = () => Promise.resolve()
