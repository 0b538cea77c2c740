// Routes for passkeys on `/platform/v1`: adding, listing and removing them, and signing
// in with one. A challenge can be used once: it is consumed before the browser's response
// is verified. A failed sign-in reveals only that it failed: neither which passkeys exist
// nor what was wrong with this one. The exception is a passkey that did not check its user:
// its response is valid, so the person has it, and is advised to use the password.

import * as contract from '@petstore-platform/contract/platform/passkeys'
import type { PasskeyAnswer } from '@petstore-platform/contract/platform/passkeys'
import * as reauthentication from '@petstore-platform/contract/platform/reauthentication'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { SECOND } from '../../foundation/time.ts'
import type { AccountPlatform } from '../account-platform.ts'
import * as accounts from '../account-queries.ts'
import type { AccountId } from '../account-queries.ts'
import { notSignedIn, type Person, type Visitor } from '../sessions/guard.io.ts'
import { deletePasskeySessions, isSessionOpen } from '../sessions/session-queries.ts'
import { clearFailures, emailDigest } from '../sign-in/sign-in-failure-queries.ts'
import { endSoon } from '../sign-in/sign-in-routes.ts'
import { accountJson, beginSession, failureLog, sessionIdOf, type Beginning } from '../sign-in/sign-in.io.ts'
import * as passkeys from './passkey-queries.ts'
import type { PasskeyRow } from './passkey-queries.ts'
import {
  challengeIn,
  challengeText,
  credentialIdIn,
  named,
  passkeyOf,
  registrationOptions,
  relyingPartyOf,
  signInOptions,
  verifyMade,
  verifyUsed,
  type PasskeyChallenge,
} from './passkeys.ts'

export function passkeyRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  ownPasskeyRoutes(app, platform)
  passkeySignInRoutes(app, platform)
}

/** Creates a challenge and stores it until it is used. */
async function createChallenge(
  { database: { run }, dashboardOrigin, newId, randomBytes, limits }: AccountPlatform,
  account: AccountId | null,
  addressGroup: string,
): Promise<{ id: string; asked: PasskeyChallenge }> {
  const challenge = randomBytes(32)
  const party = named(relyingPartyOf(dashboardOrigin))
  const asked = { party, challenge, timeoutMs: contract.CHALLENGE_SECONDS * SECOND }
  const id = newId('chl')
  const made = { id, challenge: challengeText(challenge), account, seconds: contract.CHALLENGE_SECONDS, addressGroup }
  await passkeys.insertChallenge(run, made, limits.passkeyChallenges)
  return { id, asked }
}

/** Adding, listing and removing one's own. */
function ownPasskeyRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, dashboardOrigin, newId, record, personal } = platform
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const party = relyingPartyOf(dashboardOrigin)
  const recordBy = (db: Db, from: Person, action: 'passkey_added' | 'passkey_removed', passkey: string) =>
    record(db, { account: from.account, action, actor: 'person', from, subject: { passkey } })

  mount(app, contract.preparePasskey, personal, async ({ caller }) => {
    sessionIdOf(caller)
    named(party)
    const account = await accounts.findAccount(run, caller.account)
    if (!account) throw notSignedIn()
    const known = await passkeys.listPasskeys(run, caller.account)
    if (known.length >= contract.PASSKEYS_MAX) throw tooMany()
    const { asked } = await createChallenge(platform, caller.account, caller.address)
    return { json: JSON.stringify({ options: await registrationOptions(asked, account, known) }) }
  })

  mount(app, contract.addPasskey, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const challenge = challengeIn(body.response)
    const isIssued = challenge !== undefined && (await passkeys.takeOwnChallenge(run, caller.account, challenge))
    const answered = isIssued ? await verifyMade(body.response, named(party), challenge) : undefined
    if (!answered) throw notMade()
    const { isUserVerified, ...made } = answered
    if (!isUserVerified) throw cannotVerify()
    const row = await transaction(async (db) => {
      await accounts.lockAccount(db, caller.account)
      if (!(await isSessionOpen(db, caller.account, session))) throw notSignedIn()
      const known = await passkeys.listPasskeys(db, caller.account)
      if (known.length >= contract.PASSKEYS_MAX) throw tooMany()
      const added = await passkeys.insertPasskey(db, {
        ...made,
        id: newId('psk'),
        account: caller.account,
        label: body.label,
      })
      if (added) await recordBy(db, caller, 'passkey_added', added.id)
      return added
    })
    if (!row) throw notMade()
    return { json: JSON.stringify(passkeyOf(row)) }
  })

  mount(app, contract.listPasskeys, personal, async ({ caller }) => ({
    json: JSON.stringify((await passkeys.listPasskeys(run, caller.account)).map(passkeyOf)),
  }))

  mount(app, contract.removePasskey, personal, async ({ caller, path }) => {
    const isThere = await transaction(async (db) => {
      const passkey = path['passkeyId'] ?? ''
      const isDeleted = await passkeys.deletePasskey(db, caller.account, passkey)
      if (isDeleted) {
        await deletePasskeySessions(db, caller.account, passkey)
        await recordBy(db, caller, 'passkey_removed', passkey)
      }
      return isDeleted
    })
    if (!isThere) throw new Refusal('not_found', 'No passkey with this identifier.')
    return {}
  })
}

