// Routes for people on `/platform/v1`: signing up, in and out, the account and its password.
// A client that tries passwords cannot find out whether an address has an account: a wrong
// password and a missing account get the same response, after equal work.

import * as contract from '@petstore/contract/platform/accounts'
import type { PlatformOperation } from '@petstore/contract/platform/operation'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { endTokensAndLinks } from './recovery-queries.ts'
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
import { expiredCookie, notSignedIn, type Person } from './guard.io.ts'
import type { Passwords } from './password.io.ts'
import * as accounts from './account-queries.ts'
import type { AccountId } from './account-queries.ts'

export type AccountRoutesDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  passwords: Passwords
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
  attempts: Attempts
  queueMail: QueueMail
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}

export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { database, passwords, newId, attempts, queueMail, open, personal } = deps
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
      await endTokensAndLinks(db, caller.account)
      await queueMail(db, { kind: 'password_changed', recipient: caller.account })
      const device = ended.find(({ id }) => id === present)?.device ?? null
      return { headers: { 'Set-Cookie': await begin(db, { account: caller.account, password: next, device }) } }
    })
  })
}

const wrongCurrent = () => new Refusal('invalid_field', "'current' is not the password of this account.")
