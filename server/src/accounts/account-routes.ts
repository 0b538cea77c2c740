// Routes for people on `/platform/v1`: signing up, in and out, the password, sessions and
// tokens. A client that tries passwords cannot find out whether an address has an
// account: a wrong password and a missing account get the same response, after equal
// work.

import * as contract from '@petstore/contract/platform/accounts'
import type { PlatformOperation } from '@petstore/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { digestOf, makeKey, displayOf } from '../foundation/key-format.ts'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import {
  accountJson,
  beginSession,
  countAttempt,
  sessionIdOf,
  type Attempts,
  type Beginning,
  type Visitor,
} from './sign-in.io.ts'
import { deviceOf } from './device.ts'
import { IDLE_SECONDS, expiredCookie, notSignedIn, type Person } from './guard.io.ts'
import type { Passwords } from './password.io.ts'
import * as accounts from './account-queries.ts'
import type { AccountId, SessionRow, TokenRow } from './account-queries.ts'

export type AccountRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  passwords: Passwords
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  attempts: Attempts
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}

const TOKENS_MAX = 100
const DAYS_DEFAULT = 90

export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { database, passwords, newId, randomBytes, attempts, open, personal } = deps
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  const begin = (db: Db, beginning: Beginning) => beginSession(db, deps, beginning)
  const own = async (account: AccountId) => {
    const found = await accounts.findAccount(run, account)
    if (!found) throw notSignedIn()
    return found
  }

  mount(app, contract.signUp, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    // Normalisation may expand one character into many, and an index entry has a maximum size.
    if (accounts.keyOf(body.email).length > contract.EMAIL_LENGTH_MAX) {
      throw new Refusal('invalid_field', contract.signUp.body.faults.email)
    }
    const password = await passwords.hash(body.password)
    return transaction(async (db) => {
      const account = await accounts.insertAccount(db, {
        id: newId('acc'),
        email: body.email,
        name: body.name,
        password,
      })
      if (!account) throw new Refusal('email_taken')
      return {
        json: accountJson(account),
        headers: {
          'Set-Cookie': await begin(db, { account: account.id, password, device: deviceOf(caller.userAgent) }),
        },
      }
    })
  })

  mount(app, contract.signIn, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    await countAttempt(attempts.perAccount, accounts.keyOf(body.email))
    const found = await accounts.findCredentials(run, body.email)
    if (!(await passwords.matches(body.password, found?.password)) || !found) throw new Refusal('wrong_credentials')
    const { id: account, password } = found
    const cookie = await begin(run, { account, password, device: deviceOf(caller.userAgent) })
    return { json: accountJson(found), headers: { 'Set-Cookie': cookie } }
  })

  mount(app, contract.signOut, personal, async ({ caller }) => {
    await accounts.deleteSession(run, caller.account, sessionIdOf(caller))
    return { headers: { 'Set-Cookie': expiredCookie() } }
  })

  mount(app, contract.getAccount, personal, async ({ caller }) => ({ json: accountJson(await own(caller.account)) }))

  mount(app, contract.changeAccount, personal, async ({ caller, body }) => {
    const account = await accounts.renameAccount(run, caller.account, body.name)
    if (!account) throw notSignedIn()
    return { json: accountJson(account) }
  })

  mount(app, contract.changePassword, personal, async ({ caller, body }) => {
    const present = sessionIdOf(caller)
    await countAttempt(attempts.perAccount, caller.account)
    const { password } = await own(caller.account)
    if (!(await passwords.matches(body.current, password))) throw wrongCurrent()
    const next = await passwords.hash(body.next)
    return transaction(async (db) => {
      if (!(await accounts.setPassword(db, caller.account, { known: password, next }))) throw wrongCurrent()
      const ended = await accounts.deleteSessions(db, caller.account)
      const device = ended.find(({ id }) => id === present)?.device ?? null
      return { headers: { 'Set-Cookie': await begin(db, { account: caller.account, password: next, device }) } }
    })
  })

  mount(app, contract.listSessions, personal, async ({ caller }) => {
    const rows = await accounts.listSessions(run, caller.account, IDLE_SECONDS)
    return { json: JSON.stringify(rows.map((row) => sessionOf(row, caller.session))) }
  })

  mount(app, contract.endSession, personal, async ({ caller, path }) => {
    const isThere = await accounts.deleteSession(run, caller.account, path['sessionId'] ?? '')
    if (!isThere) throw new Refusal('not_found', 'No session with this identifier.')
    return {}
  })

  mount(app, contract.listAccessTokens, personal, async ({ caller }) => ({
    json: JSON.stringify((await accounts.listTokens(run, caller.account)).map(tokenOf)),
  }))

  mount(app, contract.createAccessToken, personal, async ({ caller, body }) => {
    sessionIdOf(caller)
    const token = makeKey('pat', randomBytes)
    const { prefix, lastFour } = displayOf(token)
    const wanted: accounts.NewToken = {
      id: newId('pat'),
      account: caller.account,
      label: body.label,
      display: `${prefix}…${lastFour}`,
      digest: digestOf(token),
      days: body.expiresInDays ?? DAYS_DEFAULT,
    }
    const row = await transaction(async (db) => {
      await accounts.lockAccount(db, caller.account)
      return accounts.insertToken(db, wanted, TOKENS_MAX)
    })
    if (!row) throw new Refusal('limit_reached', `An account has at most ${TOKENS_MAX} access tokens.`)
    return { json: JSON.stringify({ ...tokenOf(row), token }) }
  })

  mount(app, contract.revokeAccessToken, personal, async ({ caller, path }) => {
    const isThere = await accounts.deleteToken(run, caller.account, path['tokenId'] ?? '')
    if (!isThere) throw new Refusal('not_found', 'No access token with this identifier.')
    return {}
  })
}

const wrongCurrent = () => new Refusal('invalid_field', "'current' is not the password of this account.")

const sessionOf = ({ id, device, createdAt, seenAt, expiresAt }: SessionRow, current: string | undefined) => ({
  id,
  isCurrent: id === current,
  device,
  createdAt,
  seenAt,
  expiresAt,
})

const tokenOf = ({ id, label, display, createdAt, expiresAt, lastUsedAt }: TokenRow) => ({
  id,
  label,
  display,
  createdAt,
  expiresAt,
  lastUsedAt,
})