/** A passkey that the browser has just used, with the account that it belongs to. */
type UsedPasskey = { passkey: PasskeyRow; account: accounts.AccountRow; counter: number }

/** Verifies the browser's response to an open challenge, which is consumed; or a refusal. */
async function verifyAnswer(platform: AccountPlatform, { challengeId, response }: PasskeyAnswer): Promise<UsedPasskey> {
  const { database, dashboardOrigin } = platform
  const challenge = await passkeys.takeOpenChallenge(database.run, challengeId)
  const credentialId = credentialIdIn(response)
  if (challenge === undefined || credentialId === undefined) throw notAccepted()
  const passkey = await passkeys.findPasskey(database.run, credentialId)
  const account = passkey && (await accounts.findAccount(database.run, passkey.account))
  if (!passkey || !account) throw notAccepted()
  const used = await verifyUsed(response, named(relyingPartyOf(dashboardOrigin)), challenge, passkey)
  if (!used) throw notAccepted()
  if (!used.isUserVerified) throw notVerified()
  return { passkey, account, counter: used.counter }
}

function passkeySignInRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, attempts, record, open, personal } = platform
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const logFailure = failureLog(app)

  /** Charged to the address group alone: strangers who guess at an account do not keep its person from using a passkey. */
  const verified = (visitor: Visitor, answer: PasskeyAnswer) =>
    attempts
      .countFailure(attempts.allowances.passkey(visitor.address), () => verifyAnswer(platform, answer))
      .catch((refusal: unknown) => {
        logFailure(refusal, { group: visitor.address, isKnownDevice: false })
        throw refusal
      })

  /** Begins a session with the passkey, if it still exists and its counter is higher than before. */
  const begin = async (db: Db, visitor: Visitor, used: UsedPasskey, inPlace: Pick<Beginning, 'device'> = {}) => {
    const { passkey, counter } = used
    // So that the password under which the session begins cannot change in the meantime.
    await accounts.lockAccount(db, passkey.account)
    const account = await accounts.findAccount(db, passkey.account)
    const isGood = await passkeys.usePasskey(db, passkey.account, passkey.id, counter)
    if (!account || !isGood) throw notAccepted()
    const { id, password } = account
    const beginning = { account: id, password, visitor, isProved: true, passkey: passkey.id, ...inPlace }
    return { account, ...(await beginSession(db, platform, beginning)) }
  }

  mount(app, contract.prepareSignIn, open, async ({ caller }) => {
    const { id, asked } = await createChallenge(platform, null, caller.address)
    return { json: JSON.stringify({ challengeId: id, options: await signInOptions(asked) }) }
  })

  mount(app, contract.signInWithPasskey, open, async ({ caller, body }) => {
    const used = await verified(caller, body)
    return transaction(async (db) => {
      const { account, cookies, isKnownDevice } = await begin(db, caller, used)
      await clearFailures(db, emailDigest(account.email))
      const action = isKnownDevice ? 'signed_in' : 'signed_in_new_device'
      await record(db, { account: account.id, action, actor: 'person', from: caller })
      return { json: accountJson(account), headers: { 'Set-Cookie': cookies } }
    })
  })

  mount(app, reauthentication.reauthenticateWithPasskey, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const used = await verified(caller, body)
    if (used.account.id !== caller.account) throw notAccepted()
    return transaction(async (db) => {
      const { cookies } = await begin(db, caller, used, { device: await endSoon(db, caller.account, session) })
      await record(db, { account: caller.account, action: 'reauthenticated', actor: 'person', from: caller })
      return { headers: { 'Set-Cookie': cookies } }
    })
  })
}

const tooMany = () => new Refusal('limit_reached', `An account has at most ${contract.PASSKEYS_MAX} passkeys.`)
const notMade = () =>
  new Refusal('invalid_field', "'response' does not answer the current passkey challenge. Try again.")
const notAccepted = () =>
  new Refusal('wrong_credentials', 'This passkey was not accepted. Try again, or sign in with your password.')
const cannotVerify = () =>
  new Refusal(
    'invalid_field',
    "'response' comes from a device that did not check that it is you, by a PIN, a fingerprint or a face. Set that up on the device, or use another one.",
  )
const notVerified = () =>
  new Refusal(
    'wrong_credentials',
    'This passkey did not check that it is you, by a PIN, a fingerprint or a face, so it cannot be used here. Use your password instead, then replace the passkey on your account page.',
  )
