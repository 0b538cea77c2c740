// The only writer of domains. Every change of one is a single transaction over its state, its
// history, its timer, its mails and the holder of its hostname: all of it is written, or nothing.
// Facts are gathered before: no transaction is open while a worker waits for DNS. Rows are always
// locked in one order (the hostname, the domains, the timer, the settings, the open mail), so two
// transactions never deadlock.
//
// A judgement counts only while the hostname's generation is still the one that it was made
// under; otherwise the domain must be judged again. A worker whose lease has expired writes
// nothing. A member who requests a check raises the fencing token, and so wins against a worker
// that is already under way.

import { dropCertificate, requestCertificate, retryNow, stateOf } from '../certificates/advance.io.ts'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import type { Keys } from '../certificates/key-encryption.io.ts'
import { endRoute } from '../fleet/directory.io.ts'
import type { Context } from '../foundation/context.ts'
import type { SharedCalls } from '../foundation/load/shared-calls.ts'
import { Unavailable, type Db } from '../foundation/postgres/postgres.io.ts'
import { clearTimer, lockTimer, bringForward, setTimer, type Timer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND, type Instant } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { Member } from '../projects/membership.io.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import { lockProject, recordAudit, type ProjectRow } from '../projects/project-queries.ts'
import type { InProject, InProjects, ProjectId } from '../projects/scope.io.ts'
import { mailAbout, mailChanges, type MailedKind } from './alerts/alerts.io.ts'
import type { Judgement } from './judging/judgement.ts'
import { WATCHED } from './lifecycle/cadence.ts'
import { certificateFacts, isRerouted, factsOf } from './lifecycle/facts.ts'
import { certificateEvents } from './lifecycle/history-events.ts'
import { next, type Fact } from './lifecycle/lifecycle.ts'
import { decide, type Decision, type Holding } from './lifecycle/ownership-decision.ts'
import { isServed } from './lifecycle/status.ts'
import { registrableOf } from './naming/names.ts'
import { redirectAdded, replaceDefaultAddress } from './settings/advance-settings.io.ts'
import * as checkQueries from './store/check-queries.ts'
import * as directory from './store/directory.io.ts'
import * as queries from './store/domain-queries.ts'
import type { DomainRow } from './store/domain-queries.ts'
import { reroute } from './store/route-queries.ts'
import { tokenFor } from './store/token-queries.ts'

export const DOMAIN_DUE = 'domain'

/** The lease of a worker that does not report back: a check takes a few seconds at most. */
export const CLAIM_SECONDS = 30

const WATCHED_FOR = 15 * SECOND
/** The check that a member requested has ended by then; if not, the background takes over. */
const REQUESTED_CHECK_SECONDS = 15

export type DomainAdvanceDeps = Pick<Context, 'now' | 'newId' | 'randomBytes'> & {
  inProject: InProject
  inProjects: InProjects
  /** Encrypts private keys; without it no certificate is ordered. */
  keys?: Keys | undefined
  /** Without it no member is mailed about a domain. */
  queueMail?: QueueMail<MailedKind> | undefined
  plans: PlanRules
  /** In each process only one call waits for a hostname's row, so that many at once do not exhaust its connections. */
  sharedCalls: SharedCalls
}

/** The same for a hostname that was never added and for one of another project. */
export const domainNotFound = () => new Refusal('not_found', 'This project has no domain with this name.')

/** Throws a refusal unless one more may be added. Runs while the project is locked, so no other caller adds one. */
export type Admit = (db: Db, project: Pick<ProjectRow, 'plan'> & { domains: number }) => Promise<void> | void

/**
 * Adds a pending claim, which blocks no other project and proves nothing. Returns its id; undefined if the project
 * has the hostname already. With `redirectTo`, visitors are redirected to that domain of the project as soon as both
 * are live.
 */
export const add = (
  deps: DomainAdvanceDeps,
  { project, account }: Pick<Member, 'project' | 'account'>,
  hostname: string,
  admit: Admit,
  redirectTo: string | null = null,
): Promise<string | undefined> =>
  deps.inProject(project, async (db) => {
    const found = await lockProject(db, project)
    if (!found) throw new Refusal('not_found', 'No project with this slug.')
    if (await queries.findDomain(db, project, hostname)) return undefined
    await admit(db, { plan: found.plan, domains: await queries.countDomains(db, project) })
    const id = deps.newId('dom')
    const history = { now: deps.now(), plans: deps.plans }
    const token = await tokenFor(db, project, deps, hostname)
    if (!(await queries.insertDomain(db, project, { id, hostname, addedAt: history.now }, token))) return undefined
    await queries.insertEvent(db, project, id, { kind: 'domain.added', code: null }, history)
    await recordAudit(db, project, { actor: account, action: 'domain_added', subject: hostname })
    await setTimer(db, { kind: DOMAIN_DUE, project, id }, REQUESTED_CHECK_SECONDS)
    if (redirectTo !== null) await redirectAdded(db, project, { from: hostname, to: redirectTo }, account, history)
    return id
  })

