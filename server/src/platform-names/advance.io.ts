// The only writer of the platform's own names: it requests or drops a certificate, and puts or ends
// the route of the name, in one transaction. Rows are locked in the order of decision 18: the name's
// timer, the desired certificate, and the clock of the host table last.

import { dropCertificate, findServable, requestCertificate, stateOf } from '../certificates/advance.io.ts'
import { findDesired } from '../certificates/certificate-queries.ts'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import type { Keys } from '../certificates/key-encryption.io.ts'
import { endRoute, findRoute, putRoute, type Leads } from '../fleet/directory.io.ts'
import type { Route } from '../fleet/protocol.ts'
import { wildcardOf } from '../fleet/table-name.ts'
import type { Context } from '../foundation/context.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, setTimer, type Timer } from '../foundation/postgres/timer-leases.io.ts'
import { DAY, HOUR, SECOND } from '../foundation/time.ts'
import { findSlug } from '../projects/directory.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { findCurrent } from '../sites/publishing/deployment-queries.ts'
import {
  decide,
  leadsOf,
  roleOf,
  siteNameOf,
  troubleOf,
  type NameFacts,
  type NameRole,
  type PlatformSettings,
} from './desired.ts'
import { NAME_DUE, PLATFORM_CLIENT } from './directory.io.ts'

export type PlatformNamesDeps = Pick<Context, 'database' | 'now' | 'newId'> & {
  inProject: InProject
  keys: Keys
  settings: PlatformSettings
  /** The authorities that may issue them, the preferred one first. */
  authorities: readonly string[]
  /** The registrable domain of a name, by which authorities count. */
  registeredOf: (hostname: string) => string
  /** Receives a sentence about a certificate that could not be ordered. */
  onTrouble: (sentence: string) => void
}

const CLAIM_SECONDS = 30

/** Brings one name to its desired state. Returns the seconds until it is looked at again. */
export async function settleName(deps: PlatformNamesDeps, due: Timer): Promise<number | void> {
  const { database, settings, now: clock } = deps
  const hostname = due.id
  const role = roleOf(hostname, settings)
  const decision = decide(role, settings.tls, await factsOf(deps, role, hostname))
  if (decision === 'keep') return HOUR / SECOND
  await database.transaction({}, async (db) => {
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) return
    if (decision === 'release' || role === undefined) await release(db, deps, hostname)
    else await request(db, deps, hostname, role)
  })
  if (decision === 'release') return undefined
  const now = clock()
  const status = await stateOf(database.run, hostname, now)
  const trouble = status && troubleOf(hostname, status)
  if (trouble !== undefined) deps.onTrouble(trouble)
  // Changes of the certificate set the timer; this is for everything that no one reports, such as a deleted project.
  return (isServed(status, now) ? DAY : HOUR) / SECOND
}

const isServed = (status: CertificateStatus | undefined, now: number) =>
  status?.notAfter !== null && status?.notAfter !== undefined && status.notAfter > now

async function factsOf(
  { database: { run }, inProject }: PlatformNamesDeps,
  role: NameRole | undefined,
  hostname: string,
): Promise<NameFacts> {
  if (role?.kind !== 'site') return { isPublished: false, isCovered: false }
  const project = await findSlug(run, role.slug)
  const isPublished = project !== undefined && (await inProject(project, (db) => hasSite(db, project)))
  return {
    isPublished,
    isCovered: (await findRoute(run, wildcardOf(hostname.slice(role.slug.length + 1))))?.kind === 'wildcard',
  }
}

const hasSite = async (db: Db, project: ProjectId): Promise<boolean> =>
  (await findProject(db, project)) !== undefined && (await findCurrent(db, project)) !== undefined

async function request(db: Db, deps: PlatformNamesDeps, hostname: string, role: NameRole): Promise<void> {
  const { now, authorities, registeredOf } = deps
  const found = await findDesired(db, hostname)
  // A name that was a custom domain before changes hands.
  const generation =
    found === undefined ? 1n : found.client === PLATFORM_CLIENT ? found.generation : found.generation + 1n
  await requestCertificate(db, deps, {
    hostname,
    generation,
    client: PLATFORM_CLIENT,
    registered: registeredOf(hostname),
    authorities,
    // No check observes the DNS of these names: an order that waits for other evidence is tried again every hour.
    evidence: `hour ${Math.floor(now() / HOUR)}`,
    notify: { kind: NAME_DUE, project: 0n, id: hostname },
  })
  const certificate = await findServable(db, hostname, generation, now())
  if (!certificate) return void (await endRoute(db, hostname, generation))
  const leads = leadsOf(role, certificate.serial)
  const present = await findRoute(db, hostname)
  if (!present || !isSame(present, generation, leads)) await putRoute(db, hostname, generation, leads)
}

const isSame = (present: Route, generation: bigint, leads: Leads): boolean =>
  present.generation === String(generation) &&
  Object.entries(leads).every(([name, value]) => present[name as keyof Route] === value)

/** Only what the platform itself holds: the name may be a custom domain by now. */
async function release(db: Db, deps: PlatformNamesDeps, hostname: string): Promise<void> {
  const found = await findDesired(db, hostname)
  if (found?.client !== PLATFORM_CLIENT || found.droppedAt !== null) return
  await dropCertificate(db, deps, hostname)
  await endRoute(db, hostname, found.generation)
}

/** In the transaction that publishes a site: its name is settled soon. */
export const sitePublished =
  (settings: PlatformSettings) =>
  async (db: Db, project: ProjectId): Promise<void> => {
    const slug = settings.tls === 'per-host' ? (await findProject(db, project))?.slug : undefined
    if (slug !== undefined) await setTimer(db, nameTimer(siteNameOf(settings, slug)))
  }

/** After its project was deleted. Should this be lost, the daily look at the name releases it. */
export const siteDeleted = async (run: Db, settings: PlatformSettings, slug: string): Promise<void> => {
  if (settings.tls === 'per-host') await setTimer(run, nameTimer(siteNameOf(settings, slug)))
}

const nameTimer = (hostname: string) => ({ kind: NAME_DUE, project: 0n, id: hostname })
