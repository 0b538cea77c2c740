// The one writer of domains. Whatever happens to one happens here, in one
// transaction: its state, its history, its timer, and who has its name; all of it,
// or nothing is. Facts were gathered before: no transaction is open while we wait
// for DNS. The rows are locked in one order, always: the hostname, the domains, the
// timer, the settings; so no two of these ever wait for each other.
//
// What was judged counts only if the hostname's generation is still the one that it
// was judged under; else it must be judged again. A worker whose claim is over
// writes nothing. A person who asks raises the fence, and so wins against a worker
// on its way.

import { dropCertificate, requestCertificate, retryNow, stateOf } from '../certificates/advance.io.ts'
import type { Keys } from '../certificates/key-encryption.io.ts'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import { endRoute } from '../fleet/directory.io.ts'
import { clearTimer, lockTimer, bringForward, setTimer, type Timer } from '../foundation/postgres/timers.io.ts'
import { Unavailable, type Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND, type Clock, type Instant } from '../foundation/time.ts'
import type { SingleFlight } from '../foundation/single-flight.ts'
import type { Member } from '../projects/membership.io.ts'
import { lockProject, recordAudit, type ProjectRow } from '../projects/project-queries.ts'
import type { InProject, InProjects, ProjectId } from '../projects/scope.io.ts'
import { WATCHED } from './lifecycle/cadence.ts'
import { certificateEvents } from './lifecycle/certificate-history-events.ts'
import { certificateFacts, isRerouted } from './lifecycle/certificate-facts.ts'
import * as directory from './store/directory.io.ts'
import { factsOf } from './lifecycle/judgement-facts.ts'
import type { Judgement } from './judging/judgement.ts'
import { next, type Fact } from './lifecycle/lifecycle.ts'
import * as lookQueries from './store/check-queries.ts'
import { registrableOf } from './naming/names.ts'
import * as queries from './store/domain-queries.ts'
import type { DomainRow } from './store/domain-queries.ts'
import { reroute } from './store/route-queries.ts'
import { redirectAdded, replaceDefaultAddress } from './settings/advance-settings.io.ts'
import { isServed } from './lifecycle/status.ts'
import { tokenFor } from './store/token-queries.ts'
import { decide, type Decision, type Holding } from './lifecycle/ownership-decision.ts'

export const DOMAIN_DUE = 'domain'

/** For how long a worker that says nothing is believed to be alive: a look takes a few seconds at most. */
export const CLAIM_SECONDS = 30

const WATCHED_FOR = 15 * SECOND
/** A person's own look is over by then; if not, the background takes over. */
const ASKED_SECONDS = 15

export type DomainAdvanceDeps = {
  inProject: InProject
  inProjects: InProjects
  now: Clock
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  /** With which private keys are sealed; without it no certificate is ordered. */
  keys?: Keys | undefined
  /** Of one process only one waits for a name's row, so that many at once do not use up its connections. */
  turns: SingleFlight
}

/** The same for a name that was never added and for one of another project. */
export const domainNotFound = () => new Refusal('not_found', 'This project has no domain with this name.')

/** What must hold for one more domain; throws a refusal if it does not. Asked while nobody else adds one. */
export type Admit = (db: Db, project: Pick<ProjectRow, 'plan'> & { domains: number }) => Promise<void> | void

/**
 * A pending claim: it blocks nobody, and proves nothing. Gives its id; undefined if it is there already. With
 * `redirectTo`, visitors are sent to that domain of the project as soon as both are live.
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
    const now = deps.now()
    const token = await tokenFor(db, project, deps, hostname)
    if (!(await queries.insertDomain(db, project, { id, hostname, addedAt: now }, token))) return undefined
    await queries.insertEvent(db, project, id, { kind: 'domain.added', code: null }, now)
    await recordAudit(db, project, { actor: account, action: 'domain_added', subject: hostname })
    await setTimer(db, { kind: DOMAIN_DUE, project, id }, ASKED_SECONDS)
    if (redirectTo !== null) await redirectAdded(db, project, { from: hostname, to: redirectTo }, account, now)
    return id
  })

/** Somebody asks for it: the cadence begins anew, and what is under way in the background comes too late. */
export const requestCheck = (deps: DomainAdvanceDeps, project: ProjectId, hostname: string): Promise<DomainRow> =>
  patiently(() =>
    deps.inProject(project, async (db) => {
      const found = await queries.findDomain(db, project, hostname)
      const row = found && (await queries.lockDomain(db, project, found.id))
      if (!row) throw domainNotFound()
      const after = await write(db, deps, project, row, [{ kind: 'asked' }])
      await setTimer(db, { kind: DOMAIN_DUE, project, id: row.id }, ASKED_SECONDS)
      // A certificate that waits for its next try need not wait for it any longer, within what the authority allows.
      if (row.generation !== null) await retryNow(db, deps, hostname)
      await rerouteIfChanged(db, project, row, after)
      return after
    }),
  )