/** A member requests a check: the cadence restarts, and a check already under way in the background comes too late. */
export const requestCheck = (deps: DomainAdvanceDeps, project: ProjectId, hostname: string): Promise<DomainRow> =>
  retryWhenLocked(() =>
    deps.inProject(project, async (db) => {
      const found = await queries.findDomain(db, project, hostname)
      const row = found && (await queries.lockDomain(db, project, found.id))
      if (!row) throw domainNotFound()
      const after = await write(db, deps, project, row, [{ kind: 'asked' }])
      await setTimer(db, { kind: DOMAIN_DUE, project, id: row.id }, REQUESTED_CHECK_SECONDS)
      // A certificate that waits for its next attempt is tried earlier, within what the authority allows.
      if (row.generation !== null) await retryNow(db, deps, hostname)
      await rerouteIfChanged(db, project, row, after)
      return after
    }),
  )

export type CheckConclusion = {
  project: ProjectId
  row: DomainRow
  /** The holder of the hostname when it was judged. */
  holding: Holding
  judgement: Judgement
  planAllows: boolean
  /** Whether a member requested the check; only then may a hostname move from another project. */
  isAsked: boolean
  actor: string
  /** The lease of a worker. */
  due: Timer | null
  /** A digest of all DNS answers: a certificate that waits for different answers is tried again when it changes. */
  digest: string
  /** The parts of a full check to store; null if nothing has changed. */
  kept: { at: Instant; judgement: string; evidence: string; answers: string; firstCheck: string } | null
}

/**
 * `again`: the hostname has changed hands in the meantime, so judge again. `late`: another worker or a request has
 * taken over.
 */
export type Concluded = 'done' | 'again' | 'gone' | 'late'

/** Applies the result of a full check to the domain's lifecycle state. */
export function conclude(deps: DomainAdvanceDeps, conclusion: CheckConclusion): Promise<Concluded> {
  const { project, row, judgement, holding, isAsked } = conclusion
  const claim = { project, proof: judgement.proof, tokenGeneration: row.tokenGeneration, isAsked }
  const decision = decide(claim, holding)
  if (decision !== 'takes' && decision !== 'moves') {
    return retryWhenLocked(() => deps.inProject(project, (db) => settle(db, deps, conclusion, decision)))
  }
  const projects = decision === 'moves' && holding.holder ? [project, holding.holder.project] : [project]
  return deps.sharedCalls.serialised(row.hostname, () =>
    retryWhenLocked(() =>
      deps.inProjects(projects, async (db) => {
        const current = await directory.lockHostname(db, row.hostname)
        return current.generation === holding.generation ? settle(db, deps, conclusion, decision) : 'again'
      }),
    ),
  )
}

async function settle(
  db: Db,
  deps: DomainAdvanceDeps,
  conclusion: CheckConclusion,
  decision: Decision,
): Promise<Concluded> {
  const { project, holding, judgement, planAllows, due, kept, actor } = conclusion
  const { id, hostname } = conclusion.row
  const row = await queries.lockDomain(db, project, id)
  if (!row) return 'gone'
  if (row.token !== conclusion.row.token) return 'again'
  if (due && !(await lockTimer(db, due, CLAIM_SECONDS))) return 'late'

  const isTaken = decision === 'takes' || decision === 'moves'
  const former = decision === 'moves' && holding.holder ? await moveAway(db, deps, holding.holder, hostname) : undefined
  const changes = {
    fullyCheckedAt: deps.now(),
    ...(isTaken && { generation: await directory.take(db, hostname, project, id) }),
    ...((isTaken || decision === 'has') && judgement.proof === 'txt' && { wasTokenSeen: true }),
  }
  const written = await write(db, deps, project, { ...row, ...changes }, factsOf(judgement, decision, planAllows), true)
  if (kept) await checkQueries.saveCheck(db, project, id, kept)
  if (isTaken) await recordAudit(db, project, { actor, action: 'domain_verified', subject: hostname })
  const after = await certified(db, deps, conclusion, written)
  await former?.leave()
  await rerouteIfChanged(db, project, row, after)
  return 'done'
}

