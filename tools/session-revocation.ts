// How long a session that was ended, or a personal access token that was revoked,
// still opens anything: measured as tools/revocation.ts does it for API keys, over
// three processes on one database.
//
//   node tools/session-revocation.ts [--rounds N] [--json]

import { randomBytes } from 'node:crypto'
import { ABSOLUTE_SECONDS, COOKIE, newSecret } from '../server/src/accounts/guard.ts'
import * as accounts from '../server/src/accounts/queries.ts'
import type { AccountRow } from '../server/src/accounts/queries.ts'
import { newId } from '../server/src/foundation/ids.ts'
import { digestOf, makeKey } from '../server/src/foundation/key-format.ts'
import type { Database, Db } from '../server/src/foundation/postgres.ts'
import { printFigures, type Opener } from './revocation.ts'

const PATH = '/platform/v1/account'
/** Nobody signs in with it: what is measured is opened without. */
const PASSWORD = 'none'

const sessions: Opener = {
  what: 'session',
  async open(database) {
    const account = await newAccount(database)
    const secret = newSecret(randomBytes)
    const wanted = { account: account.id, digest: digestOf(secret), seconds: ABSOLUTE_SECONDS, password: PASSWORD }
    const row = await accounts.insertSession(database.run, { id: newId('ses'), ...wanted })
    if (!row) throw new Error('no session was begun')
    return {
      path: PATH,
      headers: { Cookie: `${COOKIE}=${secret}` },
      revoke: (sent) => timed(database, (db) => accounts.deleteSession(db, account.id, row.id), sent),
    }
  },
}

const tokens: Opener = {
  what: 'token',
  async open(database) {
    const account = await newAccount(database)
    const token = makeKey('pat', randomBytes)
    const wanted = { account: account.id, label: 'measured', display: '…', digest: digestOf(token), days: 1 }
    const row = await accounts.insertToken(database.run, { id: newId('pat'), ...wanted }, 1)
    if (!row) throw new Error('no token was made')
    return {
      path: PATH,
      headers: { Authorization: `Bearer ${token}` },
      revoke: (sent) => timed(database, (db) => accounts.deleteToken(db, account.id, row.id), sent),
    }
  },
}

export const openers = { sessions, tokens }

async function newAccount({ run }: Database): Promise<AccountRow> {
  const email = `${randomBytes(8).toString('hex')}@petstore.example`
  const account = await accounts.insertAccount(run, { id: newId('acc'), email, name: 'measured', password: PASSWORD })
  if (!account) throw new Error('no account was made')
  return account
}

const timed = (database: Database, remove: (db: Db) => Promise<boolean>, sent: () => void) =>
  database.transaction({}, async (db) => {
    if (!(await remove(db))) throw new Error('there was nothing to take back')
    sent()
  })

if (import.meta.main) await printFigures(Object.values(openers))
