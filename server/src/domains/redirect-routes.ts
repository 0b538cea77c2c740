// Primary and redirects on `/platform/v1`: how the domains of a project belong
// together. Both are changed under one version, so that nobody overwrites what they
// have not seen, and all or nothing.

import * as contract from '@petstore/contract/platform/domains'
import type { FastifyInstance } from 'fastify'
import { mount, type Answer } from '../foundation/operation.ts'
import type { Db } from '../foundation/postgres.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlatformDeps } from '../projects/mountings.ts'
import { note } from '../projects/queries.ts'
import type { ProjectId } from '../projects/scope.ts'
import { domainNotFound, settingsChanged } from './advance.ts'
import { settingsJson } from './json.ts'
import { planRedirects, type Places } from './redirects.ts'
import * as queries from './settings-queries.ts'
import { isServed } from './status.ts'

export function redirectRoutes(app: FastifyInstance, { inProject, within, now }: PlatformDeps): void {
  mount(app, contract.getDomainSettings, within, ({ caller: { project } }) =>
    inProject(project, (db) => show(db, project)),
  )

  mount(app, contract.setPrimaryDomain, within, ({ caller: { project, account }, body }) =>
    inProject(project, async (db) => {
      const places = await queries.lockPlaces(db, project)
      const held = await queries.holdSettings(db, project)
      if (body.version !== undefined) refuseStale(body.version, held.version)
      const hostname = plainName(body.hostname)
      const place = places.find((one) => one.hostname === hostname)
      if (!place) throw domainNotFound()
      if (held.primary === hostname) return show(db, project)
      const away = (await queries.listRedirects(db, project)).find(({ from }) => from === hostname)
      if (away)
        throw new Refusal('wrong_state', `${hostname} sends its visitors to ${away.to}. End that redirect first.`)
      await queries.choosePrimary(db, project, place.id)
      const changes = primaryChanges(places, held.primary, place)
      await settingsChanged(db, project, changes, now())
      const detail = { from: held.primary, to: hostname }
      await note(db, project, { actor: account, action: 'primary_domain_chosen', subject: hostname, detail })
      return show(db, project)
    }),
  )

  mount(app, contract.setRedirects, within, ({ caller: { project, account }, body: { version, redirects, primary } }) =>
    inProject(project, async (db) => {
      const rows = await queries.lockPlaces(db, project)
      const held = await queries.holdSettings(db, project)
      refuseStale(version, held.version)
      const places: Places = new Map(rows.map((row) => [row.hostname, { isLive: isServed(row) }]))
      const wishes = redirects.map(({ from, to, ...rest }) => ({ from: plainName(from), to: plainName(to), ...rest }))
      const wanted = primary === undefined ? held.primary : plainName(primary)
      const chosen = wanted === held.primary ? undefined : rows.find(({ hostname }) => hostname === wanted)
      if (wanted !== held.primary && !chosen) throw domainNotFound()
      const planned = planRedirects(wishes, places, wanted)
      const before = await queries.listRedirects(db, project)
      const idOf = (hostname: string) => rows.find((row) => row.hostname === hostname)?.id ?? ''
      await queries.replaceRedirects(
        db,
        project,
        planned.map(({ from, to, status }) => ({ from: idOf(from), to: idOf(to), status })),
      )
      // Either of them raises the version.
      if (chosen) await queries.choosePrimary(db, project, chosen.id)
      else await queries.raiseSettings(db, project)
      const redirected = changedRedirects(before, planned).map(({ from, to, status }) => ({
        id: idOf(from),
        kind: 'domain.redirect_changed' as const,
        detail: { to, status },
      }))
      const changes = [...(chosen ? primaryChanges(rows, held.primary, chosen) : []), ...redirected]
      await settingsChanged(db, project, changes, now())
      if (chosen) {
        const change = { from: held.primary, to: chosen.hostname }
        await note(db, project, {
          actor: account,
          action: 'primary_domain_chosen',
          subject: chosen.hostname,
          detail: change,
        })
      }
      const detail = { count: planned.length, version: version + 1 }
      await note(db, project, { actor: account, action: 'redirects_set', subject: 'domains', detail })
      return show(db, project)
    }),
  )
}

/** Both of them are told: the one that is primary now, and the one that was. */
function primaryChanges(
  places: readonly queries.PlaceRow[],
  before: string | null,
  { id, hostname }: queries.PlaceRow,
) {
  const former = places.find((place) => place.hostname === before)
  const detail = { from: before, to: hostname }
  return [id, ...(former ? [former.id] : [])].map((one) => ({
    id: one,
    kind: 'domain.primary_changed' as const,
    detail,
  }))
}

type Changed = { from: string; to: string | null; status: number | null }

/** What is other than before; one that ended leads nowhere. */
function changedRedirects(before: readonly queries.RedirectRow[], after: readonly queries.RedirectRow[]): Changed[] {
  const was = new Map(before.map((one) => [one.from, one]))
  const others = after.filter(({ from, to, status }) => was.get(from)?.to !== to || was.get(from)?.status !== status)
  const kept = new Set(after.map(({ from }) => from))
  const ended = before.filter(({ from }) => !kept.has(from)).map(({ from }) => ({ from, to: null, status: null }))
  return [...others, ...ended]
}

/** Names compare as DNS compares them; one that nobody added stays one that is not there. */
export const plainName = (text: string): string => text.toLowerCase().replace(/\.$/, '')

async function show(db: Db, project: ProjectId): Promise<Answer> {
  const [settings, redirects] = await Promise.all([
    queries.findSettings(db, project),
    queries.listRedirects(db, project),
  ])
  return { json: settingsJson({ ...settings, redirects }) }
}

function refuseStale(seen: number, current: number): void {
  if (seen === current) return
  throw new Refusal(
    'stale_version',
    `The settings are at version ${current}, and you have seen version ${seen}. Read them again first.`,
  )
}
