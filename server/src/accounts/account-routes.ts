// Routes for people on `/platform/v1`: signing out, the account and its password, its audit events, and its deletion.

import * as auditContract from '@petstore-platform/contract/platform/account-audit'
import * as deletionContract from '@petstore-platform/contract/platform/account-deletion'
import * as contract from '@petstore-platform/contract/platform/accounts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { isTimeZone } from '../foundation/time.ts'
import type { AccountPlatform } from './account-platform.ts'
import * as accounts from './account-queries.ts'
import type { AccountId } from './account-queries.ts'
import { listEvents, type AccountEventRow } from './audit-queries.ts'
import { deleteAccount, type Memberships } from './deletion.io.ts'
import { endTokensAndLinks } from './links/recovery-queries.ts'
import { expiredCookie, notSignedIn } from './sessions/guard.io.ts'
import { deleteSession, deleteSessions } from './sessions/session-queries.ts'
import { accountJson, beginSession, sessionIdOf } from './sign-in/sign-in.io.ts'

export function accountRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, passwords, attempts, record, projectNamesOf, personal } = platform
  const { run } = database
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  const own = async (account: AccountId) => {
    const found = await accounts.findAccount(run, account)
    if (!found) throw notSignedIn()
    return found
  }

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
    if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
      throw new Refusal('invalid_field', contract.timeZoneFault)
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
    const { password, email, name } = await own(account)
    const turn = { isKnown: true, group: account }
    await attempts.countFailure(attempts.allowances.session(account, present), async () => {
      if (!(await passwords.matches(body.current, password, turn))) throw wrongCurrent()
    })
    const about = [email, name, ...(await projectNamesOf(account))]
    const next = await passwords.choose(body.next, { field: 'next', about, turn })
    return transaction(async (db) => {
      if (!(await accounts.setPassword(db, account, { known: password, next }))) throw wrongCurrent()
      const device = (await deleteSessions(db, account)).find(({ id }) => id === present)?.device ?? null
      await endTokensAndLinks(db, account)
      const { cookies } = await beginSession(db, platform, {
        account,
        password: next,
        visitor: caller,
        isProved: true,
        device,
      })
      await record(db, { account, action: 'password_changed', actor: 'person', from: caller })
      return { headers: { 'Set-Cookie': cookies } }
    })
  })
}

const wrongCurrent = () => new Refusal('invalid_field', "'current' is not the password of this account.")

export function accountAuditRoutes(app: FastifyInstance, { database, personal }: AccountPlatform): void {
  mount(app, auditContract.listAccountEvents, personal, async ({ caller }) => {
    const rows = await listEvents(database.run, caller.account, auditContract.EVENTS_MAX)
    return { json: JSON.stringify(rows.map(eventOf)) }
  })
}

const eventOf = ({ id, at, action, actor, device, addressGroup }: AccountEventRow) => ({
  id: String(id),
  at,
  action,
  actor,
  device,
  addressGroup,
})

export function deletionRoutes(app: FastifyInstance, platform: AccountPlatform, memberships: Memberships): void {
  const { personal } = platform
  mount(app, deletionContract.getAccountDeletion, personal, async ({ caller }) => ({
    json: JSON.stringify({ blockedBy: await memberships.solelyOwnedBy(caller.account) }),
  }))

  mount(app, deletionContract.deleteAccount, personal, async ({ caller }) => {
    await deleteAccount(platform, memberships, caller.account, 'person')
    return { headers: { 'Set-Cookie': expiredCookie() } }
  })
}
