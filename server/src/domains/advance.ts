// The one writer of domains. Whatever happens to one happens here, in one
// transaction: its state, its history, its timer, and who has its name; all of it,
// or nothing is. Facts were gathered before: no transaction is open while we wait
// for DNS. The rows are locked in one order, always: the hostname, the domains, the
// timer; so no two of these ever wait for each other.
//
// What was judged counts only if the hostname's generation is still the one that it
// was judged under; else it must be judged again. A worker whose claim is over
// writes nothing. A person who asks raises the fence, and so wins against a worker
// on its way.

import { clearDue, holdDue, hurryDue, setDue, type Due } from '../foundation/due.ts'
import { Unavailable, type Db } from '../foundation/postgres.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND, type Clock, type Instant } from '../foundation/time.ts'
import type { Turns } from '../foundation/turns.ts'
import type { Member } from '../projects/access.ts'
import { lockProject, note, type ProjectRow } from '../projects/queries.ts'
import type { InProject, InProjects, ProjectId } from '../projects/scope.ts'
import { WATCHED } from './cadence.ts'
import * as directory from './directory.ts'
import { factsOf } from './facts.ts'
import type { DomainEvent } from './happened.ts'
import type { Judgement } from './judgement.ts'
import { next, type Fact, type Life } from './lifecycle.ts'
import * as lookQueries from './look-queries.ts'
import * as queries from './queries.ts'
import type { DomainRow, KeptToken } from './queries.ts'
import { decide, isFresh, newToken, type Decision, type Holding } from './tokens.ts'

export const DOMAIN_DUE = 'domain'

/** For how long a worker that says nothing is believed to be alive: a look takes a few seconds at most. */
export const CLAIM_SECONDS = 30

const WATCHED_FOR = 15 * SECOND
/** A person's own look is over by then; if not, the background takes over. */
const ASKED_SECONDS = 15
const STALE_TOKENS_MAX = 5

export type AdvanceDeps = {
  inProject: InProject
  inProjects: InProjects
  now: Clock
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  /** Of one process only one waits for a name's row, so that many at once do not use up its connections. */
  turns: Turns
}

/** The same for a name that was never added and for one of another project. */
export const domainNotFound = () => new Refusal('not_found', 'This project has no domain of this name.')

/** What must hold for one more domain; throws a refusal if it does not. Asked while nobody else adds one. */
export type Admit = (db: Db, project: Pick<ProjectRow, 'plan'> & { domains: number }) => Promise<void> | void

/** A pending claim: it blocks nobody, and proves nothing. Gives its id; undefined if it is there already. */
export const add = (
  deps: AdvanceDeps,
  { project, account }: Pick<Member, 'project' | 'account'>,
  hostname: string,
  admit: Admit,
): Promise<string | undefined> =>
  deps.inProject(project, async (db) => {
    const found = await lockProject(db, project)
    if (!found) throw new Refusal('not_found', 'No project with this slug.')
    if (await queries.findDomain(db, project, hostname)) return undefined
    await admit(db, { plan: found.plan, domains: await queries.countDomains(db, project) })
    const id = deps.newId('dom')
    const now = deps.now()
    const token = await tokenFor(db, deps, project, hostname)
    if (!(await queries.insertDomain(db, project, { id, hostname, addedAt: now }, token))) return undefined
    await queries.insertEvent(db, project, id, { kind: 'domain.added', code: null }, now)
    await note(db, project, { actor: account, action: 'domain_added', subject: hostname })
    await setDue(db, { kind: DOMAIN_DUE, project, id }, ASKED_SECONDS)
    return id
  })

/** While nobody else was verified, a name that is added again keeps its token. */
async function tokenFor(
  db: Db,
  { randomBytes }: AdvanceDeps,
  project: ProjectId,
  hostname: string,
): Promise<KeptToken> {
  const holding = await directory.findHolding(db, hostname)
  const kept = await queries.lastToken(db, project, hostname)
  if (kept && isFresh(kept.tokenGeneration, project, holding)) return kept
  return replaced(kept, newToken(randomBytes), holding)
}

