// Use cases of domains: add, verify, remove, list and read them. Adding and verifying a domain check it at
// once (check.io.ts); everything later is the work of its timer (jobs.io.ts).

import { findCertificate, type StoredCertificate } from '../certificates/stored-queries.ts'
import { findRoute } from '../fleet/directory.io.ts'
import type { Confirmation } from '../fleet/confirmations.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Instant } from '../foundation/time.ts'
import type { Member } from '../projects/membership.io.ts'
import * as advance from './advance.io.ts'
import { domainNotFound } from './advance.io.ts'
import type { Evidence } from './observing/evidence.ts'
import type { Judgement } from './judging/judgement.ts'
import * as lookQueries from './store/check-queries.ts'
import * as queries from './store/domain-queries.ts'
import type { DomainRow } from './store/domain-queries.ts'
import { statusOf, type Status } from './lifecycle/status.ts'
import { checkDomain, confirmationsOf, type DomainDeps } from './check.io.ts'

export type DomainView = {
  row: DomainRow
  status: Status
  judgement: Judgement | null
  evidence: Evidence | null
  certificate: StoredCertificate | null
}

type Caller = Pick<Member, 'project' | 'account'>

type Adding = {
  typed?: string | null
  redirectTo?: string | null
  admit?: advance.Admit
  /** Hears of a first look that failed; the background looks again. */
  onLookFailed?: (error: Error) => void
}

const rethrow = (error: Error) => {
  throw error
}

/** Adds a name and looks at it at once. What must hold before is asked while nobody else adds one. */
export async function addDomain(
  deps: DomainDeps,
  member: Caller,
  hostname: string,
  { typed = null, redirectTo = null, admit = () => {}, onLookFailed = rethrow }: Adding = {},
): Promise<DomainView> {
  const id = await advance.add(deps, member, hostname, admit, redirectTo)
  if (id === undefined) throw new Refusal('domain_already_added', `${hostname} is already in this project.`)
  // It is there by now, and its timer too, so whoever added it is shown what is known, and told to come again by nobody.
  const errand = { project: member.project, id, isAsked: false, actor: member.account, due: null, typed }
  await checkDomain(deps, errand).catch(onLookFailed)
  return getDomain(deps, member, hostname)
}

/** Verify and Re-verify: a new attempt, with a full look. Never needs a removal, and may be done at any time. */
export const verifyDomain = (deps: DomainDeps, member: Caller, hostname: string): Promise<DomainView> =>
  deps.turns.together(`${member.project} ${hostname}`, async () => {
    const { id } = await advance.requestCheck(deps, member.project, hostname)
    await checkDomain(deps, {
      project: member.project,
      id,
      isAsked: true,
      actor: member.account,
      due: null,
      typed: null,
    })
    return getDomain(deps, member, hostname)
  })

/** For how long somebody who removes a name waits for the edges. */
const REMOVAL_PATIENCE_MS = 1000

/** Gives which edges have confirmed that they serve it no more; all that are connected, or a second has passed. */
export async function removeDomain(
  deps: DomainDeps,
  member: Caller,
  hostname: string,
): Promise<{ removedAt: Instant; edges: readonly Confirmation[] }> {
  const removed = await advance.remove(deps, member, hostname)
  if (removed === undefined) throw domainNotFound()
  return { removedAt: removed.removedAt, edges: await confirmationsOf(deps, removed.seq, REMOVAL_PATIENCE_MS) }
}

/** How far the edges have come with the last removal of this name. */
export async function getRemoval(
  deps: DomainDeps,
  { project }: Pick<Member, 'project'>,
  hostname: string,
): Promise<{ removedAt: Instant; edges: readonly Confirmation[] }> {
  const removedAt = await deps.inProject(project, (db) => queries.lastRemoval(db, project, hostname))
  if (removedAt === undefined) throw domainNotFound()
  const route = await findRoute(deps.database.run, hostname)
  return { removedAt, edges: await confirmationsOf(deps, route?.seq ?? null, 0) }
}

export const getDomain = (
  { inProject }: Pick<DomainDeps, 'inProject'>,
  { project }: Pick<Member, 'project'>,
  hostname: string,
): Promise<DomainView> =>
  inProject(project, async (db) => {
    const row = await queries.findDomain(db, project, hostname)
    if (!row) throw domainNotFound()
    const check = await lookQueries.findCheck(db, project, row.id)
    const certificate = row.generation === null ? undefined : await findCertificate(db, hostname, row.generation)
    return {
      row,
      status: statusOf(row),
      judgement: check?.judgement ?? null,
      evidence: check?.evidence ?? null,
      certificate: certificate ?? null,
    }
  })

/** By hostname, and on from one. */
export const listDomains = (
  { inProject }: Pick<DomainDeps, 'inProject'>,
  { project }: Pick<Member, 'project'>,
  { after, count }: { after: string; count: number },
): Promise<Pick<DomainView, 'row' | 'status' | 'judgement'>[]> =>
  inProject(project, async (db) => {
    const rows = await queries.listDomains(db, project, after, count)
    const ids = rows.map(({ id }) => id)
    const judgements = await lookQueries.listJudgements(db, project, ids)
    return rows.map((row) => ({ row, status: statusOf(row), judgement: judgements.get(row.id) ?? null }))
  })
