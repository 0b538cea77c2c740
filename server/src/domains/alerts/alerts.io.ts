// Queues the mails about domains, in the transaction of the check that causes them. Domains of a
// project with the same cause share one mail: the first opens it, and those that follow within a
// few minutes join it. After one was sent, the next with the same cause waits for an hour.

import { isDeepStrictEqual } from 'node:util'
import { findAccounts, findAccount, type AccountId } from '../../accounts/account-queries.ts'
import { findCertificate } from '../../certificates/stored-queries.ts'
import type { Context } from '../../foundation/context.ts'
import type { Db, Database } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { HOUR, SECOND, DAY, type Instant } from '../../foundation/time.ts'
import type { QueueMail } from '../../mail/queue.io.ts'
import { projectsOf } from '../../projects/directory.io.ts'
import { listMembers } from '../../projects/member-queries.ts'
import { inProjectOf, type ProjectId, type InProject } from '../../projects/scope.io.ts'
import { decideMails, problemOf, type Attention, type DomainMailKind } from '../lifecycle/attention.ts'
import { listHoldingProjects } from '../store/directory.io.ts'
import { listDomains, type DomainRow } from '../store/domain-queries.ts'
import * as queries from './alert-queries.ts'
import { insertAnnouncement, listAddressDomains } from './alert-queries.ts'
import { changedRecords } from './mailed-domain.ts'
import { recipientsOf, dependsOn } from './recipients.ts'

/** Seconds in which domains join a mail. */
const COLLECTED: Readonly<Record<MailedKind, number>> = {
  domain_live: 30,
  domain_restored: 30,
  domain_moved: 30,
  domain_alert: 120,
  domain_reminder: 120,
  renewal_failing: 120,
}
/** Between two alerts of a project with the same cause: live domains are checked once an hour. */
const APART = HOUR

export type MailedKind = DomainMailKind | 'domain_moved'

/**
 * The only writer of what is remembered for mails, which it returns. `before` and `after` are the locked domain around
 * a change. Without `queueMail` this installation sends no mail, and nothing is remembered for it either.
 */
export async function mailChanges(
  db: Db,
  context: Pick<Context, 'now' | 'newId'> & { queueMail?: QueueMail<MailedKind> | undefined },
  project: ProjectId,
  { before, after, isCheck }: { before: DomainRow; after: DomainRow; isCheck: boolean },
): Promise<Partial<Attention>> {
  if (!context.queueMail) return {}
  const now = context.now()
  const code = problemOf(after)?.code
  const lastMailedAt = code === undefined ? null : await queries.lastMailed(db, project, after.id, code)
  const failing = await failingCertificate(db, after)
  const checked = { before, after, attention: attentionOf(before), isCheck, lastMailedAt, failing }
  const { attention, mails } = decideMails(checked, now)
  if (!isDeepStrictEqual(attention, checked.attention)) await queries.saveAttention(db, project, after.id, attention)
  for (const { kind, cause } of mails) {
    const isOver = kind === 'domain_live' || kind === 'domain_restored'
    // An alert that was not sent yet is taken back, and needs no restoration.
    const wasTakenBack = isOver && (await queries.leaveMails(db, project, after.id))
    if (kind === 'domain_restored' && wasTakenBack) continue
    await mailAbout(db, context, project, kind, after, cause ?? '')
  }
  return attention
}

const attentionOf = (row: DomainRow): Attention => ({
  problem: row.problem,
  problemSince: row.problemSince,
  problemChecks: row.problemChecks,
  isProblemMailed: row.isProblemMailed,
  downSince: row.downSince,
  wasAlerted: row.wasAlerted,
  reminders: row.reminders,
  renewalSerial: row.renewalSerial,
  renewalStage: row.renewalStage,
})

async function failingCertificate(db: Db, { certificate, rest, hostname, generation }: DomainRow) {
  if (certificate !== 'renewal_failing' || rest !== null || generation === null) return null
  return (await findCertificate(db, hostname, generation)) ?? null
}

export async function mailAbout(
  db: Db,
  { now: clock, newId, queueMail }: Pick<Context, 'now' | 'newId'> & { queueMail?: QueueMail<MailedKind> | undefined },
  project: ProjectId,
  kind: MailedKind,
  { id: domain, hostname }: Pick<DomainRow, 'id' | 'hostname'>,
  cause = '',
): Promise<void> {
  if (!queueMail) return
  const now = clock()
  const { id, isNew, lastClosedAt } = await queries.joinMail(
    db,
    project,
    { id: newId('dma'), kind, cause, domain },
    now,
  )
  if (!isNew) return
  const delaySeconds = delayOf(kind, lastClosedAt, now)
  for (const recipient of recipientsOf(kind, hostname, await membersOf(db, project))) {
    await queueMail(db, { kind, recipient, subject: { mail: id }, project, delaySeconds })
  }
}

function delayOf(kind: MailedKind, lastClosedAt: Instant | null, now: Instant): number {
  const isSpaced = kind === 'domain_alert' || kind === 'domain_reminder' || kind === 'renewal_failing'
  const wait = isSpaced && lastClosedAt !== null ? (lastClosedAt + APART - now) / SECOND : 0
  return Math.max(COLLECTED[kind], Math.min(wait, APART / SECOND))
}

export async function membersOf(db: Db, project: ProjectId) {
  const members = await listMembers(db, project)
  const accounts = await findAccounts(
    db,
    members.map(({ account }) => account),
  )
  const emails = new Map(accounts.map(({ id, email }) => [id, email]))
  return members.map(({ account, role }) => ({ account, role, email: emails.get(account) }))
}

// Announces new addresses of the edges to the owners of all projects with address records. Safe to
// repeat: what a project was told once it is not told again.

/** `from`: the day on which they change, YYYY-MM-DD. */
type NewAddresses = { addresses: readonly string[]; from: string }

type Announced = { projects: number; domains: number; mails: number }

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

/** So many are looked at; a person with more has more than one address to lose. */
const PROJECTS_MAX = 20
const DOMAINS_MAX = 100

/**
 * Whether mail to a person needs the DNS of a domain of their own store: if that breaks, neither an alert nor a link to a new
 * password arrives.
 */
export async function isMailAtRisk(
  database: Pick<Database, 'run' | 'transaction'>,
  account: AccountId,
): Promise<boolean> {
  const person = await findAccount(database.run, account)
  if (!person) return false
  for (const project of (await projectsOf(database.run, account)).slice(0, PROJECTS_MAX)) {
    const domains = await inProjectOf(database)(project, (db) => listDomains(db, project, '', DOMAINS_MAX))
    if (domains.some(({ hostname }) => dependsOn(person.email, hostname))) return true
  }
  return false
}
