// A statement that takes longer than a request may is ended, unless its transaction said that it may take longer.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import {
  extendDeadline,
  openDatabase,
  statement,
  Unavailable,
  type Database,
} from '../../src/foundation/postgres/postgres.io.ts'

const long = statement<{ slept: number }, []>('test-long', `select 1 as slept from pg_sleep(2.5)`)

let database: Database

beforeAll(async () => {
  const url = new URL((await cloneDatabase()).appUrl)
  url.searchParams.set('statement_timeout', '2000')
  url.searchParams.set('query_timeout', '2250')
  database = openDatabase({ url: url.href, poolMax: 1, onError: () => {} })
})
afterAll(() => database.close())

test('it is ended by the deadline of a request', async () => {
  await expect(database.run(long)).rejects.toThrow(Unavailable)
  await expect(database.transaction({}, (db) => db(long))).rejects.toThrow(Unavailable)
})

test('it is finished where the deadline was extended, and no later transaction has that deadline', async () => {
  const extended = database.transaction({}, async (db) => {
    await extendDeadline(db, 120)
    return db(long)
  })
  expect(await extended).toEqual([{ slept: 1 }])
  await expect(database.transaction({}, (db) => db(long))).rejects.toThrow(Unavailable)
})
