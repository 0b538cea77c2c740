// Checks one domain: observe, judge, advance. The check is the same whether a member requested
// it or its timer is due. A background check never moves a hostname from another project; only
// a member who requests a check can, with a fresh proof.

import { hash } from 'node:crypto'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import { isEverywhere } from '../fleet/confirmations.ts'
import { findRoute } from '../fleet/directory.io.ts'
import { awaitConfirmed } from '../fleet/jobs.io.ts'
import { namesUpward } from '../foundation/dns/hostname.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Timer } from '../foundation/postgres/timer-leases.io.ts'
import { SECOND, type Instant } from '../foundation/time.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as advance from './advance.io.ts'
import type { DomainAdvanceDeps, Concluded } from './advance.io.ts'
import { judge } from './judging/judge.ts'
import { certificateFacts, certificateTrouble } from './lifecycle/facts.ts'
import { answersOf, firstCheckOf, hasChanged, slugsIn, wantsFull } from './lifecycle/light-check.ts'
import type { Holding } from './lifecycle/ownership-decision.ts'
import { isServed } from './lifecycle/status.ts'
import { wantedOf, type Evidence, type Known, type PlatformNames, type Wanted } from './observing/evidence.ts'
import type { ObserveOptions } from './observing/observe.io.ts'
import * as checkQueries from './store/check-queries.ts'
import * as directory from './store/directory.io.ts'
import * as queries from './store/domain-queries.ts'
import type { DomainRow } from './store/domain-queries.ts'
import { withFreshToken } from './store/token-queries.ts'

export type DomainDeps = DomainAdvanceDeps & {
  database: Pick<Database, 'run'>
  observe: (wanted: Wanted, options: ObserveOptions) => Promise<Evidence>
  platform: PlatformNames
}

type CheckJob = {
  project: ProjectId
  id: string
  isAsked: boolean
  actor: string
  due: Timer | null
  typed: string | null
}

/** A hostname changes hands rarely; a check that is overtaken this often is left to the next one. */
const ROUNDS_MAX = 10

/** Runs a check, and waits for the edges if nothing else is left to do. */
export async function checkDomain(deps: DomainDeps, job: CheckJob): Promise<Concluded> {
  const prepared = await prepare(deps, job)
  if (!prepared) return 'gone'
  const concluded = await runCheck(deps, job, prepared)
  // A served hostname is on the edges already.
  if (concluded === 'done' && !isServed(prepared.row)) await deploy(deps, job)
  return concluded
}

/** For each edge, whether it has confirmed the route with this sequence number. */
export const confirmationsOf = async ({ database }: DomainDeps, seq: number | null, patienceMs: number) =>
  seq === null ? [] : awaitConfirmed(database.run, seq, { patienceMs })

const DEPLOY_PATIENCE_MS = 1000

/**
 * A certificate counts as deployed when every connected edge has the hostname; if one is slow, the next check tries
 * again.
 */
async function deploy(deps: DomainDeps, { project, id }: CheckJob): Promise<void> {
  const row = await deps.inProject(project, (db) => queries.findDomainById(db, project, id))
  if (row?.certificate !== 'issued') return
  const route = await findRoute(deps.database.run, row.hostname)
  const confirmations = await confirmationsOf(deps, route?.seq ?? null, DEPLOY_PATIENCE_MS)
  if (isEverywhere(confirmations)) await advance.deployed(deps, project, id)
}

async function runCheck(deps: DomainDeps, job: CheckJob, prepared: Prepared): Promise<Concluded> {
  const { project, id, due } = job
  if (!prepared.slug) {
    await advance.remove(deps, { project, account: 'petstore' }, prepared.row.hostname)
    return 'gone'
  }
  if (!prepared.known.planAllows)
    return advance.applyFacts(deps, { project, id, due, facts: [{ kind: 'plan_lapsed' }] })
  if (hasOnlyCertificateChange(prepared, job, deps.now()))
    return advance.applyFacts(deps, { project, id, due, facts: [] })

  const evidence = await observed(deps, prepared, job.isAsked)
  // The plan may have been restored since the last check.
  if (!evidence) return advance.applyFacts(deps, { project, id, due, facts: [{ kind: 'plan_restored' }] })
  return concludeWith(deps, job, prepared, evidence)
}

/** The check runs before its time because the certificate worker has reported a change. */
const hasCertificateChange = ({ row, certificateStatus }: Prepared, now: Instant): boolean =>
  certificateStatus !== undefined && row.nextCheckAt !== null && row.nextCheckAt > now + SECOND / 2

/** A change of the certificate can arrive during a check, which must not skip it because DNS has not changed. */
const hasCertificateFacts = ({ row, certificateStatus }: Prepared): boolean =>
  certificateFacts(row.certificate, certificateStatus).length > 0

