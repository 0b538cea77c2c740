// The job that removes expired rows, as the program's own role: from every table of the list, in batches, and what is kept
// is what the list says.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { expiredOtherwise, expiredRows } from '../../src/plans/retention.ts'
import { scheduleRetention } from '../../src/plans/retention.io.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let home: TestDatabase
let database: Database

beforeAll(async () => {
  home = await cloneDatabase()
  database = openDatabase({ url: home.appUrl, poolMax: 2, onError: () => {} })
})
afterAll(() => database.close())

const query = <Row extends object>(text: string) =>
  asOwner(home, async (client) => (await client.query<Row>(text)).rows)

const listed = Object.entries({ ...expiredRows, ...expiredOtherwise })

describe('the job that removes expired rows', () => {
  test.each(listed)('of %s is due again when the list says', async (table, { everySeconds }) => {
    expect(await removeExpired(database, table)).toBe(everySeconds)
  })

  test('is over for a table that is not in the list', async () => {
    expect(await removeExpired(database, 'pets')).toBeUndefined()
  })

  test('removes a bounded number at a time, and goes on at once', async () => {
    await query(
      `insert into share_directory (digest, project_id, domain_id, expires_at)
       select sha256(convert_to(n::text, 'UTF8')), 1, 'dom_' || n, now() - interval '1 minute'
       from generate_series(1, 10001) as n`,
    )
    const left = () => query<{ count: number }>('select count(*)::integer as count from share_directory')
    expect(await removeExpired(database, 'share_directory')).toBe(1)
    expect(await left()).toEqual([{ count: 1 }])
    expect(await removeExpired(database, 'share_directory')).toBe(3600)
    expect(await left()).toEqual([{ count: 0 }])
  })

  test('is scheduled once for every table, and a later start does not bring it forward', async () => {
    await scheduleRetention(database.run)
    await query(`update due_directory set due_at = now() + interval '1 hour' where kind = 'retention'`)
    await scheduleRetention(database.run)
    const due = await query<{ id: string; isLater: boolean }>(
      `select id, due_at > now() + interval '59 minutes' as "isLater" from due_directory where kind = 'retention'`,
    )
    expect(due.map(({ id }) => id).sort()).toEqual(listed.map(([table]) => table).sort())
    expect(due.every(({ isLater }) => isLater)).toBe(true)
  })
})

/** One that has not expired yet, and one that has just done so. */
const ages = [
  [
    'mail_directory',
    `insert into mail_directory (project_id, id, kind, recipient, subject, valid_until, state, ended_at)
     select 0, 'mail_' || lpad(n::text, 24, '0'), 'recovery', 'rec_' || repeat('0', 24), '{}', now(), 'sent', now() - make_interval(days => n)
     from unnest(array[29, 31]) as n`,
  ],
  [
    'mail_counts',
    `insert into mail_counts (recipient, kind, window_start, count)
     select 'x', 'recovery', now() - make_interval(hours => n), 1 from unnest(array[47, 49]) as n`,
  ],
  [
    'sign_in_failures',
    `insert into sign_in_failures (digest, count, failed_at)
     select sha256(convert_to(n::text, 'UTF8')), 1, now() - make_interval(hours => n) from unnest(array[23, 25]) as n`,
  ],
  [
    'recovery_requests',
    `insert into recovery_requests (id, email_key, created_at)
     select 'rec_' || lpad(n::text, 24, '0'), 'mia@petstore.example', now() - make_interval(mins => n) from unnest(array[59, 61]) as n`,
  ],
  [
    'rate_directory',
    `insert into rate_directory (kind, key, count, ends_at)
     select 'x', sha256(convert_to(n::text, 'UTF8')), 1, now() + make_interval(mins => n) from unnest(array[1, -1]) as n`,
  ],
  [
    'authority_uses',
    `insert into authority_uses (authority, scope, slot, count)
     select 'x', 'y', now() - make_interval(hours => n), 1 from unnest(array[191, 193]) as n`,
  ],
  [
    'certificate_clients',
    `insert into certificate_clients (client, free_at)
     select n::text, now() - make_interval(mins => n) from unnest(array[59, 61]) as n`,
  ],
  [
    'site_reports',
    `insert into site_reports (id, slug, host, message, contact, reported_at)
     select 'rep_' || lpad(n::text, 24, '0'), 'x', 'x', 'x', '', now() - make_interval(days => n) from unnest(array[89, 91]) as n`,
  ],
] as const

test.each(ages)('of %s, what is old enough is removed, and nothing younger', async (table, insert) => {
  const rows = () => query<{ row: string }>(`select t::text as row from ${table} t order by ctid`)
  await query(insert)
  const [young, old] = await rows()
  expect(old).toBeDefined()
  await removeExpired(database, table)
  expect(await rows()).toEqual([young])
})