const replaced = (old: KeptToken | undefined, token: string, { generation }: Holding): KeptToken => ({
  token,
  tokenGeneration: generation,
  staleTokens: old ? [old.token, ...old.staleTokens].slice(0, STALE_TOKENS_MAX) : [],
})

/** With a token that still proves something: one that is older than another project's proof is replaced. */
export async function withFreshToken(
  db: Db,
  { randomBytes }: AdvanceDeps,
  project: ProjectId,
  row: DomainRow,
  holding: Holding,
): Promise<DomainRow> {
  if (isFresh(row.tokenGeneration, project, holding)) return row
  const locked = await queries.lockDomain(db, project, row.id)
  if (!locked || isFresh(locked.tokenGeneration, project, holding)) return locked ?? row
  const token = replaced(locked, newToken(randomBytes), holding)
  await queries.saveToken(db, project, row.id, token)
  return { ...locked, ...token, wasTokenSeen: false }
}

/** Somebody asks for it: the cadence begins anew, and what is under way in the background comes too late. */
export const ask = ({ inProject, now }: AdvanceDeps, project: ProjectId, hostname: string): Promise<DomainRow> =>
  patiently(() =>
    inProject(project, async (db) => {
      const found = await queries.findDomain(db, project, hostname)
      const row = found && (await queries.lockDomain(db, project, found.id))
      if (!row) throw domainNotFound()
      const { life } = await write(db, project, row, [{ kind: 'asked' }], now())
      await setDue(db, { kind: DOMAIN_DUE, project, id: row.id }, ASKED_SECONDS)
      return { ...row, ...life }
    }),
  )

export type Looked = {
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
  due: Due | null
  /** What to keep of a full look; null if it says nothing new. */
  kept: { at: Instant; judgement: string; evidence: string; answers: string; firstLook: string } | null
}

/** `again`: the name has changed hands meanwhile, so judge anew. `late`: somebody else looks after it by now. */
export type Concluded = 'done' | 'again' | 'gone' | 'late'