export type CheckConclusion = {
  project: ProjectId
  row: DomainRow
  /** Who had the name when it was judged. */
  holding: Holding
  judgement: Judgement
  planAllows: boolean
  /** Whether a person asked; only then may a name move from another project. */
  isAsked: boolean
  actor: string
  /** The claim of a worker. */
  due: Timer | null
  /** Of all that DNS said: a certificate that waits for other answers is tried again when it changes. */
  digest: string
  /** What to keep of a full look; null if it says nothing new. */
  kept: { at: Instant; judgement: string; evidence: string; answers: string; firstLook: string } | null
}

/** `again`: the name has changed hands meanwhile, so judge anew. `late`: somebody else looks after it by now. */
export type Concluded = 'done' | 'again' | 'gone' | 'late'

/** Brings what a full look came to into the domain's life. */
export function conclude(deps: DomainAdvanceDeps, looked: CheckConclusion): Promise<Concluded> {
  const { project, row, judgement, holding, isAsked } = looked
  const claim = { project, proof: judgement.proof, tokenGeneration: row.tokenGeneration, isAsked }
  const decision = decide(claim, holding)
  if (decision !== 'takes' && decision !== 'moves') {
    return patiently(() => deps.inProject(project, (db) => settle(db, deps, looked, decision)))
  }
  const projects = decision === 'moves' && holding.holder ? [project, holding.holder.project] : [project]
  return deps.turns.alone(row.hostname, () =>
    patiently(() =>
      deps.inProjects(projects, async (db) => {
        const current = await directory.lockHostname(db, row.hostname)
        return current.generation === holding.generation ? settle(db, deps, looked, decision) : 'again'
      }),
    ),
  )
}

async function settle(
  db: Db,
  deps: DomainAdvanceDeps,
  looked: CheckConclusion,
  decision: Decision,
): Promise<Concluded> {
  const { project, holding, judgement, planAllows, due, kept, actor } = looked
  const { id, hostname } = looked.row
  const row = await queries.lockDomain(db, project, id)
  if (!row) return 'gone'
  if (row.token !== looked.row.token) return 'again'
  if (due && !(await lockTimer(db, due, CLAIM_SECONDS))) return 'late'

  const isTaken = decision === 'takes' || decision === 'moves'
  const former = decision === 'moves' && holding.holder ? await moveAway(db, deps, holding.holder, hostname) : undefined
  const changes = {
    fullyLookedAt: deps.now(),
    ...(isTaken && { generation: await directory.take(db, hostname, project, id) }),
    ...((isTaken || decision === 'has') && judgement.proof === 'txt' && { wasTokenSeen: true }),
  }
  const written = await write(db, deps, project, { ...row, ...changes }, factsOf(judgement, decision, planAllows))
  if (kept) await lookQueries.saveCheck(db, project, id, kept)
  if (isTaken) await recordAudit(db, project, { actor, action: 'domain_verified', subject: hostname })
  const after = await certified(db, deps, looked, written)
  await former?.leave()
  await rerouteIfChanged(db, project, row, after)
  return 'done'
}

/** Asks for a certificate as soon as the name is proven and leads here, and some authority of ours may issue it. */
async function certified(db: Db, deps: DomainAdvanceDeps, looked: CheckConclusion, row: DomainRow): Promise<DomainRow> {
  const { project, judgement, digest } = looked
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
      tell: { kind: DOMAIN_DUE, project, id },
    },
  )
  return requested === 'ordered' || requested === 'taken_over' ? write(db, deps, project, row, []) : row
}

/** The former holder's side of a move: it ends there in the same moment as it begins here. */
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
  return { leave: () => leave(db, project, row, leading) }
}

/** Nobody is led here any more, nor from elsewhere to here. Gives the number of the change, if edges must hear of it. */
async function leave(db: Db, project: ProjectId, row: DomainRow, leading: readonly string[]): Promise<number | null> {
  await reroute(db, project, leading)
  return row.generation === null ? null : endRoute(db, row.hostname, row.generation)
}

const rerouteIfChanged = async (db: Db, project: ProjectId, before: DomainRow, after: DomainRow): Promise<void> => {
  if (isRerouted(before, after)) await reroute(db, project, [after.id])
}

/** A light look that heard nothing new, or a domain that rests: only its time goes on. */
export const goOn = (
  deps: DomainAdvanceDeps,
  { project, id, due, facts }: { project: ProjectId; id: string; due: Timer | null; facts: readonly Fact[] },
): Promise<Concluded> =>
  deps.inProject(project, async (db) => {
    const row = await queries.lockDomain(db, project, id)
    if (!row) return 'gone'
    if (due && !(await lockTimer(db, due, CLAIM_SECONDS))) return 'late'
    const after = await write(db, deps, project, { ...row, lookedAt: deps.now() }, facts)
    await rerouteIfChanged(db, project, row, after)
    return 'done'
  })

