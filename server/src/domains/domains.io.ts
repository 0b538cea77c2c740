// Use cases of domains: add, verify, remove, list and read. Adding and verifying a domain check
// it at once (`check.io.ts`); later checks are the work of its timer (`jobs.io.ts`).

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
import * as checkQueries from './store/check-queries.ts'
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

const rethrow = (error: Error) => {
  throw error
}

/**
 * Adds a hostname and checks it at once. `admit` runs while the project is locked, so no other caller adds one;
 * `onCheckFailed` when the first check fails: the background checks again.
 */
export async function addDomain(
  deps: DomainDeps,
  member: Caller,
  hostname: string,
  {
    typed = null,
    redirectTo = null,
    admit = () => {},
    onCheckFailed = rethrow,
  }: {
    typed?: string | null
    redirectTo?: string | null
    admit?: advance.Admit
    onCheckFailed?: (error: Error) => void
  } = {},
): Promise<DomainView> {
  const id = await advance.add(deps, member, hostname, admit, redirectTo)
  if (id === undefined) throw new Refusal('domain_already_added', `${hostname} is already in this project.`)
  // The domain and its timer are stored by now, so the caller gets what is known, even if the first check failed.
  const job = { project: member.project, id, isAsked: false, actor: member.account, due: null, typed }
  await checkDomain(deps, job).catch(onCheckFailed)
  return getDomain(deps, member, hostname)
}

/** Verify and Re-verify: a new attempt, with a full check. Never requires a removal, and is possible at any time. */
export const verifyDomain = (deps: DomainDeps, member: Caller, hostname: string): Promise<DomainView> =>
  deps.sharedCalls.coalesced(`${member.project} ${hostname}`, async () => {
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

/** For how long the request that removes a hostname waits for the edges. */
const REMOVAL_PATIENCE_MS = 1000

/** Returns which edges have confirmed that they no longer serve it: when all connected ones have, or after a second. */
export async function removeDomain(
  deps: DomainDeps,
  member: Caller,
  hostname: string,
): Promise<{ removedAt: Instant; edges: readonly Confirmation[] }> {
  const removed = await advance.remove(deps, member, hostname)
  if (removed === undefined) throw domainNotFound()
  return { removedAt: removed.removedAt, edges: await confirmationsOf(deps, removed.seq, REMOVAL_PATIENCE_MS) }
}

/** The confirmations of the edges for the last removal of this hostname. */
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
    const check = await checkQueries.findCheck(db, project, row.id)
    const certificate = row.generation === null ? undefined : await findCertificate(db, hostname, row.generation)
    return {
      row,
      status: statusOf(row),
      judgement: check?.judgement ?? null,
      evidence: check?.evidence ?? null,
      certificate: certificate ?? null,
    }
  })

/** Sorted by hostname, after a given one. */
export const listDomains = (
  { inProject }: Pick<DomainDeps, 'inProject'>,
  { project }: Pick<Member, 'project'>,
  { after, count }: { after: string; count: number },
): Promise<Pick<DomainView, 'row' | 'status' | 'judgement'>[]> =>
  inProject(project, async (db) => {
    const rows = await queries.listDomains(db, project, after, count)
    const ids = rows.map(({ id }) => id)
    const judgements = await checkQueries.listJudgements(db, project, ids)
    return rows.map((row) => ({ row, status: statusOf(row), judgement: judgements.get(row.id) ?? null }))
  })
