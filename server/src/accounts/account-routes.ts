// Routes for people on `/platform/v1`: signing in and out, the account and its password.
// A client that tries passwords cannot find out whether an address has an account: a wrong
// password and a missing account get the same response, after equal work.

import * as contract from '@petstore-platform/contract/platform/accounts'
import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import * as accounts from './account-queries.ts'
import type { AccountId } from './account-queries.ts'
import type { RecordAction } from './audit.io.ts'
import { queueSignInsLimited } from './links.io.ts'
import { expiredCookie, notSignedIn, type Person, type Visitor } from './guard.io.ts'
import type { Passwords } from './password.io.ts'
import { endTokensAndLinks } from './recovery-queries.ts'
import { deleteSession, deleteSessions } from './session-queries.ts'
import { accountJson, beginSession, countAttempt, sessionIdOf, type Attempts, type Beginning } from './sign-in.io.ts'

export type AccountRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  passwords: Passwords
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  attempts: Attempts
  record: RecordAction
  /** Undefined if no mail is sent. */
  queueMail: QueueMail | undefined
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}

export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { database, passwords, newId, attempts, record, queueMail, open, personal } = deps
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  const begin = (db: Db, beginning: Beginning) => beginSession(db, deps, beginning)
  const own = async (account: AccountId) => {
    const found = await accounts.findAccount(run, account)
    if (!found) throw notSignedIn()
    return found
  }

  mount(app, contract.signIn, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    await countAttempt(attempts.perAccount, accounts.keyOf(body.email)).catch(async (refusal: unknown) => {
      if (queueMail) await transaction((db) => queueSignInsLimited(db, { queueMail, newId }, body.email))
      throw refusal
    })
    const found = await accounts.findCredentials(run, body.email)
    if (!(await passwords.matches(body.password, found?.password)) || !found) throw new Refusal('wrong_credentials')
    const { id: account, password } = found
    return transaction(async (db) => {
      const { cookies, isKnownDevice } = await begin(db, { account, password, visitor: caller, isProved: true })
      const action = isKnownDevice ? 'signed_in' : 'signed_in_new_device'
      await record(db, { account, action, actor: 'person', from: caller })
      return { json: accountJson(found), headers: { 'Set-Cookie': cookies } }
    })
  })

  mount(app, contract.signOut, personal, async ({ caller }) => {
    const session = sessionIdOf(caller)
    await transaction(async (db) => {
      if (await deleteSession(db, caller.account, session))
        await record(db, { account: caller.account, action: 'signed_out', actor: 'person', from: caller })
    })
    return { headers: { 'Set-Cookie': expiredCookie() } }
  })

  mount(app, contract.getAccount, personal, async ({ caller }) => ({ json: accountJson(await own(caller.account)) }))

  mount(app, contract.changeAccount, personal, async ({ caller, body }) => {
    const account = await transaction(async (db) => {
      const changed = await accounts.changeAccount(db, caller.account, body)
      if (changed && body.name !== undefined)
        await record(db, { account: changed.id, action: 'name_changed', actor: 'person', from: caller })
      return changed
    })
    if (!account) throw notSignedIn()
    return { json: accountJson(account) }
  })

  mount(app, contract.changePassword, personal, async ({ caller, body }) => {
    const present = sessionIdOf(caller)
    const { account } = caller
    await countAttempt(attempts.perAccount, account)
    const { password } = await own(account)
    if (!(await passwords.matches(body.current, password))) throw wrongCurrent()
    const next = await passwords.hash(body.next)
    return transaction(async (db) => {
      if (!(await accounts.setPassword(db, account, { known: password, next }))) throw wrongCurrent()
      const device = (await deleteSessions(db, account)).find(({ id }) => id === present)?.device ?? null
      await endTokensAndLinks(db, account)
      const { cookies } = await begin(db, { account, password: next, visitor: caller, isProved: true, device })
      await record(db, { account, action: 'password_changed', actor: 'person', from: caller })
      return { headers: { 'Set-Cookie': cookies } }
    })
  })
}

const wrongCurrent = () => new Refusal('invalid_field', "'current' is not the password of this account.")
