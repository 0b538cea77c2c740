// Announces new addresses of the edges to the owners of all projects with address records. Safe to
// repeat: what a project was told once it is not told again.

import type { Context } from '../../foundation/context.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { DAY } from '../../foundation/time.ts'
import type { QueueMail } from '../../mail/queue.io.ts'
import type { InProject, ProjectId } from '../../projects/scope.io.ts'
import { listHoldingProjects } from '../store/directory.io.ts'
import { changedRecords } from './addresses.ts'
import { membersOf } from './alerts.io.ts'
import { insertAnnouncement, listAddressDomains } from './announcement-queries.ts'
import { recipientsOf } from './recipients.ts'

/** `from`: the day on which they change, YYYY-MM-DD. */
export type NewAddresses = { addresses: readonly string[]; from: string }

export type Announced = { projects: number; domains: number; mails: number }

/** Records are cached, and people are on holiday. */
const NOTICE_DAYS = 30

export async function announceAddresses(
  { database, now, newId }: Pick<Context, 'database' | 'now' | 'newId'>,
  inProject: InProject,
  queueMail: QueueMail<'edge_addresses_change'>,
  { addresses, from }: NewAddresses,
): Promise<Announced> {
  const days = (Date.parse(`${from}T00:00:00Z`) - now()) / DAY
  if (!(days >= NOTICE_DAYS)) {
    throw new Refusal('invalid_field', `New addresses are announced at least ${NOTICE_DAYS} days before they are used.`)
  }
  // In one order, so that the same addresses are recognised.
  const sorted = [...new Set(addresses)].toSorted()
  const sum: Announced = { projects: 0, domains: 0, mails: 0 }
  for (const project of await listHoldingProjects(database.run)) {
    const announcement = { id: newId('ann'), addresses: sorted, startsOn: from }
    const told = await inProject(project, (db) => announceTo(db, project, announcement, queueMail))
    if (told.mails === 0) continue
    sum.projects += 1
    sum.domains += told.domains
    sum.mails += told.mails
  }
  return sum
}

async function announceTo(
  db: Db,
  project: ProjectId,
  announcement: Parameters<typeof insertAnnouncement>[2],
  queueMail: QueueMail<'edge_addresses_change'>,
): Promise<Pick<Announced, 'domains' | 'mails'>> {
  const domains = changedRecords(await listAddressDomains(db, project), announcement.addresses)
  const [first] = domains
  if (!first || !(await insertAnnouncement(db, project, announcement))) return { domains: 0, mails: 0 }
  const kind = 'edge_addresses_change'
  const recipients = recipientsOf(kind, first.hostname, await membersOf(db, project))
  for (const recipient of recipients) {
    await queueMail(db, { kind, recipient, subject: { announcement: announcement.id }, project })
  }
  return { domains: domains.length, mails: recipients.length }
}
