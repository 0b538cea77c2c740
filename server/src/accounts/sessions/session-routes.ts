// Routes for the sessions of a person on `/platform/v1`: where they are signed in, and how to
// end a session on a device that is out of reach.

import * as contract from '@petstore-platform/contract/platform/accounts'
import { tokenScopes } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { digestOf, makeKey, displayOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import * as accounts from '../account-queries.ts'
import type { TokenRow } from '../account-queries.ts'
import { sessionIdOf } from '../sign-in/sign-in.io.ts'
import { notSignedIn, type Person } from './guard.io.ts'
import { deleteSession, listSessions, isSessionOpen, type SessionRow } from './session-queries.ts'

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

// Routes for personal access tokens on `/platform/v1`. A token is shown once, when it is
// created; only its digest is stored. Only a session creates one, never another token.

const TOKENS_MAX = 100
const DAYS_DEFAULT = 90

export function accessTokenRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, newId, randomBytes, record, personal } = platform
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const recordBy = (db: Db, from: Person, action: 'access_token_created' | 'access_token_revoked', token: string) =>
    record(db, { account: from.account, action, actor: 'person', from, subject: { token } })

  mount(app, contract.listAccessTokens, personal, async ({ caller }) => ({
    json: JSON.stringify((await accounts.listTokens(run, caller.account)).map(tokenOf)),
  }))

  mount(app, contract.createAccessToken, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const token = makeKey('pat', randomBytes)
    const { prefix, lastFour } = displayOf(token)
    const wanted: accounts.NewToken = {
      id: newId('pat'),
      account: caller.account,
      label: body.label,
      display: `${prefix}…${lastFour}`,
      digest: digestOf(token),
      scopes: body.scopes ?? tokenScopes,
      days: body.expiresInDays ?? DAYS_DEFAULT,
    }
    const row = await transaction(async (db) => {
      await accounts.lockAccount(db, caller.account)
      if (!(await isSessionOpen(db, caller.account, session))) throw notSignedIn()
      const created = await accounts.insertToken(db, wanted, TOKENS_MAX)
      if (created) await recordBy(db, caller, 'access_token_created', created.id)
      return created
    })
    if (!row) throw new Refusal('limit_reached', `An account has at most ${TOKENS_MAX} access tokens.`)
    return { json: JSON.stringify({ ...tokenOf(row), token }) }
  })

  mount(app, contract.revokeAccessToken, personal, async ({ caller, path }) => {
    const isThere = await transaction(async (db) => {
      const token = path['tokenId'] ?? ''
      const isDeleted = await accounts.deleteToken(db, caller.account, token)
      if (isDeleted) await recordBy(db, caller, 'access_token_revoked', token)
      return isDeleted
    })
    if (!isThere) throw new Refusal('not_found', 'No access token with this identifier.')
    return {}
  })
}

const tokenOf = ({ id, label, display, scopes, createdAt, expiresAt, lastUsedAt }: TokenRow) => ({
  id,
  label,
  display,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
})
