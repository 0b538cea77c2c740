// Records what happens to an account, in the transaction in which it happens, and queues the
// notice that tells its person: an event, its record and its mail exist together, or not at all.

import type { AccountAction } from '@petstore-platform/contract/platform/account-audit'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { MailSubject } from '../mail/outbox-queries.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { noticeKindOf, type NoticeKind } from './account-actions.ts'
import type { AccountId } from './account-queries.ts'
import { insertEvent, type AccountActor } from './audit-queries.ts'
import { deviceOf } from './sessions/device.ts'
import type { Visitor } from './sessions/guard.io.ts'

export type AccountEvent = {
  account: AccountId
  action: AccountAction
  actor: AccountActor
  /** Undefined if an operator did it on the command line. */
  from: Visitor | undefined
  /** Who gets the notice, if it is not the account. */
  recipient?: string
  /** Ids that it is about. */
  subject?: MailSubject
}

export type RecordAction = (db: Db, event: AccountEvent) => Promise<void>

export const actionRecorder =
  (queueMail: QueueMail<NoticeKind | 'email_changed'>): RecordAction =>
  async (db, { account, action, actor, from, recipient = account, subject = {} }) => {
    const event = await insertEvent(db, {
      account,
      action,
      actor,
      device: deviceOf(from?.userAgent),
      addressGroup: from?.address ?? null,
      subject,
    })
    const kind = noticeKindOf[action]
    if (kind !== 'silent') await queueMail(db, { kind, recipient, subject: { ...subject, event: String(event) } })
  }
