// Routes for the sessions of a person on `/platform/v1`: where they are signed in, and how to
// end a session on a device that is out of reach.

import * as contract from '@petstore-platform/contract/platform/accounts'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../../foundation/http/operation.io.ts'
import type { Database } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { RecordAction } from '../audit.io.ts'
import type { Person } from './guard.io.ts'
import { deleteSession, listSessions, type SessionRow } from './session-queries.ts'

export type SessionRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  record: RecordAction
  personal: Mounting<Person, PlatformOperation>
}

export function sessionRoutes(app: FastifyInstance, { database, record, personal }: SessionRoutesDeps): void {
  mount(app, contract.listSessions, personal, async ({ caller }) => {
    const rows = await listSessions(database.run, caller.account)
    return { json: JSON.stringify(rows.map((row) => sessionOf(row, caller.session))) }
  })

  mount(app, contract.endSession, personal, async ({ caller, path }) => {
    const { account } = caller
    const isThere = await database.transaction({}, async (db) => {
      const isDeleted = await deleteSession(db, account, path['sessionId'] ?? '')
      if (isDeleted) await record(db, { account, action: 'session_ended', actor: 'person', from: caller })
      return isDeleted
    })
    if (!isThere) throw new Refusal('not_found', 'No session with this identifier.')
    return {}
  })
}

const sessionOf = ({ id, device, createdAt, seenAt, expiresAt }: SessionRow, current: string | undefined) => ({
  id,
  isCurrent: id === current,
  device,
  createdAt,
  seenAt,
  expiresAt,
})