/**
 * Requests a certificate as soon as the hostname is proven and points here, and one of our authorities may issue it.
 */
async function certified(
  db: Db,
  deps: DomainAdvanceDeps,
  conclusion: CheckConclusion,
  row: DomainRow,
): Promise<DomainRow> {
  const { project, judgement, digest } = conclusion
  const { id, hostname, generation, routing, rest } = row
  const { keys, now, newId } = deps
  const isReady = generation !== null && routing === 'pointing' && rest === null && row.removedAt === null
  if (!keys || !isReady || judgement.authorities.length === 0) return row
  const requested = await requestCertificate(
    db,
    { keys, now, newId },
    {
      hostname,
      generation,
      client: String(project),
      registered: registrableOf(hostname) ?? hostname,
      authorities: judgement.authorities,
      evidence: digest,
      notify: { kind: DOMAIN_DUE, project, id },
    },
  )
  return requested === 'ordered' || requested === 'taken_over' ? write(db, deps, project, row, []) : row
}

/** The former holder's side of a move: serving ends there in the transaction in which it begins here. */
async function moveAway(
  db: Db,
  deps: DomainAdvanceDeps,
  { project, domain }: { project: ProjectId; domain: string },
  hostname: string,
): Promise<{ leave: () => Promise<number | null> } | undefined> {
  const row = await queries.lockDomain(db, project, domain)
  if (!row) return undefined
  const leading = await queries.listLeading(db, project, domain)
  await write(db, deps, project, row, [{ kind: 'proven_by_another' }])
  await recordAudit(db, project, { actor: 'petstore', action: 'domain_moved', subject: hostname })
  await mailAbout(db, deps, project, 'domain_moved', row)
  return { leave: () => leave(db, project, row, leading) }
}

/**
 * Ends the route of a domain, and redirects to it. Returns the sequence number of the change if edges must receive
 * it.
 */
async function leave(db: Db, project: ProjectId, row: DomainRow, leading: readonly string[]): Promise<number | null> {
  await reroute(db, project, leading)
  return row.generation === null ? null : endRoute(db, row.hostname, row.generation)
}

const rerouteIfChanged = async (db: Db, project: ProjectId, before: DomainRow, after: DomainRow): Promise<void> => {
  if (isRerouted(before, after)) await reroute(db, project, [after.id])
}

/**
 * Ends a light check that found no change, or a check of a dormant or paused domain: only the time of the next check
 * moves.
 */
export const applyFacts = (
  deps: DomainAdvanceDeps,
  { project, id, due, facts }: { project: ProjectId; id: string; due: Timer | null; facts: readonly Fact[] },
): Promise<Concluded> =>
  deps.inProject(project, async (db) => {
    const row = await queries.lockDomain(db, project, id)
    if (!row) return 'gone'
    if (due && !(await lockTimer(db, due, CLAIM_SECONDS))) return 'late'
    const after = await write(db, deps, project, { ...row, checkedAt: deps.now() }, facts, true)
    await rerouteIfChanged(db, project, row, after)
    return 'done'
  })

/** Every connected edge has the hostname and its certificate. */
export const deployed = (deps: DomainAdvanceDeps, project: ProjectId, id: string): Promise<void> =>
  deps.inProject(project, async (db) => {
    const row = await queries.lockDomain(db, project, id)
    if (row?.certificate !== 'issued') return
    const after = await write(db, deps, project, row, [{ kind: 'certificate_deployed' }])
    await rerouteIfChanged(db, project, row, after)
  })

export type Removed = {
  removedAt: Instant
  /** The sequence number of the change that edges have to confirm; null if they never received the hostname. */
  seq: number | null
}

/** Frees the hostname at once. Its redirects, primary setting, share links and certificate end with it. */
export const remove = (
  deps: DomainAdvanceDeps,
  { project, account }: { project: ProjectId; account: string },
  hostname: string,
): Promise<Removed | undefined> =>
  deps.sharedCalls.serialised(hostname, () =>
    retryWhenLocked(() =>
      deps.inProject(project, async (db) => {
        // First: to lock a name stores it, for ever, and anyone can name one that is not theirs.
        const found = await queries.findDomain(db, project, hostname)
        if (!found) return undefined
        const { holder } = await directory.lockHostname(db, hostname)
        const row = await queries.lockDomain(db, project, found.id)
        if (!row) return undefined
        if (holder?.domain === row.id) await directory.release(db, hostname)
        const leading = await queries.listLeading(db, project, row.id)
        const { removedAt } = await write(db, deps, project, row, [{ kind: 'removal_requested' }])
        await recordAudit(db, project, { actor: account, action: 'domain_removed', subject: hostname })
        const seq = await leave(db, project, row, leading)
        return removedAt === null ? undefined : { removedAt, seq }
      }),
    ),
  )

