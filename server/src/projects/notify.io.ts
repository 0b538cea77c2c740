// Queues a mail for the members of a project, in the transaction that causes it, one for each.
// What they have turned off is decided when it is sent.

import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { MailSubject } from '../mail/outbox-queries.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { listMembers } from './member-queries.ts'
import type { ProjectId } from './scope.io.ts'

export type MemberMail<Kind extends string> = {
  kind: Kind
  roles: readonly Role[]
  /** Ids that the text is about. */
  subject?: MailSubject
  /** The member who caused it knows it already. */
  except?: string
}

export type NotifyMembers<Kind extends string> = (db: Db, project: ProjectId, mail: MemberMail<Kind>) => Promise<void>

export const memberNotifier =
  <Kind extends string>(queueMail: QueueMail<Kind>): NotifyMembers<Kind> =>
  async (db, project, { kind, roles, subject = {}, except }) => {
    const members = await listMembers(db, project)
    const recipients = members.filter(({ account, role }) => roles.includes(role) && account !== except)
    for (const { account } of recipients) await queueMail(db, { kind, recipient: account, subject, project })
  }
