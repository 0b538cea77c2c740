// Reads the facts of a mail about domains when it is sent. A domain whose problem has ended in the
// meantime is left out; if none remains, nothing is sent.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { findCertificate } from '../../certificates/stored-queries.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { Compose } from '../../mail/jobs.io.ts'
import type { Mail } from '../../mail/mail.ts'
import { memberComposer, type MemberMailDeps, type MemberMailFacts } from '../../projects/member-mails.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { causes, type CauseCode } from '../causes/causes.ts'
import { problemOf, type DomainMailKind } from '../lifecycle/attention.ts'
import { statusOf } from '../lifecycle/status.ts'
import { unicodeOf } from '../naming/names.ts'
import { listJudgements } from '../store/check-queries.ts'
import { listDomainsById, type DomainRow } from '../store/domain-queries.ts'
import { closeMail } from './alert-queries.ts'
import { findAnnouncement, listAddressDomains } from './announcement-queries.ts'
import { changedRecords } from './addresses.ts'
import { mailedDomain } from './mailed-domain.ts'
import {
  addressesMail,
  alertMail,
  movedMail,
  reachedMail,
  reminderMail,
  renewalMail,
  type DomainsFacts,
  type MailedDomain,
} from './mails.ts'

type ComposedKind = DomainMailKind | 'domain_moved' | 'edge_addresses_change'

/** Admins are among the recipients of each kind, if no owner can be reached otherwise. */
const roles: readonly Role[] = ['admin', 'owner']

export function domainComposers(deps: MemberMailDeps): Readonly<Record<ComposedKind, Compose>> {
  const toMember = memberComposer(deps)
  return {
    domain_live: toMember(roles, (facts) => aboutStanding(facts, isLive, (found) => reachedMail('live', found))),
    domain_restored: toMember(roles, (facts) =>
      aboutStanding(facts, isLive, (found) => reachedMail('restored', found)),
    ),
    domain_alert: toMember(roles, (facts) => aboutStanding(facts, hasCause, alertOf(facts))),
    domain_reminder: toMember(roles, (facts) =>
      aboutStanding(facts, hasCause, (found) => reminderMail({ ...found, canTurnOff: canTurnOff(facts) })),
    ),
    renewal_failing: toMember(roles, (facts) => aboutStanding(facts, isFailing, renewalMail)),
    domain_moved: toMember(roles, moved),
    edge_addresses_change: toMember(roles, addressesChange),
  }
}

type Found = DomainsFacts & { cause: string }

const canTurnOff = ({ role }: MemberMailFacts) => role !== 'owner'
const alertOf =
  (facts: MemberMailFacts) =>
  ({ cause, ...found }: Found): Mail => {
    const isOwners = causes[cause as CauseCode]?.actor === 'owner'
    return alertMail({ ...found, isOwners, canTurnOff: canTurnOff(facts) })
  }

type Standing = (row: DomainRow, cause: string) => boolean
const isLive: Standing = (row) => statusOf(row).name === 'live'
const hasCause: Standing = (row, cause) => problemOf(row)?.code === cause
const isFailing: Standing = (row) => row.certificate === 'renewal_failing'

/** A mail about those of its domains that are still as they were. */
async function aboutStanding(
  facts: MemberMailFacts,
  stands: Standing,
  write: (found: Found) => Mail,
): Promise<Mail | undefined> {
  const { db, row, projectId } = facts
  const closed = await closeMail(db, projectId, row.subject['mail'] ?? '')
  if (!closed) return undefined
  const ids = closed.domains.map(({ id }) => id)
  const rows = (await listDomainsById(db, projectId, ids)).filter((domain) => stands(domain, closed.cause))
  if (rows.length === 0) return undefined
  return write({ ...frameOf(facts), cause: closed.cause, domains: await mailedDomains(db, projectId, rows) })
}

const frameOf = ({ account, project, projectUrl }: MemberMailFacts) => ({
  language: account.language,
  project: project.name,
  projectUrl,
})

async function mailedDomains(db: Db, project: ProjectId, rows: readonly DomainRow[]): Promise<MailedDomain[]> {
  const ids = rows.map(({ id }) => id)
  const judgements = await listJudgements(db, project, ids)
  const mailed: MailedDomain[] = []
  for (const row of rows) {
    const ends = row.certificate === 'renewal_failing' ? await validUntil(db, row) : undefined
    mailed.push({ ...mailedDomain(row, judgements.get(row.id)), ...(ends && { validUntil: ends }) })
  }
  return mailed
}

async function validUntil(db: Db, { hostname, generation }: DomainRow): Promise<Date | undefined> {
  const certificate = generation === null ? undefined : await findCertificate(db, hostname, generation)
  return certificate && new Date(certificate.notAfter)
}

async function moved(facts: MemberMailFacts): Promise<Mail | undefined> {
  const closed = await closeMail(facts.db, facts.projectId, facts.row.subject['mail'] ?? '')
  if (!closed || closed.domains.length === 0) return undefined
  const domains = closed.domains.map(({ hostname }) => ({ hostname, name: unicodeOf(hostname) }))
  return movedMail({ ...frameOf(facts), domains })
}

async function addressesChange(facts: MemberMailFacts): Promise<Mail | undefined> {
  const { db, projectId, row } = facts
  const announced = await findAnnouncement(db, projectId, row.subject['announcement'] ?? '')
  if (!announced) return undefined
  const domains = changedRecords(await listAddressDomains(db, projectId), announced.addresses)
  return domains.length === 0 ? undefined : addressesMail({ ...frameOf(facts), domains, from: announced.startsOn })
}