/** Marks the domain as watched by an open page, for a short time from now. */
export const watch = ({ inProject, now }: DomainAdvanceDeps, project: ProjectId, hostname: string): Promise<void> =>
  inProject(project, async (db) => {
    const at = now()
    const id = await queries.watch(db, project, hostname, { until: at + WATCHED_FOR, lookAt: at + WATCHED })
    if (id !== undefined) await bringForward(db, { kind: DOMAIN_DUE, project, id }, WATCHED / SECOND)
  })

/** Applies a change of plan to all domains of a project. Paused domains are checked as soon as the plan allows. */
export async function planChanged(
  deps: Pick<DomainAdvanceDeps, 'inProject' | 'now' | 'newId' | 'plans'>,
  project: ProjectId,
  isAllowed: boolean,
): Promise<void> {
  const all = await deps.inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  // One at a time: a transaction that locks many rows blocks all others.
  for (const { id } of all) {
    await deps.inProject(project, async (db) => {
      const row = await queries.lockDomain(db, project, id)
      if (!row || (row.rest === 'paused') === !isAllowed) return
      const after = await write(db, deps, project, row, [{ kind: isAllowed ? 'plan_restored' : 'plan_lapsed' }])
      await rerouteIfChanged(db, project, row, after)
      if (isAllowed) await setTimer(db, { kind: DOMAIN_DUE, project, id })
    })
  }
}

/** More than any plan includes. */
const ALL = 100_000

/** Frees every hostname of a project that was deleted. */
export async function forgetProject(deps: DomainAdvanceDeps, project: ProjectId, actor: string): Promise<void> {
  const all = await deps.inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  for (const { hostname } of all) await remove(deps, { project, account: actor }, hostname)
}

/** Writes state, history, timer and mails, notifies watchers, and includes what became of the certificate since. */
async function write(
  db: Db,
  deps: Pick<DomainAdvanceDeps, 'now' | 'newId' | 'plans' | 'queueMail'>,
  project: ProjectId,
  row: DomainRow,
  facts: readonly Fact[],
  isCheck = false,
): Promise<DomainRow> {
  const now = deps.now()
  const status = await certificateStatusOf(db, row, now)
  const certificateHistory = certificateEvents(row, status, now)
  const { life, events, effects } = next(row, [...certificateFacts(row.certificate, status), ...facts], now)
  const isGone = life.removedAt !== null
  const after = { ...row, ...life, ...certificateHistory.reported, generation: isGone ? null : row.generation }
  await queries.saveDomain(db, project, after)
  for (const event of [...certificateHistory.events, ...events])
    await queries.insertEvent(db, project, row.id, event, { now, plans: deps.plans })
  const due = { kind: DOMAIN_DUE, project, id: row.id }
  if (life.nextCheckAt === null) await clearTimer(db, due)
  else await setTimer(db, due, Math.max(0, (life.nextCheckAt - now) / SECOND))
  if (isGone) await queries.dropSettingsOf(db, project, row.id)
  if (isGone) await directory.endShares(db, project, row.id)
  // After the timer of the domain, which the certificate worker locks first as well.
  if (isGone && row.generation !== null) await dropCertificate(db, deps, row.hostname)
  if (!isServed(row) && isServed(after)) await replaceDefaultAddress(db, project, after, { now, plans: deps.plans })
  const attention = await mailChanges(db, deps, project, { before: row, after, isCheck })
  if (certificateHistory.events.length > 0 || effects.includes('notify_watchers'))
    await directory.notifyDomain(db, project, row.id)
  return { ...after, ...attention }
}

/** The status of its certificate; undefined if none is wanted for the hostname in its present generation. */
export async function certificateStatusOf(
  db: Db,
  { hostname, generation }: Pick<DomainRow, 'hostname' | 'generation'>,
  now: Instant,
): Promise<CertificateStatus | undefined> {
  const status = generation === null ? undefined : await stateOf(db, hostname, now)
  return status?.generation === generation ? status : undefined
}

const TRIES = 5

/** Retries when another process holds the row for longer than the lock timeout. Nothing was written in that case. */
async function retryWhenLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt >= TRIES) throw error
    }
  }
}
