// Notifications of a transaction: sent after its commit, few statements for many of them, none for what was rolled back.

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { notify, openDatabase, type Database, type Db } from '../../src/foundation/postgres/postgres.io.ts'

let home: TestDatabase
let database: Database
let stop: () => Promise<void>
const heard: string[] = []

beforeAll(async () => {
  home = await cloneDatabase()
  database = openDatabase({ url: home.appUrl, poolMax: 8, onError: () => {} })
  stop = await database.listen('test_channel', (payload) => void heard.push(payload))
})
beforeEach(() => void heard.splice(0))
afterAll(async () => {
  await stop()
  await database.close()
})

const PATIENCE = { timeout: 30_000 }
const send = (payload: string) => database.transaction({}, (db) => notify(db, 'test_channel', payload))

test('a notification is sent when its transaction has committed, and not before', async () => {
  let heardInside: string[] | undefined
  await database.transaction({}, async (db) => {
    await notify(db, 'test_channel', 'inside')
    await send('beside')
    await vi.waitUntil(() => heard.includes('beside'), PATIENCE)
    heardInside = [...heard]
  })
  await expect.poll(() => heard, PATIENCE).toContain('inside')
  expect(heardInside).toEqual(['beside'])
})

test('a transaction that is rolled back sends none', async () => {
  const failed = database.transaction({}, async (db) => {
    await notify(db, 'test_channel', 'never')
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await send('later')
  await expect.poll(() => heard, PATIENCE).toEqual(['later'])
})

test('the same notification of many transactions is sent few times, and the last one is not lost', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, number) => send(number === 199 ? 'last' : 'same')))
  await expect.poll(() => heard, PATIENCE).toContain('last')
  expect(heard.filter((payload) => payload === 'same').length).toBeLessThan(100)
})

test('a single statement, which has committed, sends its notification as well', async () => {
  await notify(database.run, 'test_channel', 'single')
  await expect.poll(() => heard, PATIENCE).toEqual(['single'])
})

/** Functions, and so triggers, that would notify inside a transaction. */
const notifyingFunctions = (): Promise<string[]> =>
  asOwner(home, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select proname as name
       from pg_proc
       where pronamespace = 'public'::regnamespace and prosrc ~* 'notify'`,
    )
    return rows.map(({ name }) => name)
  })

test('no function of the schema notifies', async () => {
  expect(await notifyingFunctions()).toEqual([])
})

test('a function that notifies is found (negative control)', async () => {
  await asOwner(home, (client) =>
    client.query(
      `create function tell() returns void language plpgsql as $$ begin perform pg_notify('test_channel', ''); end $$`,
    ),
  )
  expect(await notifyingFunctions()).toEqual(['tell'])
  await asOwner(home, (client) => client.query('drop function tell()'))
})

test('what runs statements otherwise notifies in its transaction, each time (negative control)', async () => {
  await database.transaction({}, async (db) => {
    const wrapped: Db = (one, ...values) => db(one, ...values)
    for (let count = 0; count < 3; count += 1) await notify(wrapped, 'test_channel', `inside ${count}`)
  })
  await expect.poll(() => heard.length, PATIENCE).toBe(3)
})

test('closing sends what is waiting', async () => {
  const closing = openDatabase({ url: (await cloneDatabase()).appUrl, poolMax: 2, onError: () => {} })
  const all: string[] = []
  const end = await closing.listen('test_channel', (payload) => void all.push(payload))
  const payloads = Array.from({ length: 20 }, (_, number) => `waiting ${number}`)
  await Promise.all(payloads.map((payload) => closing.transaction({}, (db) => notify(db, 'test_channel', payload))))
  await closing.close()
  await expect.poll(() => all.toSorted(), PATIENCE).toEqual(payloads.toSorted())
  await end()
})
