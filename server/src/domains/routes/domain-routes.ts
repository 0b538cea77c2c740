// Custom domains on `/platform/v1`. This file decides what may be added: the plan, a deployed
// site, room for one more domain, and a hostname that can have a certificate. Everything later
// in the life of a domain is decided elsewhere; this file calls it and returns the result.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import * as contract from '@petstore-platform/contract/platform/domains'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import type { Visitor } from '../../accounts/sessions/guard.io.ts'
import { pageOf, pageLinks, readCursor, writeCursor } from '../../foundation/http/list-response.ts'
import { mount, type Mounting, type OperationResponse } from '../../foundation/http/operation.io.ts'
import { exactLimit, moreThanQuota, type ExactLimit } from '../../foundation/load/rate-limit.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { processLimits } from '../../plans/limit-table.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { Platform } from '../../projects/platform.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { currentContent } from '../../sites/publishing/deployment-queries.ts'
import { domainNotFound, type Admit } from '../advance.io.ts'
import type { DomainDeps } from '../check.io.ts'
import * as useCases from '../domains.io.ts'
import type { DomainView } from '../domains.io.ts'
import type { NameOptions } from '../naming/names.ts'
import * as queries from '../store/domain-queries.ts'
import { removalJson, summaryJson, eventJson } from '../views/domain-json.ts'
import { checkRoute, nameFrom, typedBeside } from './check-routes.ts'
import { plainName, redirectRoutes } from './redirect-routes.ts'
import { shareRoutes } from './share-routes.ts'
import { besideOf, showDomain } from './show-domain.io.ts'
import { traceRoute, type Trace } from './trace-routes.ts'

export function domainRoutes(
  app: FastifyInstance,
  deps: Platform & {
    domains: DomainDeps
    names: NameOptions
    trace: Trace
    open: Mounting<Visitor, PlatformOperation>
    dashboardOrigin: string
  },
): void {
  const { inProject, within, baseUrl, domains, names } = deps
  const { run } = deps.database
  const perMinute = { points: processLimits.domainChecksPerMinute.most, windowSeconds: 60 }
  const perDomain = exactLimit({ run, now: deps.now }, 'domain_check', { name: 'domain', ...perMinute })
  const perProject = exactLimit({ run, now: deps.now }, 'name_check', { name: 'project', ...perMinute })

  const show = (caller: Member, view: DomainView) => showDomain(domains, caller, view)
  const find = async ({ project }: Member, hostname: string) => {
    const row = await inProject(project, (db) => queries.findDomain(db, project, hostname))
    if (!row) throw domainNotFound()
    return row
  }

  checkRoute(app, deps, (key) => count(perProject, key))

  mount(app, contract.addDomain, within, async ({ caller, body }) => {
    const name = nameFrom(body.hostname, names)
    const { hostname } = name
    await count(perProject, String(caller.project))
    const typed = typedBeside(name, body.hostname)
    const onCheckFailed = (error: Error) => app.log.error({ err: error, hostname }, 'first check of a domain failed')
    const redirectTo = body.redirectTo === undefined ? null : plainName(body.redirectTo)
    const options = { typed, redirectTo, admit: admit(domains, caller.project), onCheckFailed }
    const view = await useCases.addDomain(domains, caller, hostname, options)
    const location = `${baseUrl}/projects/${caller.slug}/domains/${hostname}`
    return { json: await show(caller, view), headers: { Location: location } }
  })

  mount(app, contract.listDomains, within, async ({ caller, query: { limit = LIMIT_DEFAULT, cursor } }) => {
    const { project, slug } = caller
    const found = await useCases.listDomains(domains, caller, { after: afterOf(cursor), count: limit + 1 })
    const shown = found.slice(0, limit)
    const rows = shown.map(({ row }) => row)
    const beside = await inProject(project, (db) => besideOf(db, project, rows))
    const last = found.length > limit ? rows.at(-1) : undefined
    const next = last && writeCursor({ after: 0n, filter: last.hostname })
    const url = `${baseUrl}/projects/${slug}/domains`
    const link = pageLinks(url, [['limit', String(limit)]], { cursor, next })
    const json = `[${shown.map(({ row, judgement }) => summaryJson(row, judgement, beside(row))).join(',')}]`
    return { json, ...(link !== undefined && { headers: { Link: link } }) }
  })

  redirectRoutes(app, deps)
  shareRoutes(app, deps)
  traceRoute(app, deps, domains, deps.trace, (key) => count(perDomain, key))

  mount(app, contract.getDomain, within, async ({ caller, path }) => ({
    json: await show(caller, await useCases.getDomain(domains, caller, plainName(path['hostname'] ?? ''))),
  }))

  mount(app, contract.verifyDomain, within, async ({ caller, path }) => {
    const { id, hostname } = await find(caller, plainName(path['hostname'] ?? ''))
    await count(perDomain, id)
    return { json: await show(caller, await useCases.verifyDomain(domains, caller, hostname)) }
  })

  mount(app, contract.removeDomain, within, async ({ caller, path }) => ({
    json: removalJson(await useCases.removeDomain(domains, caller, plainName(path['hostname'] ?? ''))),
  }))

  mount(app, contract.getDomainRemoval, within, async ({ caller, path }) => ({
    json: removalJson(await useCases.getRemoval(domains, caller, plainName(path['hostname'] ?? ''))),
  }))

  historyRoutes(app, deps, find)
}

