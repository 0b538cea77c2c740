// The route for the audit events of the signed-in person's account on `/platform/v1`.

import * as contract from '@petstore-platform/contract/platform/account-audit'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { AccountPlatform } from './account-platform.ts'
import { listEvents, type AccountEventRow } from './audit-queries.ts'

export function accountAuditRoutes(app: FastifyInstance, { database, personal }: AccountPlatform): void {
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
