// The history of a domain on `/platform/v1`: its past events, page by page.

import * as contract from '@petstore-platform/contract/platform/domains'
import type { FastifyInstance } from 'fastify'
import { pageOf } from '../../foundation/http/list-response.ts'
import { mount, type OperationResponse } from '../../foundation/http/operation.io.ts'
import type { Member } from '../../projects/membership.io.ts'
import type { Platform } from '../../projects/platform.ts'
import * as queries from '../store/domain-queries.ts'
import { eventJson } from '../views/domain-json.ts'
import { plainName } from './redirect-routes.ts'

/** `find` finds a domain of the caller's project, and refuses if there is none. */
export function historyRoutes(
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