/** Every edge that we hear of has the name and its certificate. */
export const deployed = (deps: DomainAdvanceDeps, project: ProjectId, id: string): Promise<void> =>
  deps.inProject(project, async (db) => {
    const row = await queries.lockDomain(db, project, id)
    if (row?.certificate !== 'issued') return
    const after = await write(db, deps, project, row, [{ kind: 'certificate_deployed' }])
    await rerouteIfChanged(db, project, row, after)
  })

export type Removed = {
  removedAt: Instant
  /** The number of the change that edges have to confirm; null if they never heard of the name. */
  seq: number | null
}

/** The name is free at once. What it was set up for ends with it. */
export const remove = (
  deps: DomainAdvanceDeps,
  { project, account }: { project: ProjectId; account: string },
  hostname: string,
): Promise<Removed | undefined> =>
  deps.turns.alone(hostname, () =>
    patiently(() =>
      deps.inProject(project, async (db) => {
        const { holder } = await directory.lockHostname(db, hostname)
        const found = await queries.findDomain(db, project, hostname)
        const row = found && (await queries.lockDomain(db, project, found.id))
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

/** Somebody watches it, for a little while from now. */
export const watch = ({ inProject, now }: DomainAdvanceDeps, project: ProjectId, hostname: string): Promise<void> =>
  inProject(project, async (db) => {
    const at = now()
    const id = await queries.watch(db, project, hostname, { until: at + WATCHED_FOR, lookAt: at + WATCHED })
    if (id !== undefined) await bringForward(db, { kind: DOMAIN_DUE, project, id }, WATCHED / SECOND)
  })

/** What the plan makes of all domains of a project, at once. What was paused is looked at as soon as it may be. */
export async function planChanged(
  deps: Pick<DomainAdvanceDeps, 'inProject' | 'now'>,
  project: ProjectId,
  isAllowed: boolean,
): Promise<void> {
  const { inProject } = deps
  const all = await inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  // One at a time: whoever holds many rows is in everybody's way.
  for (const { id } of all) {
    await inProject(project, async (db) => {
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

/** Of a project that was deleted: every name is free. */
export async function forgetProject(deps: DomainAdvanceDeps, project: ProjectId, actor: string): Promise<void> {
  const all = await deps.inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  for (const { hostname } of all) await remove(deps, { project, account: actor }, hostname)
}

/** State, history, timer, and a word to those who watch; with what became of the certificate since. */
async function write(
  db: Db,
  deps: Pick<DomainAdvanceDeps, 'now'>,
  project: ProjectId,
  row: DomainRow,
  facts: readonly Fact[],
): Promise<DomainRow> {
  const now = deps.now()
  const standing = await certificateStatusOf(db, row, now)
  const news = certificateEvents(row, standing, now)
  const { life, events, effects } = next(row, [...certificateFacts(row.certificate, standing), ...facts], now)
  const isGone = life.removedAt !== null
  const after = { ...row, ...life, ...news.told, generation: isGone ? null : row.generation }
  await queries.saveDomain(db, project, after)
  for (const event of [...news.events, ...events]) await queries.insertEvent(db, project, row.id, event, now)
  const due = { kind: DOMAIN_DUE, project, id: row.id }
  if (life.nextLookAt === null) await clearTimer(db, due)
  else await setTimer(db, due, Math.max(0, (life.nextLookAt - now) / SECOND))
  if (isGone) await queries.dropSettingsOf(db, project, row.id)
  if (isGone) await directory.endShares(db, project, row.id)
  // After the timer of the domain, which whoever makes certificates locks first too.
  if (isGone && row.generation !== null) await dropCertificate(db, deps, row.hostname)
  if (!isServed(row) && isServed(after)) await replaceDefaultAddress(db, project, after, now)
  if (news.events.length > 0 || effects.includes('tell_watchers')) await directory.notifyDomain(db, project, row.id)
  return after
}

/** How its certificate stands; undefined if none is wanted for the name as this project holds it. */
export async function certificateStatusOf(
  db: Db,
  { hostname, generation }: Pick<DomainRow, 'hostname' | 'generation'>,
  now: Instant,
): Promise<CertificateStatus | undefined> {
  const standing = generation === null ? undefined : await stateOf(db, hostname, now)
  return standing?.generation === generation ? standing : undefined
}

const TRIES = 5

/** Another process may have the row for longer than a lock is waited for. Nothing was done then, so try again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt >= TRIES) throw error
    }
  }
}