/** Runs while the project is locked, so no other caller adds a domain. */
const admit =
  ({ plans }: Pick<DomainDeps, 'plans'>, project: ProjectId): Admit =>
  async (db, { plan, domains: used }) => {
    const most = plans.most(plan, 'customDomains')
    if (most === 0) {
      const upgrade = 'Upgrade the project, then choose Add domain again.'
      throw new Refusal('plan_required', `Custom domains need the Pro plan or above. ${upgrade}`)
    }
    if ((await currentContent(db, project)) === undefined) throw new Refusal('deploy_required')
    if (used >= most) {
      throw new Refusal('domain_limit_reached', `Your plan includes ${most} domains. Remove one or upgrade.`)
    }
  }

async function count(limit: ExactLimit, key: string): Promise<void> {
  const usage = await limit.use(key)
  if (usage.isOver) throw moreThanQuota('checks', usage)
}

/** The cursor of this list is a hostname. */
function afterOf(cursor: string | undefined): string {
  if (cursor === undefined) return ''
  const { filter } = readCursor(cursor) ?? {}
  if (filter === undefined || filter.includes('\0')) throw new Refusal('invalid_cursor')
  return filter
}

/** `find` finds a domain of the caller's project, and refuses if there is none. */
function historyRoutes(
  app: FastifyInstance,
  { inProject, within, baseUrl }: Pick<Platform, 'inProject' | 'within' | 'baseUrl'>,
  find: (caller: Member, hostname: string) => Promise<queries.DomainRow>,
): void {
  mount(
    app,
    contract.listDomainEvents,
    within,
    async ({ caller, path, query: { limit, cursor } }): Promise<OperationResponse> => {
      const { project, slug } = caller
      const { id, hostname } = await find(caller, plainName(path['hostname'] ?? ''))
      const url = `${baseUrl}/projects/${slug}/domains/${hostname}/history`
      return pageOf({ url, limit, cursor }, async (before, wanted) => {
        const from = before > NUMBER_MAX ? NUMBER_MAX : before
        const rows = await inProject(project, (db) => queries.listEvents(db, project, id, Number(from), wanted))
        return { json: rows.map(eventJson).join(','), count: rows.length }
      })
    },
  )
}

/** Events of a domain are numbered by a 32-bit integer. */
const NUMBER_MAX = 2n ** 31n - 1n