/** Only the certificate has changed, and neither had nor has a trouble: no DNS query is needed for that. */
const hasOnlyCertificateChange = (prepared: Prepared, { isAsked, due }: CheckJob, now: Instant): boolean =>
  !isAsked &&
  due !== null &&
  hasCertificateChange(prepared, now) &&
  prepared.row.cause === null &&
  !prepared.known.certificate

/** Judges under the present holding, and again if that has changed before the result could be written. */
async function concludeWith(deps: DomainDeps, job: CheckJob, first: Prepared, evidence: Evidence): Promise<Concluded> {
  const otherProjects = await projectsIn(deps, first, evidence)
  let prepared = first
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { row, wanted, holding, cached } = prepared
    const known = { ...prepared.known, otherProjects }
    const now = deps.now()
    const judgement = judge({ wanted, evidence, known }, now)
    const text = JSON.stringify(judgement)
    // Answers are stored whenever they change, or every later light check would report the same change again.
    const isNew = job.isAsked || cached?.judgement !== text || hasChanged(cached.answers, evidence)
    const concluded = await advance.conclude(deps, {
      ...job,
      row,
      holding,
      judgement,
      digest: hash('sha256', `${JSON.stringify(answersOf(evidence))} ${judgement.authorities.join(' ')}`),
      planAllows: known.planAllows,
      kept: isNew ? kept(evidence, text) : null,
    })
    if (concluded !== 'again') return concluded
    const again = await prepare(deps, job)
    if (!again) return 'gone'
    prepared = again
  }
  return 'late'
}

const LOOKUPS_KEPT = 300

const kept = (evidence: Evidence, judgement: string) => ({
  at: evidence.at,
  judgement,
  evidence: JSON.stringify({ ...evidence, looks: evidence.looks.slice(0, LOOKUPS_KEPT) }),
  answers: JSON.stringify(answersOf(evidence)),
  firstCheck: JSON.stringify(firstCheckOf(evidence)),
})

/** The evidence of a check; null if it was a light one that found no change. */
async function observed({ observe, now }: DomainDeps, prepared: Prepared, isAsked: boolean): Promise<Evidence | null> {
  const { row, wanted, cached } = prepared
  const at = now()
  const options = { now: at, rotation: Math.floor(at / SECOND) }
  const isFull =
    isAsked ||
    !cached ||
    hasCertificateChange(prepared, at) ||
    hasCertificateFacts(prepared) ||
    wantsFull(row, row.fullyCheckedAt, at)
  if (!isFull && !hasChanged(cached.answers, await observe(wanted, { ...options, isFull: false }))) return null
  return observe(wanted, { ...options, isFull: true })
}

type Prepared = {
  row: DomainRow
  /** The status of its certificate; undefined if none is wanted. */
  certificateStatus: CertificateStatus | undefined
  /** Undefined: the project has been deleted. */
  slug: string | undefined
  wanted: Wanted
  known: Known
  holding: Holding
  cached: checkQueries.CachedCheck | undefined
}

/** Reads everything that a check needs before its DNS queries. Undefined if the domain was removed. */
const prepare = (deps: DomainDeps, { project, id, typed }: CheckJob): Promise<Prepared | undefined> =>
  deps.inProject(project, async (db) => {
    const found = await queries.findDomainById(db, project, id)
    if (!found) return undefined
    const { hostname } = found
    const owner = await findProject(db, project)
    const holding = await directory.findHolding(db, hostname)
    const guard = await directory.findGuard(db, namesUpward(hostname).slice(1))
    const row = await withFreshToken(db, project, deps, found, holding)
    const cached = await checkQueries.findCachedCheck(db, project, id)
    const certificateStatus = await advance.certificateStatusOf(db, row, deps.now())
    return {
      row,
      certificateStatus,
      slug: owner?.slug,
      holding,
      cached,
      wanted: wantedOf(deps.platform, owner?.slug ?? '', hostname, row.token),
      known: {
        planAllows: owner !== undefined && deps.plans.most(owner.plan, 'customDomains') > 0,
        isHeldByOther: holding.holder !== null && holding.holder.project !== project,
        isGuardedByOther: guard !== undefined && guard !== project,
        isProven: row.ownership === 'proven',
        isCnameOlder: owner !== undefined && (await directory.wasSighted(db, hostname, owner.slug)),
        wasTokenSeen: row.wasTokenSeen,
        staleTokens: row.staleTokens,
        otherProjects: [],
        firstCheck: cached?.firstCheck ?? null,
        isLive: isServed(row),
        certificate: certificateTrouble(certificateStatus),
        typed,
      },
    }
  })

/**
 * Default hosts of other projects that the hostname points at. A slug that no project has is recorded, so that its
 * later owner is not proven by an old record.
 */
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
