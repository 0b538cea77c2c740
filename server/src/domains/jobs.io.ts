// Observe, judge, advance: a look at a domain, the same whether somebody asked for
// it or its time has come. Here too what people do with domains: add, verify,
// remove, read. A look in the background never moves a name from another project;
// only a person who asks may, with a fresh proof.

import { hash } from 'node:crypto'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import { findCertificate, type StoredCertificate } from '../certificates/stored-queries.ts'
import { findRoute } from '../fleet/directory.io.ts'
import { isEverywhere, type Confirmation } from '../fleet/confirmations.ts'
import { awaitConfirmed } from '../fleet/jobs.io.ts'
import { namesUpward } from '../foundation/dns/names.ts'
import type { Timer, TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { HOUR, SECOND, type Instant } from '../foundation/time.ts'
import { limitsOf } from '../plans/limits.ts'
import type { Member } from '../projects/membership.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as advance from './advance.io.ts'
import { CLAIM_SECONDS, domainNotFound, type DomainAdvanceDeps, type Concluded } from './advance.io.ts'
import { certificateFacts, certificateTrouble } from './lifecycle/certificate-facts.ts'
import * as directory from './store/directory.io.ts'
import { wantedOf, type Evidence, type Known, type PlatformNames, type Wanted } from './observing/evidence.ts'
import { judge } from './judging/judge.ts'
import type { Judgement } from './judging/judgement.ts'
import { answersOf, firstCheckOf, hasChanged, slugsIn, wantsFull } from './lifecycle/light-check.ts'
import * as lookQueries from './store/check-queries.ts'
import * as queries from './store/domain-queries.ts'
import type { DomainRow } from './store/domain-queries.ts'
import { isServed, statusOf, type Status } from './lifecycle/status.ts'
import { withFreshToken } from './store/token-queries.ts'
import type { Holding } from './lifecycle/ownership-decision.ts'

export type { DomainRow } from './store/domain-queries.ts'

export type ObserveOptions = {
  now: Instant
  /** A light look asks one nameserver for little. */
  isFull: boolean
  /** Which nameserver a light look asks: another one each time. */
  rotation: number
}

export type DomainDeps = DomainAdvanceDeps & {
  database: Pick<Database, 'run'>
  observe: (wanted: Wanted, options: ObserveOptions) => Promise<Evidence>
  platform: PlatformNames
}

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

const confirmationsOf = async ({ database }: DomainDeps, seq: number | null, patienceMs: number) =>
  seq === null ? [] : awaitConfirmed(database.run, seq, { patienceMs })

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

const AGAIN_SECONDS = 5

/** What is due of domains: each is looked at, and says itself when it wants to be looked at again. */
export const domainWork = (deps: DomainDeps): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const errand = { project, id: due.id, isAsked: false, actor: 'petstore', due, typed: null }
    // The timer was set in the same transaction as the state. If nothing was written it must not be lost, unless
    // somebody else has set it by now.
    return (await checkDomain(deps, errand)) === 'late' ? AGAIN_SECONDS : undefined
  },
})

const SWEEP_BATCH = 500

/** Links that have ended are forgotten. */
export const shareSweepWork = ({ database: { run }, now }: Pick<DomainDeps, 'database' | 'now'>): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  work: async () => ((await directory.sweepShares(run, now(), SWEEP_BATCH)) >= SWEEP_BATCH ? 1 : HOUR / SECOND),
})

type CheckJob = {
  project: ProjectId
  id: string
  isAsked: boolean
  actor: string
  due: Timer | null
  typed: string | null
}

/** A name changes hands rarely; who is overtaken this often leaves it to the next look. */
const ROUNDS_MAX = 10

/** Looks, and waits for the edges where that is all that is left. */
export async function checkDomain(deps: DomainDeps, errand: CheckJob): Promise<Concluded> {
  const prepared = await prepare(deps, errand)
  if (!prepared) return 'gone'
  const concluded = await look(deps, errand, prepared)
  // What is served is with the edges already.
  if (concluded === 'done' && !isServed(prepared.row)) await deploy(deps, errand)
  return concluded
}

const DEPLOY_PATIENCE_MS = 1000

/** A certificate is deployed when every edge that we hear of has the name; if one is slow, the next look asks again. */
async function deploy(deps: DomainDeps, { project, id }: CheckJob): Promise<void> {
  const row = await deps.inProject(project, (db) => queries.findDomainById(db, project, id))
  if (row?.certificate !== 'issued') return
  const route = await findRoute(deps.database.run, row.hostname)
  const confirmations = await confirmationsOf(deps, route?.seq ?? null, DEPLOY_PATIENCE_MS)
  if (isEverywhere(confirmations)) await advance.deployed(deps, project, id)
}

async function look(deps: DomainDeps, errand: CheckJob, prepared: Prepared): Promise<Concluded> {
  const { project, id, due } = errand
  if (!prepared.slug) {
    await advance.remove(deps, { project, account: 'petstore' }, prepared.row.hostname)
    return 'gone'
  }
  if (!prepared.known.planAllows) return advance.goOn(deps, { project, id, due, facts: [{ kind: 'plan_lapsed' }] })
  if (hasOnlyCertificateChange(prepared, errand, deps.now())) return advance.goOn(deps, { project, id, due, facts: [] })

  const evidence = await observed(deps, prepared, errand.isAsked)
  // The plan may have been restored since.
  if (!evidence) return advance.goOn(deps, { project, id, due, facts: [{ kind: 'plan_restored' }] })
  return concludeWith(deps, errand, prepared, evidence)
}

