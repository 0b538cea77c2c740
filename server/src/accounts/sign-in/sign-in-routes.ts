// Routes for signing in on `/platform/v1`, with a password or with a mailed link. A client that tries passwords cannot
// find out whether an address has an account: for every address the same statements run, a password is compared for as
// long, and the response is the same. Each failure is one line of the log, without address or password.

import * as contract from '@petstore-platform/contract/platform/accounts'
import * as reauthentication from '@petstore-platform/contract/platform/reauthentication'
import * as links from '@petstore-platform/contract/platform/sign-in-links'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import * as accounts from '../account-queries.ts'
import { findAccount, lockAccount, type AccountId } from '../account-queries.ts'
import { endSignInLinks, takeLink } from '../links/link-queries.ts'
import { notWorking, queueSignInsLimited, requestLink } from '../links/links.io.ts'
import { notSignedIn, type Visitor } from '../sessions/guard.io.ts'
import { replaceSession } from '../sessions/session-queries.ts'
import { addFailure, clearFailures, emailDigest, failuresOf } from './sign-in-failure-queries.ts'
import { passwordsOff } from './sign-in-limits.ts'
import { accountJson, beginSession, failureLog, sessionIdOf, type Beginning } from './sign-in.io.ts'

export function signInRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, passwords, attempts, newId, queueMail, open } = platform
  const { allowances } = attempts
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const logFailure = failureLog(app)

  mount(app, contract.signIn, open, async ({ caller, body }) => {
    const email = emailDigest(body.email)
    const device = caller.deviceSecret === undefined ? null : digestOf(caller.deviceSecret)
    const found = await accounts.findSignIn(run, body.email, device)
    const isKnown = device !== null && (found?.isKnownDevice ?? false)
    const compare = async () => {
      const turn = { isKnown, group: isKnown && found ? found.id : caller.address }
      const isRight = await passwords.matches(body.password, found?.password, turn)
      if (isRight && found) return found
      if (!isKnown) await addFailure(run, email)
      throw new Refusal('wrong_credentials')
    }
    const tried = async () => {
      if (isKnown) return attempts.countFailure(allowances.knownDevice(email, device), compare)
      if ((await failuresOf(run, email)) >= allowances.consecutive)
        throw passwordsOff(`${allowances.consecutive} in a row`)
      return attempts.countFailure(allowances.unknownDevice({ email, group: caller.address }), compare)
    }
    const signedIn = await tried().catch(async (refusal: unknown) => {
      logFailure(refusal, { account: found?.id, email, group: caller.address, isKnownDevice: isKnown })
      if (queueMail && refusal instanceof Refusal && refusal.code === 'password_not_accepted')
        await transaction((db) => queueSignInsLimited(db, queueMail, { id: newId('rec'), email: body.email }))
      throw refusal
    })
    const { id: account, password } = signedIn
    return transaction((db) => enter(db, platform, signedIn, { account, password, visitor: caller, isProved: true }))
  })

  mount(app, links.requestSignInLink, open, async ({ caller, body }) => {
    await attempts.count(allowances.recovery(caller.address))
    if (!queueMail) throw new Refusal('mail_unavailable')
    await transaction((db) => requestLink(db, queueMail, { id: newId('rec'), email: body.email, link: 'sign_in' }))
    return { json: JSON.stringify({ linkMinutes: links.SIGN_IN_LINK_MINUTES }) }
  })

  mount(app, links.signInWithLink, open, async ({ caller, body }) => {
    const byLink = (db: Db) => enterWithLink(db, platform, caller, body.secret)
    return attempts
      .countFailure(allowances.recovery(caller.address), () => transaction(byLink))
      .catch((refusal: unknown) => {
        logFailure(refusal, { group: caller.address, isKnownDevice: false })
        throw refusal
      })
  })
}

/** The link proves the mailbox, not the password: what needs a recent proof still asks for it. */
async function enterWithLink(db: Db, platform: AccountPlatform, visitor: Visitor, secret: string) {
  const link = await takeLink(db, digestOf(secret), 'sign_in')
  if (!link) throw notWorking()
  await accounts.lockAccount(db, link.account)
  const found = await accounts.findAccount(db, link.account)
  if (!found) throw notWorking()
  await endSignInLinks(db, found.id)
  return enter(db, platform, found, { account: found.id, password: found.password, visitor, isProved: false })
}

/** Begins the session and forgets the failures before it. */
async function enter(db: Db, platform: AccountPlatform, found: accounts.AccountRow, beginning: Beginning) {
  const { cookies, isKnownDevice } = await beginSession(db, platform, beginning)
  await clearFailures(db, emailDigest(found.email))
  const action = isKnownDevice ? 'signed_in' : 'signed_in_new_device'
  await platform.record(db, { account: found.id, action, actor: 'person', from: beginning.visitor })
  return { json: accountJson(found), headers: { 'Set-Cookie': cookies } }
}

// Routes for re-authentication on `/platform/v1`: a person who is signed in presents the password
// again before an operation that would give a thief of the session lasting access.
//
// The response begins a new session, and the old one ends soon: a copy of the old cookie does not
// become more powerful by what the person does.

export function reauthenticationRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, passwords, attempts, record, personal } = platform

  mount(app, reauthentication.reauthenticate, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const { account } = caller
    const found = await findAccount(database.run, account)
    if (!found) throw notSignedIn()
    const { password } = found
    const turn = { isKnown: true, group: account }
    await attempts.countFailure(attempts.allowances.session(account, session), async () => {
      if (!(await passwords.matches(body.password, password, turn))) throw wrongPassword()
    })
    return database.transaction({}, async (db) => {
      const device = await endSoon(db, account, session)
      const { cookies } = await beginSession(db, platform, {
        account,
        password,
        visitor: caller,
        isProved: true,
        device,
      })
      await record(db, { account, action: 'reauthenticated', actor: 'person', from: caller })
      return { headers: { 'Set-Cookie': cookies } }
    })
  })
}

/** Ends the session in whose place another one begins; returns the name of its device. */
export async function endSoon(db: Db, account: AccountId, session: string): Promise<string | null> {
  await lockAccount(db, account)
  const ended = await replaceSession(db, account, session)
  if (!ended) throw notSignedIn()
  return ended.device
}

const wrongPassword = () => new Refusal('invalid_field', "'password' is not the password of this account.")
