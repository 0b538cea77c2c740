// Routes for people who cannot sign in, or who learn of a change that was not theirs, on
// `/platform/v1`. A request for a link runs the same statements for every address; the worker that
// sends the mail decides whether there is an account.

import * as contract from '@petstore-platform/contract/platform/recovery'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { findAccount, keyOf, lockAccount, type AccountId } from '../account-queries.ts'
import { notSignedIn } from '../sessions/guard.io.ts'
import { accountOfLink, takeLink } from './link-queries.ts'
import { notWorking, requestLink } from './links.io.ts'
import { codeDigest, newCode } from './recovery-codes.ts'
import * as recovery from './recovery-queries.ts'
import { restoreAccount } from './restoration.io.ts'
import { isSessionOpen } from '../sessions/session-queries.ts'
import { sessionIdOf } from '../sign-in/sign-in.io.ts'

/** `isMailAtRisk`: whether mail to the account needs a domain of one of its projects. */
export function recoveryRoutes(
  app: FastifyInstance,
  platform: AccountPlatform,
  isMailAtRisk: (account: AccountId) => Promise<boolean>,
): void {
  linkRoutes(app, platform)
  codeRoutes(app, platform, isMailAtRisk)
}

function linkRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, newId, attempts, record, queueMail, open } = platform
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.requestRecovery, open, async ({ caller, body }) => {
    await attempts.count(attempts.allowances.recovery(caller.address))
    if (!queueMail) throw new Refusal('mail_unavailable')
    await transaction((db) => requestLink(db, queueMail, { id: newId('rec'), email: body.email, link: 'recovery' }))
    return { json: JSON.stringify(contract.requestedRecovery) }
  })

  mount(app, contract.recoverAccount, open, async ({ caller, body }) => {
    const digest = digestOf(body.secret)
    // A password is hashed only for a link that works: that takes a while.
    const owner = await attempts.countFailure(attempts.allowances.recovery(caller.address), async () => {
      const found = await accountOfLink(database.run, digest, 'recovery')
      if (found === undefined) throw notWorking()
      return found
    })
    const password = await chosenPassword(platform, owner, body.password)
    await transaction(async (db) => {
      await lockAccount(db, owner)
      if (!(await takeLink(db, digest, 'recovery'))) throw notWorking()
      await recovery.recover(db, owner, { password, isAddressProved: true })
      await record(db, { account: owner, action: 'password_reset', actor: 'visitor', from: caller })
    })
    return {}
  })

  mount(app, contract.secureAccount, open, async ({ caller, body }) => {
    await restoreAccount(platform, { digest: digestOf(body.secret), purpose: 'secure', caller })
    return {}
  })
}

function codeRoutes(
  app: FastifyInstance,
  platform: AccountPlatform,
  isMailAtRisk: (account: AccountId) => Promise<boolean>,
): void {
  const { database, randomBytes, attempts, record, open, personal } = platform
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.getRecoveryCodes, personal, async ({ caller }) => ({
    json: JSON.stringify({
      ...(await recovery.countCodes(database.run, caller.account)),
      isMailAtRisk: await isMailAtRisk(caller.account),
    }),
  }))

  mount(app, contract.createRecoveryCodes, personal, async ({ caller }) => {
    const session = sessionIdOf(caller)
    const { account } = caller
    const codes = Array.from({ length: contract.RECOVERY_CODES }, () => newCode(randomBytes))
    await transaction(async (db) => {
      await lockAccount(db, account)
      if (!(await isSessionOpen(db, account, session))) throw notSignedIn()
      await recovery.replaceCodes(db, account, codes.map(codeDigest))
      await record(db, { account, action: 'recovery_codes_created', actor: 'person', from: caller })
    })
    return { json: JSON.stringify({ codes }) }
  })

  mount(app, contract.recoverWithCode, open, async ({ caller, body }) => {
    const key = keyOf(body.email)
    const attempt = { email: digestOf(key), group: caller.address }
    const digest = codeDigest(body.code)
    const account = await attempts.countFailure(attempts.allowances.recoveryCode(attempt), async () => {
      const found = await recovery.findByCode(database.run, key, digest)
      if (found === undefined) throw wrongCode()
      return found
    })
    const password = await chosenPassword(platform, account, body.password)
    await transaction(async (db) => {
      await lockAccount(db, account)
      if (!(await recovery.takeCode(db, account, digest))) throw wrongCode()
      await recovery.recover(db, account, { password, isAddressProved: false })
      await record(db, { account, action: 'recovery_code_used', actor: 'visitor', from: caller })
    })
    return {}
  })
}

/** The link or the code has shown that the person is known, so no stranger is ahead of them in the queue. */
async function chosenPassword(
  { database, passwords, projectNamesOf }: AccountPlatform,
  account: AccountId,
  password: string,
): Promise<string> {
  const { email = '', name = '' } = (await findAccount(database.run, account)) ?? {}
  const about = [email, name, ...(await projectNamesOf(account))]
  return passwords.choose(password, { field: 'password', about, turn: { isKnown: true, group: account } })
}

const wrongCode = () => new Refusal('wrong_credentials', 'The email address or the recovery code is wrong.')
