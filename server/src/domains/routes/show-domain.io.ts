// A domain as JSON, with what is not in its own row.

import type { Subject } from '../../foundation/http/feeds.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { Subscriptions } from '../../foundation/postgres/subscriptions.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { SECOND } from '../../foundation/time.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { watch } from '../advance.io.ts'
import type { DomainDeps } from '../check.io.ts'
import { getDomain, type DomainView } from '../domains.io.ts'
import { judgedUnseen } from '../judging/judge.ts'
import { wantedOf } from '../observing/evidence.ts'
import { payloadOf } from '../store/directory.io.ts'
import type { DomainRow } from '../store/domain-queries.ts'
import * as settings from '../store/settings-queries.ts'
import { domainJson, type Beside } from '../views/domain-json.ts'

export async function showDomain(
  { inProject, platform, now }: Pick<DomainDeps, 'inProject' | 'platform' | 'now'>,
  { project, slug }: Pick<Member, 'project' | 'slug'>,
  view: DomainView,
): Promise<string> {
  const { row, evidence, certificate } = view
  const beside = await inProject(project, (db) => besideOf(db, project, [row]))
  const wanted = wantedOf(platform, slug, row.hostname, row.token)
  const judgement = view.judgement ?? judgedUnseen(wanted, now())
  return domainJson(row, { judgement, evidence, certificate }, beside(row))
}

/** Properties of these domains that are not in their rows. */
export async function besideOf(db: Db, project: ProjectId, rows: readonly DomainRow[]) {
  const { primary } = await settings.findSettings(db, project)
  const redirects = new Map((await settings.listRedirects(db, project)).map((one) => [one.from, one]))
  const verified = await settings.verifiedAt(
    db,
    project,
    rows.map(({ id }) => id),
  )
  return ({ id, hostname }: DomainRow): Beside => {
    const redirect = redirects.get(hostname)
    return {
      isPrimary: hostname === primary,
      redirect: redirect ? { to: redirect.to, status: redirect.status, isActive: redirect.isActive } : null,
      verifiedAt: verified.get(id) ?? null,
    }
  }
}

// A domain as a subject of event streams: sent first as it is, and again whenever it has changed, until it is removed.

/** Also how often the domain is marked as watched, so that it is checked more often. */
const QUIET_MS = 5 * SECOND

type DomainState = { json: string }

export function domainSubject(
  domains: DomainDeps,
  subscriptions: Subscriptions,
  { project, slug }: Pick<Member, 'project' | 'slug'>,
  { id, hostname }: Pick<DomainRow, 'id' | 'hostname'>,
): Subject<DomainState> {
  const read = async () => {
    try {
      return await showDomain(domains, { project, slug }, await getDomain(domains, { project }, hostname))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined
      throw error
    }
  }
  return {
    name: `domain ${project} ${id}`,
    subscriptions,
    payload: payloadOf(project, id),
    quietMs: QUIET_MS,
    async read(before) {
      const [json] = await Promise.all([read(), watch(domains, project, hostname)])
      if (json === undefined) return undefined
      return json === before?.json ? before : { json }
    },
    first: ({ json }) => `"domain":${json}`,
    change: (_, { json }) => `"domain":${json}`,
  }
}
