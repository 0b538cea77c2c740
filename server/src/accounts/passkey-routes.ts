// Routes for passkeys on `/platform/v1`: adding, listing and removing them, and signing
// in with one. A challenge can be used once: it is consumed before the browser's response
// is verified. A failed sign-in reveals only that it failed: neither which passkeys exist
// nor what was wrong with this one.

import type { PlatformOperation } from '@petstore/contract/platform/operation'
import * as contract from '@petstore/contract/platform/passkeys'
import type { FastifyInstance } from 'fastify'
import { mount, type Mounting } from '../foundation/http/operation.io.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { SECOND } from '../foundation/time.ts'
import {
  accountJson,
  beginSession,
  countAttempt,
  sessionIdOf,
  type Attempts,
  type SessionDeps,
  type Visitor,
} from './sign-in.io.ts'
import { deviceOf } from './device.ts'
import { notSignedIn, type Person } from './guard.io.ts'
import * as passkeys from './passkey-queries.ts'
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
import * as accounts from './account-queries.ts'
import type { AccountId } from './account-queries.ts'

export type PasskeyRoutesDeps = SessionDeps & {
  database: Pick<Database, 'run' | 'transaction'>
  /** The origin of the dashboard. */
  dashboardOrigin: string
  /** Shared with signing in by password. */
  attempts: Attempts
  queueMail: QueueMail
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
}

export function passkeyRoutes(app: FastifyInstance, deps: PasskeyRoutesDeps): void {
  ownPasskeyRoutes(app, deps)
  passkeySignInRoutes(app, deps)
}

/** Creates a challenge and stores it until it is used. */
async function createChallenge(
  { database: { run }, dashboardOrigin, newId, randomBytes }: PasskeyRoutesDeps,
  account: AccountId | null,
): Promise<{ id: string; asked: PasskeyChallenge }> {
  const challenge = randomBytes(32)
  const party = named(relyingPartyOf(dashboardOrigin))
  const asked = { party, challenge, timeoutMs: contract.CHALLENGE_SECONDS * SECOND }
  const id = newId('chl')
  await passkeys.insertChallenge(run, {
    id,
    challenge: challengeText(challenge),
    account,
    seconds: contract.CHALLENGE_SECONDS,
  })
  return { id, asked }
}

/** Adding, listing and removing one's own. */
function ownPasskeyRoutes(app: FastifyInstance, deps: PasskeyRoutesDeps): void {
  const { database, dashboardOrigin, newId, queueMail, personal } = deps
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const party = relyingPartyOf(dashboardOrigin)

  mount(app, contract.preparePasskey, personal, async ({ caller }) => {
    sessionIdOf(caller)
    named(party)
    const account = await accounts.findAccount(run, caller.account)
    if (!account) throw notSignedIn()
    const known = await passkeys.listPasskeys(run, caller.account)
    if (known.length >= contract.PASSKEYS_MAX) throw tooMany()
    const { asked } = await createChallenge(deps, caller.account)
    return { json: JSON.stringify({ options: await registrationOptions(asked, account, known) }) }
  })

  mount(app, contract.addPasskey, personal, async ({ caller, body }) => {
    const session = sessionIdOf(caller)
    const challenge = challengeIn(body.response)
    const isIssued = challenge !== undefined && (await passkeys.takeOwnChallenge(run, caller.account, challenge))
    const made = isIssued ? await verifyMade(body.response, named(party), challenge) : undefined
    if (!made) throw notMade()
    const row = await transaction(async (db) => {
      await accounts.lockAccount(db, caller.account)
      if (!(await accounts.isSessionOpen(db, caller.account, session))) throw notSignedIn()
      const known = await passkeys.listPasskeys(db, caller.account)
      if (known.length >= contract.PASSKEYS_MAX) throw tooMany()
      const added = await passkeys.insertPasskey(db, {
        ...made,
        id: newId('psk'),
        account: caller.account,
        label: body.label,
      })
      if (added)
        await queueMail(db, { kind: 'passkey_added', recipient: caller.account, subject: { passkey: added.id } })
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
      const isDeleted = await passkeys.deletePasskey(db, caller.account, path['passkeyId'] ?? '')
      if (isDeleted) await queueMail(db, { kind: 'passkey_removed', recipient: caller.account })
      return isDeleted
    })
    if (!isThere) throw new Refusal('not_found', 'No passkey with this identifier.')
    return {}
  })
}

function passkeySignInRoutes(app: FastifyInstance, deps: PasskeyRoutesDeps): void {
  const { database, dashboardOrigin, attempts, open } = deps
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)
  const party = relyingPartyOf(dashboardOrigin)

  mount(app, contract.prepareSignIn, open, async () => {
    const { id, asked } = await createChallenge(deps, null)
    return { json: JSON.stringify({ challengeId: id, options: await signInOptions(asked) }) }
  })

  mount(app, contract.signInWithPasskey, open, async ({ caller, body }) => {
    await countAttempt(attempts.perAddress, caller.address)
    const challenge = await passkeys.takeOpenChallenge(run, body.challengeId)
    const credentialId = credentialIdIn(body.response)
    if (challenge === undefined || credentialId === undefined) throw notAccepted()
    const passkey = await passkeys.findPasskey(run, credentialId)
    const owner = passkey && (await accounts.findAccount(run, passkey.account))
    if (!passkey || !owner) throw notAccepted()
    await countAttempt(attempts.perAccount, accounts.keyOf(owner.email))
    const counter = await verifyUsed(body.response, named(party), challenge, passkey)
    if (counter === undefined) throw notAccepted()
    return transaction(async (db) => {
      // So that the password under which the session begins cannot change in the meantime.
      await accounts.lockAccount(db, passkey.account)
      const account = await accounts.findAccount(db, passkey.account)
      const isGood = await passkeys.usePasskey(db, passkey.account, passkey.id, counter)
      if (!account || !isGood) throw notAccepted()
      const { id, password } = account
      const cookie = await beginSession(db, deps, { account: id, password, device: deviceOf(caller.userAgent) })
      return { json: accountJson(account), headers: { 'Set-Cookie': cookie } }
    })
  })
}

const tooMany = () => new Refusal('limit_reached', `An account has at most ${contract.PASSKEYS_MAX} passkeys.`)
const notMade = () =>
  new Refusal('invalid_field', "'response' does not answer the current passkey challenge. Try again.")
const notAccepted = () =>
  new Refusal('wrong_credentials', 'This passkey was not accepted. Try again, or sign in with your password.')
