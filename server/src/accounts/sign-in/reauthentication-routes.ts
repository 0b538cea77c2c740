// Routes for re-authentication on `/platform/v1`: a person who is signed in presents the password
// again before an operation that would give a thief of the session lasting access.
//
// The response begins a new session, and the old one ends soon: a copy of the old cookie does not
// become more powerful by what the person does.

import * as contract from '@petstore-platform/contract/platform/reauthentication'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { findAccount, lockAccount, type AccountId } from '../account-queries.ts'
import { notSignedIn } from '../sessions/guard.io.ts'
import { replaceSession } from '../sessions/session-queries.ts'
import { beginSession, sessionIdOf } from './sign-in.io.ts'

export function reauthenticationRoutes(app: FastifyInstance, platform: AccountPlatform): void {
  const { database, passwords, attempts, record, personal } = platform

  mount(app, contract.reauthenticate, personal, async ({ caller, body }) => {
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
