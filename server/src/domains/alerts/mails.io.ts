// The kinds of mail about domains, and what they read when they are sent. A domain whose problem has ended in the
// meantime is left out; if none remains, nothing is sent.

import type { Role } from '@petstore-platform/contract/platform/operation'
import { findCertificate } from '../../certificates/stored-queries.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { alert, DAY_SECONDS, notification, type MailRules } from '../../mail/kinds.ts'
import type { Mail } from '../../mail/mail.ts'
import type { MailKinds } from '../../mail/mail-kind.ts'
import { toMember, type ProjectMailContext, type MemberMailFacts } from '../../projects/member-mails.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { causes, type CauseCode } from '../causes/causes.ts'
import { problemOf } from '../lifecycle/attention.ts'
import { statusOf } from '../lifecycle/status.ts'
import { unicodeOf } from '../naming/names.ts'
import { listJudgements } from '../store/check-queries.ts'
import { listDomainsById, type DomainRow } from '../store/domain-queries.ts'
import { closeMail, findAnnouncement, listAddressDomains } from './alert-queries.ts'
import { mailedDomain, changedRecords } from './mailed-domain.ts'
import { domainMails, type DomainsFacts, type MailedDomain } from './mails.ts'

/** Admins are among the recipients of each kind, if no owner can be reached otherwise. */
const roles: readonly Role[] = ['admin', 'owner']

/** About a domain, to those who must know: grouped by cause, so that the limit is hardly ever reached. */
const owed: MailRules = {
  queue: 'bulk',
  validSeconds: 3 * DAY_SECONDS,
  limit: { most: 20, windowSeconds: DAY_SECONDS },
}

export const domainMailKinds = {
  domain_live: {
    ...notification('domains'),
    compose: toMember(roles, (facts) => aboutStanding(facts, isLive, domainMails.domain_live)),
  },
  domain_restored: {
    ...notification('domains'),
    compose: toMember(roles, (facts) => aboutStanding(facts, isLive, domainMails.domain_restored)),
  },
  domain_alert: {
    ...alert('alerts'),
    compose: toMember(roles, (facts) => aboutStanding(facts, hasCause, alertOf(facts))),
  },
  domain_reminder: {
    ...alert('alerts'),
    compose: toMember(roles, (facts) =>
      aboutStanding(facts, hasCause, (found) =>
        domainMails.domain_reminder({ ...found, canTurnOff: canTurnOff(facts) }),
      ),
    ),
  },
  renewal_failing: {
    ...owed,
    compose: toMember(roles, (facts) => aboutStanding(facts, isFailing, (found) => domainMails.renewal_failing(found))),
  },
  domain_moved: { ...owed, compose: toMember(roles, moved) },
  edge_addresses_change: { ...owed, compose: toMember(roles, addressesChange) },
} satisfies MailKinds<ProjectMailContext>

type Found = DomainsFacts & { cause: string }

const canTurnOff = ({ role }: MemberMailFacts) => role !== 'owner'
const alertOf =
  (facts: MemberMailFacts) =>
  ({ cause, ...found }: Found): Mail => {
    const isOwners = causes[cause as CauseCode]?.actor === 'owner'
    return domainMails.domain_alert({ ...found, isOwners, canTurnOff: canTurnOff(facts) })
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
  return domainMails.domain_moved({ ...frameOf(facts), domains })
}

async function addressesChange(facts: MemberMailFacts): Promise<Mail | undefined> {
  const { db, projectId, row } = facts
  const announced = await findAnnouncement(db, projectId, row.subject['announcement'] ?? '')
  if (!announced) return undefined
  const domains = changedRecords(await listAddressDomains(db, projectId), announced.addresses)
  return domains.length === 0
    ? undefined
    : domainMails.edge_addresses_change({ ...frameOf(facts), domains, from: announced.startsOn })
}
