// Credentials that can be revoked: an API key, a session and a personal access token, each
// created and revoked as the program does it.

import { randomBytes } from 'node:crypto'
import * as accounts from '../../../server/src/accounts/account-queries.ts'
import { deleteSession } from '../../../server/src/accounts/sessions/session-queries.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { digestOf, makeKey } from '../../../server/src/foundation/key-format.ts'
import type { Database, Db } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { createKey, revokeKey } from '../../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, type InProject } from '../../../server/src/projects/scope.io.ts'
import { newPerson } from '../../harness/people.ts'
import { openSession } from '../../harness/session.ts'

/** How it is used, and how it is revoked: `sent` is called when only the commit is left. */
export type Opening = {
  path: string
  headers: Readonly<Record<string, string>>
  revoke(sent: () => void): Promise<void>
}
export type Opener = { what: string; open(database: Database): Promise<Opening> }

const keys: Opener = {
  what: 'key',
  async open(database) {
    const inProject = inProjectOf(database)
    const project = await createProject(database, { slug: `r${randomBytes(8).toString('hex')}`, name: 'revocation' })
    const { key, row } = await createKey({ inProject, kind: 'live', newId, randomBytes }, project, {
      label: 'measured',
    })
    return {
      path: '/v1/pets?limit=1',
      headers: { Authorization: `Bearer ${key}` },
      async revoke(sent) {
        const timed: InProject = (of, work) =>
          inProject(of, async (db) => {
            const result = await work(db)
            sent()
            return result
          })
        await revokeKey({ inProject: timed }, project, row.id)
      },
    }
  },
}

const PATH = '/platform/v1/account'
/** Of a new person. */
const PASSWORD = 'none'

const sessions: Opener = {
  what: 'session',
  async open(database) {
    const { account } = await newPerson(database)
    const { id, cookie } = await openSession(database.run, account, PASSWORD)
    return {
      path: PATH,
      headers: { Cookie: cookie },
      revoke: (sent) => timed(database, (db) => deleteSession(db, account, id), sent),
    }
  },
}

const tokens: Opener = {
  what: 'token',
  async open(database) {
    const { account } = await newPerson(database)
    const token = makeKey('pat', randomBytes)
    const shown = { label: 'measured', display: '…', scopes: ['read'] as const }
    const wanted = { account, ...shown, digest: digestOf(token), days: 1 }
    const row = await accounts.insertToken(database.run, { id: newId('pat'), ...wanted }, 1)
    if (!row) throw new Error('no token was made')
    return {
      path: PATH,
      headers: { Authorization: `Bearer ${token}` },
      revoke: (sent) => timed(database, (db) => accounts.deleteToken(db, account, row.id), sent),
    }
  },
}

const timed = (database: Database, remove: (db: Db) => Promise<boolean>, sent: () => void) =>
  database.transaction({}, async (db) => {
    if (!(await remove(db))) throw new Error('there was nothing to take back')
    sent()
  })

export const openers: readonly Opener[] = [keys, sessions, tokens]