/** Brings what a full look came to into the domain's life. */
export function conclude(deps: AdvanceDeps, looked: Looked): Promise<Concluded> {
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

async function settle(db: Db, deps: AdvanceDeps, looked: Looked, decision: Decision): Promise<Concluded> {
  const { project, holding, judgement, planAllows, due, kept, actor } = looked
  const { id, hostname } = looked.row
  const row = await queries.lockDomain(db, project, id)
  if (!row) return 'gone'
  if (row.token !== looked.row.token) return 'again'
  if (due && !(await holdDue(db, due, CLAIM_SECONDS))) return 'late'

  const now = deps.now()
  const isTaken = decision === 'takes' || decision === 'moves'
  if (decision === 'moves' && holding.holder) await moveAway(db, holding.holder, { hostname, now })
  const changes = {
    fullyLookedAt: now,
    ...(isTaken && { generation: await directory.take(db, hostname, project, id) }),
    ...((isTaken || decision === 'has') && judgement.proof === 'txt' && { wasTokenSeen: true }),
  }
  await write(db, project, { ...row, ...changes }, factsOf(judgement, decision, planAllows), now)
  if (kept) await lookQueries.saveLook(db, project, id, kept)
  if (isTaken) await note(db, project, { actor, action: 'domain_verified', subject: hostname })
  return 'done'
}

/** The former holder's side of a move: it ends there in the same moment as it begins here. */
async function moveAway(
  db: Db,
  { project, domain }: { project: ProjectId; domain: string },
  { hostname, now }: { hostname: string; now: Instant },
): Promise<void> {
  const row = await queries.lockDomain(db, project, domain)
  if (!row) return
  await write(db, project, row, [{ kind: 'proven_by_another' }], now)
  await note(db, project, { actor: 'petstore', action: 'domain_moved', subject: hostname })
}

/** A light look that heard nothing new, or a domain that rests: only its time goes on. */
export const goOn = (
  { inProject, now }: AdvanceDeps,
  { project, id, due, facts }: { project: ProjectId; id: string; due: Due | null; facts: readonly Fact[] },
): Promise<Concluded> =>
  inProject(project, async (db) => {
    const row = await queries.lockDomain(db, project, id)
    if (!row) return 'gone'
    if (due && !(await holdDue(db, due, CLAIM_SECONDS))) return 'late'
    const at = now()
    await write(db, project, { ...row, lookedAt: at }, facts, at)
    return 'done'
  })

/** The name is free at once. What it was set up for ends with it. */
export const remove = (
  { inProject, now, turns }: AdvanceDeps,
  { project, account }: { project: ProjectId; account: string },
  hostname: string,
): Promise<Instant | undefined> =>
  turns.alone(hostname, () =>
    patiently(() =>
      inProject(project, async (db) => {
        const { holder } = await directory.lockHostname(db, hostname)
        const found = await queries.findDomain(db, project, hostname)
        const row = found && (await queries.lockDomain(db, project, found.id))
        if (!row) return undefined
        if (holder?.domain === row.id) await directory.release(db, hostname)
        const { life } = await write(db, project, row, [{ kind: 'removal_requested' }], now())
        await note(db, project, { actor: account, action: 'domain_removed', subject: hostname })
        return life.removedAt ?? undefined
      }),
    ),
  )

/** Somebody watches it, for a little while from now. */
export const watch = ({ inProject, now }: AdvanceDeps, project: ProjectId, hostname: string): Promise<void> =>
  inProject(project, async (db) => {
    const at = now()
    const id = await queries.watch(db, project, hostname, { until: at + WATCHED_FOR, lookAt: at + WATCHED })
    if (id !== undefined) await hurryDue(db, { kind: DOMAIN_DUE, project, id }, WATCHED / SECOND)
  })

/** What the plan makes of all domains of a project, at once. What was paused is looked at as soon as it may be. */
export async function planChanged(
  { inProject, now }: Pick<AdvanceDeps, 'inProject' | 'now'>,
  project: ProjectId,
  isAllowed: boolean,
): Promise<void> {
  const all = await inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  // One at a time: whoever holds many rows is in everybody's way.
  for (const { id } of all) {
    await inProject(project, async (db) => {
      const row = await queries.lockDomain(db, project, id)
      if (!row || (row.rest === 'paused') === !isAllowed) return
      await write(db, project, row, [{ kind: isAllowed ? 'plan_restored' : 'plan_lapsed' }], now())
      if (isAllowed) await setDue(db, { kind: DOMAIN_DUE, project, id })
    })
  }
}

/** More than any plan includes. */
const ALL = 100_000

/** Of a project that was deleted: every name is free. */
export async function forgetProject(deps: AdvanceDeps, project: ProjectId, actor: string): Promise<void> {
  const all = await deps.inProject(project, (db) => queries.listDomains(db, project, '', ALL))
  for (const { hostname } of all) await remove(deps, { project, account: actor }, hostname)
}

export type SettingsChange = {
  id: string
  kind: 'domain.primary_changed' | 'domain.redirect_changed'
  detail: Readonly<Record<string, string | number | null>>
}

/** Into the history of each domain that it is about. For whoever has locked the domains, before the settings. */
export async function settingsChanged(
  db: Db,
  project: ProjectId,
  changes: readonly SettingsChange[],
  now: Instant,
): Promise<void> {
  for (const { id, kind, detail } of changes) {
    await queries.insertEvent(db, project, id, { kind, code: null, detail }, now)
    await directory.tell(db, project, id)
  }
}

/** State, history, timer, and a word to those who watch. */
async function write(
  db: Db,
  project: ProjectId,
  row: DomainRow,
  facts: readonly Fact[],
  now: Instant,
): Promise<{ life: Life; events: readonly DomainEvent[] }> {
  const { life, events, effects } = next(row, facts, now)
  const isGone = life.removedAt !== null
  await queries.saveDomain(db, project, { ...row, ...life, generation: isGone ? null : row.generation })
  for (const event of events) await queries.insertEvent(db, project, row.id, event, now)
  const due = { kind: DOMAIN_DUE, project, id: row.id }
  if (life.nextLookAt === null) await clearDue(db, due)
  else await setDue(db, due, Math.max(0, (life.nextLookAt - now) / SECOND))
  if (isGone) await queries.dropSettingsOf(db, project, row.id)
  if (effects.includes('tell_watchers')) await directory.tell(db, project, row.id)
  return { life, events }
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
