// The route for the audit events of the signed-in person's account on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/account-audit'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { listEvents, type AccountEventRow } from './audit-queries.ts'
import type { Person } from './sessions/guard.io.ts'

export type AccountAuditRoutesDeps = {
  database: Pick<Database, 'run'>
  personal: Mounting<Person, PlatformOperation>
}

export function accountAuditRoutes(app: FastifyInstance, { database, personal }: AccountAuditRoutesDeps): void {
  mount(app, contract.listAccountEvents, personal, async ({ caller }) => {
    const rows = await listEvents(database.run, caller.account, contract.EVENTS_MAX)
    return { json: JSON.stringify(rows.map(eventOf)) }
  })
}

const eventOf = ({ id, at, action, actor, device, addressGroup }: AccountEventRow) => ({
  id: String(id),
  at,
  action,
  actor,
  device,
  addressGroup,
})
