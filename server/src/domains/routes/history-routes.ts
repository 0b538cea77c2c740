// The history of a domain on `/platform/v1`: its past events, page by page, and its changes as
// they happen, as an event stream.

import * as contract from '@petstore-platform/contract/platform/domains'
import type { FastifyInstance } from 'fastify'
import { openSubscriptions, watching } from '../../foundation/http/event-stream.io.ts'
import { pageOf } from '../../foundation/http/list-response.ts'
import { mount, type OperationResponse } from '../../foundation/http/operation.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { PlatformDeps } from '../../projects/platform-deps.ts'
import { watch } from '../advance.io.ts'
import type { DomainDeps } from '../check.io.ts'
import * as useCases from '../domains.io.ts'
import * as directory from '../store/directory.io.ts'
import * as queries from '../store/domain-queries.ts'
import { eventJson } from '../views/domain-json.ts'
import { domainPoll } from './domain-events.io.ts'
import { plainName } from './redirect-routes.ts'

export type HistoryDeps = Pick<PlatformDeps, 'database' | 'inProject' | 'within' | 'baseUrl'> & {
  domains: DomainDeps
  /** The domain of the caller's project; refuses if there is none. */
  find: (caller: Member, hostname: string) => Promise<queries.DomainRow>
  /** The domain as JSON. */
  show: (caller: Member, view: useCases.DomainView) => Promise<string>
}

export function historyRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { database, inProject, within, baseUrl, domains, find, show } = deps
  const subscriptions = openSubscriptions(database, directory.CHANNEL)
  app.addHook('onClose', () => subscriptions.close())

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

  mount(app, contract.watchDomain, within, async ({ caller, path, stay }) => {
    const { id, hostname } = await find(caller, plainName(path['hostname'] ?? ''))
    const read = async () => show(caller, await useCases.getDomain(domains, caller, hostname))
    return {
      pieces: watching({
        subscribe: () => subscriptions.subscribeTo(directory.payloadOf(caller.project, id)),
        stay,
        poll: domainPoll({
          read: () => read().catch(asRemoved),
          keepWatched: () => watch(domains, caller.project, hostname),
        }),
      }),
    }
  })
}

/** Events of a domain are numbered by a 32-bit integer. */
const NUMBER_MAX = 2n ** 31n - 1n

function asRemoved(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'not_found') return undefined
  throw error
}
