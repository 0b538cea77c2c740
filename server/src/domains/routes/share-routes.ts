// Share links for the person who manages the DNS, on `/platform/v1`: admins create and revoke
// them, and every holder of a link can read.
//   - Only a digest of a link is stored, so it cannot be read from the database.
//   - A link that never existed, has expired, was revoked or whose domain was removed gets the
//     same response.
//   - Reading has no side effects: no account is looked up, no DNS query is sent, and the
//     domain is not checked more often because of it.

import * as contract from '@petstore-platform/contract/platform/domain-sharing'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { isSecret, newSecret, type Visitor } from '../../accounts/sessions/guard.io.ts'
import { mount, type Mounting } from '../../foundation/http/operation.io.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { DAY } from '../../foundation/time.ts'
import type { Platform } from '../../projects/platform.ts'
import { findProject, recordAudit } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { domainNotFound } from '../advance.io.ts'
import type { DomainDeps } from '../check.io.ts'
import { judgedUnseen } from '../judging/judge.ts'
import { wantedOf } from '../observing/evidence.ts'
import { findCheck } from '../store/check-queries.ts'
import * as directory from '../store/directory.io.ts'
import * as queries from '../store/domain-queries.ts'
import { instructionsJson } from '../views/domain-json.ts'
import { plainName } from './redirect-routes.ts'

export function shareRoutes(
  app: FastifyInstance,
  {
    database,
    inProject,
    within,
    open,
    domains,
    randomBytes,
    dashboardOrigin,
  }: Pick<Platform, 'database' | 'inProject' | 'within' | 'randomBytes'> & {
    domains: Pick<DomainDeps, 'platform' | 'now'>
    open: Mounting<Visitor, PlatformOperation>
    dashboardOrigin: string
  },
): void {
  mount(app, contract.shareDomain, within, async ({ caller: { project, account }, path }) => {
    const hostname = plainName(path['hostname'] ?? '')
    const secret = newSecret(randomBytes)
    const expiresAt = new Date(domains.now() + contract.SHARE_DAYS * DAY)
    await inProject(project, async (db) => {
      const { id } = await lockedDomain(db, project, hostname)
      await directory.addShare(db, { digest: digestOf(secret), project, domain: id, expiresAt }, contract.SHARES_MAX)
      const detail = { expiresAt: expiresAt.toISOString() }
      await recordAudit(db, project, { actor: account, action: 'domain_shared', subject: hostname, detail })
    })
    const share: contract.DomainShare = { link: `${dashboardOrigin}/dns/${secret}`, expiresAt: expiresAt.toISOString() }
    return { json: JSON.stringify(share) }
  })

  mount(app, contract.revokeDomainShares, within, async ({ caller: { project, account }, path }) => {
    const hostname = plainName(path['hostname'] ?? '')
    await inProject(project, async (db) => {
      const { id } = await lockedDomain(db, project, hostname)
      const links = await directory.endShares(db, project, id)
      if (links === 0) return
      await recordAudit(db, project, {
        actor: account,
        action: 'domain_share_revoked',
        subject: hostname,
        detail: { links },
      })
    })
    return {}
  })

  mount(app, contract.getDnsInstructions, open, async ({ path }) => {
    const now = domains.now()
    const secret = path['secret'] ?? ''
    const share = isSecret(secret) && (await directory.findShare(database.run, digestOf(secret), now))
    if (!share) throw noLink()
    const { project, domain, expiresAt } = share
    const found = await inProject(project, async (db) => {
      const owner = await findProject(db, project)
      const row = owner && (await queries.findDomainById(db, project, domain))
      return row && { owner, row, check: await findCheck(db, project, domain) }
    })
    if (!found) throw noLink()
    const { owner, row, check } = found
    const unseen = () => judgedUnseen(wantedOf(domains.platform, owner.slug, row.hostname, row.token), now)
    const seen = check ?? { judgement: unseen(), evidence: null }
    return { json: instructionsJson(row, seen, { projectName: owner.name, expiresAt }) }
  })
}

const noLink = () => new Refusal('not_found', 'This link no longer works. Ask the person who sent it for a new one.')

/** Locks the domain: no other transaction shares or removes it until this one ends. */
async function lockedDomain(db: Db, project: ProjectId, hostname: string): Promise<queries.DomainRow> {
  const found = await queries.findDomain(db, project, hostname)
  const row = found && (await queries.lockDomain(db, project, found.id))
  if (!row) throw domainNotFound()
  return row
}
