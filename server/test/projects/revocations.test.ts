// Key revocations as a running process reads them: every change that was committed since its
// last poll, however transactions overlap. Whether it then drops them from its cache in time
// is measured over processes (`npm run experiment -- revocation`).

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { insertAccount, insertToken, deleteToken, type AccountId } from '../../src/accounts/account-queries.ts'
import { endTokensAndLinks, recover } from '../../src/accounts/links/recovery-queries.ts'
import * as sessions from '../../src/accounts/sessions/session-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import {
  NOW,
  REVOCATION_CHANNEL,
  notifyRevocation,
  revokedSince,
} from '../../src/foundation/postgres/revocations.io.ts'
import { createKey, revokeKey, rotateKey, type FreshKey, type KeyContext } from '../../src/projects/api-keys.io.ts'
import { trackKeyUses } from '../../src/projects/jobs.io.ts'
import { revokeAllKeys } from '../../src/projects/project-queries.ts'
import { inProjectOf, inProjectsOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { openSession } from '../../../testbed/harness/session.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

const PROJECT = 1n as ProjectId
let home: TestDatabase
let database: Database
let deps: KeyContext

beforeAll(async () => {
  home = await cloneDatabase()
  database = openDatabase({ url: home.appUrl, poolMax: 4, onError: () => {} })
  deps = { inProject: inProjectOf(database), kind: 'test', newId, randomBytes }
})
afterAll(() => database.close())

const hexOf = ({ row }: FreshKey) => row.digest.toString('hex')
const ask = (since: string) => revokedSince(database.run, since)
const newKey = () => createKey(deps, PROJECT, { label: 'a key' })

/** A transaction of the program's own role that stays open until the test commits it or rolls it back. */
async function opened(
  text: string,
  values: readonly unknown[],
): Promise<(how: 'commit' | 'rollback') => Promise<void>> {
  const client = new pg.Client({ connectionString: home.appUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('petstore.projects', '{${PROJECT}}', true)`)
  await client.query(text, [...values])
  return async (how) => {
    await client.query(how)
    await client.end()
  }
}

const revoke = 'update api_keys set revoked_at = now() where project_id = $1 and id = $2'

// Where a transaction of another test is open, those of earlier tests are received once more.
describe('a polling process', () => {
  test('receives nothing as long as nothing has changed', async () => {
    const { until } = await ask(NOW)
    await newKey()
    expect((await ask(until)).digests).toEqual([])
  })

  test('receives a revocation and a rotation, by the digest of the old key', async () => {
    const [first, second, third] = [await newKey(), await newKey(), await newKey()]
    const { until } = await ask(NOW)
    await revokeKey(deps, PROJECT, first.row.id)
    await rotateKey(deps, PROJECT, second.row.id, 60)
    const { digests } = await ask(until)
    expect(digests.toSorted()).toEqual([hexOf(first), hexOf(second)].toSorted())
    expect(digests).not.toContain(hexOf(third))
  })

  test('receives a change that was in progress at its last poll and has been committed since', async () => {
    const key = await newKey()
    const { until: before } = await ask(NOW)
    const end = await opened(revoke, [PROJECT, key.row.id])
    const meanwhile = await ask(before)
    expect(meanwhile.digests).not.toContain(hexOf(key))
    // Others continue, so that transaction numbers pass the one that is open.
    await revokeKey(deps, PROJECT, (await newKey()).row.id)
    const later = await ask(meanwhile.until)
    await end('commit')
    expect((await ask(later.until)).digests).toContain(hexOf(key))
  })

  test('does not receive a change that was rolled back', async () => {
    const key = await newKey()
    const { until } = await ask(NOW)
    const end = await opened(revoke, [PROJECT, key.row.id])
    await end('rollback')
    expect((await ask(until)).digests).not.toContain(hexOf(key))
  })

  test('does not receive the use of a key', async () => {
    const key = await newKey()
    const { until } = await ask(NOW)
    const uses = trackKeyUses({ inProjects: inProjectsOf(database), now: Date.now })
    uses.note({ project: PROJECT, keyId: key.row.id, scopes: [] })
    await uses.write()
    expect((await ask(until)).digests).not.toContain(hexOf(key))
  })
})

test('changes that all processes have seen long ago are swept, and nothing else', async () => {
  const key = await newKey()
  const { until } = await ask(NOW)
  await revokeKey(deps, PROJECT, key.row.id)
  const old = randomBytes(32)
  await asOwner(home, (client) =>
    client.query(`insert into revocation_directory (digest, noted_at) values ($1, now() - interval '61 minutes')`, [
      old,
    ]),
  )
  expect((await ask(until)).digests).toEqual(expect.arrayContaining([hexOf(key), old.toString('hex')]))
  await removeExpired(database, 'revocation_directory')
  const { digests } = await ask(until)
  expect(digests).toContain(hexOf(key))
  expect(digests).not.toContain(old.toString('hex'))
})

/** A person with a session and a token. */
async function newPerson() {
  const id = newId('acc') as AccountId
  await insertAccount(database.run, { id, email: `${id}@petstore.example`, name: 'Mia', password: '' })
  const session = await openSession(database.run, id, '')
  const shown = { label: 'a token', display: '…', scopes: ['read'] as const, digest: randomBytes(32), days: 1 }
  const token = await insertToken(database.run, { id: newId('pat'), account: id, ...shown }, 1)
  return { id, session: session.id, token: token?.id ?? '' }
}
type Person = Awaited<ReturnType<typeof newPerson>>

const endings: Record<string, (person: Person) => Promise<unknown>> = {
  'a key is revoked': async () => revokeKey(deps, PROJECT, (await newKey()).row.id),
  'a key is rotated': async () => rotateKey(deps, PROJECT, (await newKey()).row.id, 60),
  'all keys of a project are revoked': () => inProjectOf(database)(PROJECT, (db) => revokeAllKeys(db, PROJECT)),
  'a session is deleted': ({ id, session }) => sessions.deleteSession(database.run, id, session),
  'all sessions are deleted': ({ id }) => sessions.deleteSessions(database.run, id),
  'the sessions of a passkey are deleted': ({ id }) => sessions.deletePasskeySessions(database.run, id, newId('psk')),
  'another session takes its place': ({ id, session }) => sessions.replaceSession(database.run, id, session),
  'the oldest session makes room': ({ id }) => {
    const lasting = { seconds: 60, idleSeconds: 60, isProved: true, passkey: null, device: null, password: '' }
    return sessions.insertSession(
      database.run,
      { id: newId('ses'), account: id, digest: randomBytes(32), ...lasting },
      1,
    )
  },
  'a token is deleted': ({ id, token }) => deleteToken(database.run, id, token),
  'tokens end with a password': ({ id }) => database.transaction({}, (db) => endTokensAndLinks(db, id)),
  'an account is recovered': ({ id }) =>
    database.transaction({}, (db) => recover(db, id, { password: '', isAddressProved: false })),
}

describe('all processes are notified', () => {
  let heard = 0
  let stop: () => Promise<void>
  beforeAll(async () => {
    stop = await database.listen(REVOCATION_CHANNEL, () => void (heard += 1))
  })
  afterAll(() => stop())

  test.each(Object.entries(endings))('when %s', async (_, end) => {
    const person = await newPerson()
    heard = 0
    await end(person)
    await vi.waitUntil(() => heard > 0, { timeout: 30_000 })
  })

  test('not when secrets are created (negative control)', async () => {
    heard = 0
    await newPerson()
    await newKey()
    await notifyRevocation(database.run)
    await vi.waitUntil(() => heard > 0, { timeout: 30_000 })
    expect(heard).toBe(1)
  })
})