/** Before its time: whoever makes certificates has something to say. */
const hasCertificateChange = ({ row, standing }: Prepared, now: Instant): boolean =>
  standing !== undefined && row.nextLookAt !== null && row.nextLookAt > now + SECOND / 2

/** What is told may come in the very moment of a look, which must not pass over it because DNS says nothing new. */
const isMoved = ({ row, standing }: Prepared): boolean => certificateFacts(row.certificate, standing).length > 0

/** The certificate has gone on, and nothing was or is wrong with it: DNS need not be asked for that. */
const hasOnlyCertificateChange = (prepared: Prepared, { isAsked, due }: CheckJob, now: Instant): boolean =>
  !isAsked &&
  due !== null &&
  hasCertificateChange(prepared, now) &&
  prepared.row.cause === null &&
  !prepared.known.certificate

/** Judged under what holds now, and again if that has changed before it could be written. */
async function concludeWith(
  deps: DomainDeps,
  errand: CheckJob,
  first: Prepared,
  evidence: Evidence,
): Promise<Concluded> {
  const otherProjects = await projectsIn(deps, first, evidence)
  let prepared = first
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { row, wanted, holding, remembered } = prepared
    const known = { ...prepared.known, otherProjects }
    const now = deps.now()
    const judgement = judge({ wanted, evidence, known }, now)
    const text = JSON.stringify(judgement)
    // What the servers said is kept whenever it changed, or light looks would take it for news for ever.
    const isNew = errand.isAsked || remembered?.judgement !== text || hasChanged(remembered.answers, evidence)
    const concluded = await advance.conclude(deps, {
      ...errand,
      row,
      holding,
      judgement,
      digest: hash('sha256', `${JSON.stringify(answersOf(evidence))} ${judgement.authorities.join(' ')}`),
      planAllows: known.planAllows,
      kept: isNew ? kept(evidence, text) : null,
    })
    if (concluded !== 'again') return concluded
    const again = await prepare(deps, errand)
    if (!again) return 'gone'
    prepared = again
  }
  return 'late'
}

const LOOKS_KEPT = 300

const kept = (evidence: Evidence, judgement: string) => ({
  at: evidence.at,
  judgement,
  evidence: JSON.stringify({ ...evidence, looks: evidence.looks.slice(0, LOOKS_KEPT) }),
  answers: JSON.stringify(answersOf(evidence)),
  firstLook: JSON.stringify(firstCheckOf(evidence)),
})

/** What a look saw; null if it was a light one that heard nothing new. */
async function observed({ observe, now }: DomainDeps, prepared: Prepared, isAsked: boolean): Promise<Evidence | null> {
  const { row, wanted, remembered } = prepared
  const at = now()
  const options = { now: at, rotation: Math.floor(at / SECOND) }
  const isFull =
    isAsked ||
    !remembered ||
    hasCertificateChange(prepared, at) ||
    isMoved(prepared) ||
    wantsFull(row, row.fullyLookedAt, at)
  if (!isFull && !hasChanged(remembered.answers, await observe(wanted, { ...options, isFull: false }))) return null
  return observe(wanted, { ...options, isFull: true })
}

type Prepared = {
  row: DomainRow
  /** How its certificate stands; undefined if none is wanted. */
  standing: CertificateStatus | undefined
  /** Undefined: the project is gone. */
  slug: string | undefined
  wanted: Wanted
  known: Known
  holding: Holding
  remembered: lookQueries.CachedCheck | undefined
}

/** Everything that must be known before DNS is asked. Undefined if the domain was removed. */
const prepare = (deps: DomainDeps, { project, id, typed }: CheckJob): Promise<Prepared | undefined> =>
  deps.inProject(project, async (db) => {
    const found = await queries.findDomainById(db, project, id)
    if (!found) return undefined
    const { hostname } = found
    const owner = await findProject(db, project)
    const holding = await directory.findHolding(db, hostname)
    const guard = await directory.findGuard(db, namesUpward(hostname).slice(1))
    const row = await withFreshToken(db, project, deps, found, holding)
    const remembered = await lookQueries.findCachedCheck(db, project, id)
    const standing = await advance.certificateStatusOf(db, row, deps.now())
    return {
      row,
      standing,
      slug: owner?.slug,
      holding,
      remembered,
      wanted: wantedOf(deps.platform, owner?.slug ?? '', hostname, row.token),
      known: {
        planAllows: owner !== undefined && limitsOf(owner.plan).customDomains !== 0,
        isHeldByOther: holding.holder !== null && holding.holder.project !== project,
        isGuardedByOther: guard !== undefined && guard !== project,
        isProven: row.ownership === 'proven',
        isCnameOlder: owner !== undefined && (await directory.wasSighted(db, hostname, owner.slug)),
        wasTokenSeen: row.wasTokenSeen,
        staleTokens: row.staleTokens,
        otherProjects: [],
        firstLook: remembered?.firstLook ?? null,
        isLive: isServed(row),
        certificate: certificateTrouble(standing),
        typed,
      },
    }
  })

/** Default hosts of others that the name points at. What is nobody's is remembered, so that it names nobody later. */
async function projectsIn(
  { database: { run }, platform }: DomainDeps,
  { slug, wanted }: Prepared,
  evidence: Evidence,
): Promise<string[]> {
  const slugs = slugsIn(evidence, platform.host).filter((found) => found !== slug)
  if (slugs.length === 0) return []
  const known = await directory.knownSlugs(run, slugs)
  for (const unknown of slugs.filter((found) => !known.includes(found))) {
    await directory.recordSighting(run, wanted.hostname, unknown)
  }
  return known.map((found) => `${found}.${platform.host}`)
}
