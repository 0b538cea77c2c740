// A domain as JSON, with what is not in its own row.

import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { DomainDeps } from '../check.io.ts'
import type { DomainView } from '../domains.io.ts'
import { judgedUnseen } from '../judging/initial-judgement.ts'
import { wantedOf } from '../observing/evidence.ts'
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
