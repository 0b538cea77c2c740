// The only writer of a project's primary domain and of its redirects. A caller locks the
// domains first and then the settings, and holds both locks until its transaction ends, so that
// two changes never overwrite each other.

import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { recordAudit } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import * as directory from '../store/directory.io.ts'
import * as queries from '../store/domain-queries.ts'
import type { DomainRow, History } from '../store/domain-queries.ts'
import { planRedirects, type Link, type DomainPlaces, type Redirect } from './redirects.ts'
import { reroute } from '../store/route-queries.ts'
import * as settings from '../store/settings-queries.ts'
import type { PrimaryRow, SettingsRow } from '../store/settings-queries.ts'
import { isServed } from '../lifecycle/status.ts'

/** Recorded in the history of both domains: the one that is primary now, and the one that was. */
export async function makePrimary(
  db: Db,
  project: ProjectId,
  { primary, primaryId }: SettingsRow,
  { id, hostname }: Pick<DomainRow, 'id' | 'hostname'>,
  actor: string,
  history: History,
): Promise<void> {
  await settings.choosePrimary(db, project, id)
  const detail = { from: primary, to: hostname }
  for (const one of primaryId === null ? [id] : [id, primaryId]) {
    await record(db, project, one, { kind: 'domain.primary_changed', detail }, history)
  }
  await recordAudit(db, project, { actor, action: 'primary_domain_chosen', subject: hostname, detail })
}

/**
 * "A custom domain replaces it": the first domain of a project that goes live becomes its primary domain. A project
 * that has a primary domain keeps it, and a domain that redirects its visitors does not become primary.
 */
export async function replaceDefaultAddress(
  db: Db,
  project: ProjectId,
  live: DomainRow,
  history: History,
): Promise<void> {
  const held = await settings.lockSettings(db, project)
  if (held.primary !== null) return
  const redirects = await settings.listRedirects(db, project)
  if (redirects.some(({ from }) => from === live.hostname)) return
  await makePrimary(db, project, held, live, 'petstore', history)
}

/** The domains of a project as targets of redirects, by hostname. */
export const placesOf = (rows: readonly PrimaryRow[]): DomainPlaces =>
  new Map(rows.map((row) => [row.hostname, { isLive: isServed(row) }]))

type RedirectsChange = {
  /** Every domain of the project, locked. */
  rows: readonly PrimaryRow[]
  before: readonly Redirect[]
  after: readonly Redirect[]
  actor: string
  /** The version of the settings after this change. */
  version: number
}

/** Replaces all redirects of the project. Raising the version is left to the caller. */
export async function saveRedirects(
  db: Db,
  project: ProjectId,
  { rows, before, after, actor, version }: RedirectsChange,
  history: History,
): Promise<void> {
  const idOf = (hostname: string) => rows.find((row) => row.hostname === hostname)?.id ?? ''
  await settings.replaceRedirects(
    db,
    project,
    after.map(({ from, to, status }) => ({ from: idOf(from), to: idOf(to), status })),
  )
  const changed = changedRedirects(before, after).map(({ from, ...detail }) => ({ id: idOf(from), detail }))
  for (const { id, detail } of changed) {
    await record(db, project, id, { kind: 'domain.redirect_changed', detail }, history)
  }
  await recordAudit(db, project, {
    actor,
    action: 'redirects_set',
    subject: 'domains',
    detail: { count: after.length, version },
  })
  await reroute(
    db,
    project,
    changed.map(({ id }) => id),
  )
}

/** Adds a redirect from a domain that was just added; its target need not be live yet. */
export async function redirectAdded(
  db: Db,
  project: ProjectId,
  added: Link,
  actor: string,
  history: History,
): Promise<void> {
  const rows = await settings.lockPlaces(db, project)
  const { version, primary } = await settings.lockSettings(db, project)
  const before = await settings.listRedirects(db, project)
  const wanted = [...before, added]
  const after = planRedirects(wanted, placesOf(rows), primary, wanted)
  await settings.raiseSettings(db, project)
  await saveRedirects(db, project, { rows, before, after, actor, version: version + 1 }, history)
}

type Change = {
  kind: 'domain.primary_changed' | 'domain.redirect_changed'
  detail: Readonly<Record<string, string | number | null>>
}

/** Adds an entry to the history of a locked domain, and notifies the pages that watch it. */
async function record(
  db: Db,
  project: ProjectId,
  id: string,
  { kind, detail }: Change,
  history: History,
): Promise<void> {
  await queries.insertEvent(db, project, id, { kind, code: null, detail }, history)
  await directory.notifyDomain(db, project, id)
}

type ChangedRedirect = { from: string; to: string | null; status: number | null }

/** The redirects that differ from before; one that was removed has no target. */
function changedRedirects(before: readonly Redirect[], after: readonly Redirect[]): ChangedRedirect[] {
  const was = new Map(before.map((one) => [one.from, one]))
  const others = after.filter(({ from, to, status }) => was.get(from)?.to !== to || was.get(from)?.status !== status)
  const kept = new Set(after.map(({ from }) => from))
  const ended = before.filter(({ from }) => !kept.has(from)).map(({ from }) => ({ from, to: null, status: null }))
  return [...others, ...ended]
}
