// Routes for the sessions of a person on `/platform/v1`: where they are signed in, and how to
// end a session on a device that is out of reach.

import * as contract from '@petstore-platform/contract/platform/accounts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { deleteSession, listSessions, type SessionRow } from './session-queries.ts'

export function sessionRoutes(app: FastifyInstance, { database, record, personal }: AccountPlatform): void {
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
