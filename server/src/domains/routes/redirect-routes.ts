// The primary domain and the redirects of a project, on `/platform/v1`. Both change under one
// version, all or nothing, so that no client overwrites a change that it has not read.

import * as contract from '@petstore-platform/contract/platform/domains'
import type { FastifyInstance } from 'fastify'
import { mount, type OperationResponse } from '../../foundation/http/operation.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Platform } from '../../projects/platform.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { domainNotFound } from '../advance.io.ts'
import { settingsJson } from '../views/domain-json.ts'
import { planRedirects } from '../settings/redirects.ts'
import { makePrimary, placesOf, saveRedirects } from '../settings/advance-settings.io.ts'
import * as queries from '../store/settings-queries.ts'

export function redirectRoutes(app: FastifyInstance, { inProject, within, now, plans }: Platform): void {
  mount(app, contract.getDomainSettings, within, ({ caller: { project } }) =>
    inProject(project, (db) => show(db, project)),
  )

  mount(app, contract.setPrimaryDomain, within, ({ caller: { project, account }, body }) =>
    inProject(project, async (db) => {
      const places = await queries.lockPlaces(db, project)
      const held = await queries.lockSettings(db, project)
      if (body.version !== undefined) refuseStale(body.version, held.version)
      const hostname = plainName(body.hostname)
      const place = places.find((one) => one.hostname === hostname)
      if (!place) throw domainNotFound()
      if (held.primary === hostname) return show(db, project)
      const away = (await queries.listRedirects(db, project)).find(({ from }) => from === hostname)
      if (away) throw new Refusal('wrong_state', `${hostname} redirects to ${away.to}. Remove that redirect first.`)
      await makePrimary(db, project, held, place, account, { now: now(), plans })
      return show(db, project)
    }),
  )

  mount(app, contract.setRedirects, within, ({ caller: { project, account }, body: { version, redirects, primary } }) =>
    inProject(project, async (db) => {
      const rows = await queries.lockPlaces(db, project)
      const held = await queries.lockSettings(db, project)
      refuseStale(version, held.version)
      const wishes = redirects.map(({ from, to, ...rest }) => ({ from: plainName(from), to: plainName(to), ...rest }))
      const wanted = primary === undefined ? held.primary : plainName(primary)
      const chosen = wanted === held.primary ? undefined : rows.find(({ hostname }) => hostname === wanted)
      if (wanted !== held.primary && !chosen) throw domainNotFound()
      const before = await queries.listRedirects(db, project)
      const after = planRedirects(wishes, placesOf(rows), wanted, before)
      // Each of the two raises the version.
      if (chosen) await makePrimary(db, project, held, chosen, account, { now: now(), plans })
      else await queries.raiseSettings(db, project)
      await saveRedirects(
        db,
        project,
        { rows, before, after, actor: account, version: version + 1 },
        { now: now(), plans },
      )
      return show(db, project)
    }),
  )
}

/** Hostnames compare as in DNS; one that was never added is not found. */
export const plainName = (text: string): string => text.toLowerCase().replace(/\.$/, '')

async function show(db: Db, project: ProjectId): Promise<OperationResponse> {
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
    `The settings are at version ${current}, but the request is based on version ${seen}. Fetch them again, then retry.`,
  )
}
