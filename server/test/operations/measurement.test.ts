// The installation is measured without reading its tables: the gauges, `petstore jobs status`, and the plans of the statements
// behind the gauges with many rows.

import pg from 'pg'
import { expect, test } from 'vitest'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { measureInstallation } from '../../src/operations/metrics/installation.io.ts'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { runProgram } from '../../../testbed/harness/process.ts'

const ROWS = 30_000
const READ_MAX = 100

async function connect(database: { ownerUrl: string }): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  atEnd(() => client.end())
  return client
}

/** Due jobs of two kinds, one of them an hour late, and certificates of which one ends in five days. */
async function withManyRows(): Promise<pg.Client> {
  const client = await connect(await cloneDatabase())
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at)
     select case when number % 2 = 0 then 'domain' else 'import' end, 1 + number % 1000, number,
       now() - make_interval(secs => 3600.0 * number / $1)
     from generate_series(1, $1::integer) as number`,
    [ROWS],
  )
  await client.query(
    `insert into certificate_wishes
       (hostname, generation, client, registered, authorities, evidence, tell_kind, tell_project, tell_id)
     select 'shop-' || number || '.example', 1, 'a', 'a.example', '{a}', '', 'domain', 1, number
     from generate_series(1, $1::integer) as number`,
    [ROWS],
  )
  await client.query(
    `insert into certificates
       (hostname, generation, client, authority, serial, not_before, not_after, chain, seal_id, sealed_key, renew_at)
     select 'shop-' || number || '.example', 1, 'a', 'a', number, now() - interval '1 day',
       now() + make_interval(days => 4 + number), '', 'a', '', now()
     from generate_series(1, $1::integer) as number`,
    [ROWS],
  )
  await client.query('vacuum analyze due_directory, certificates')
  return client
}

const dbOf =
  (client: pg.Client): Db =>
  async ({ text }, ...values) =>
    (await client.query({ text, values: [...values] })).rows as never

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** The rows that a plan reads, with those that it reads in vain. */
const rowsRead = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)

/** By statement, as `measureInstallation` runs it. */
async function readByMeasuring(client: pg.Client): Promise<Record<string, number>> {
  const read: Record<string, number> = {}
  const db: Db = async (statement, ...values) => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      text: `explain (analyze, format json) ${statement.text}`,
      values: [...values],
    })
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    read[statement.name] = plan ? rowsRead(plan) : Number.NaN
    return dbOf(client)(statement, ...values)
  }
  await measureInstallation(db, Date.now(), undefined)
  return read
}

test('every statement reads few rows, however many there are', async () => {
  const client = await withManyRows()
  const read = await readByMeasuring(client)
  expect(Object.keys(read)).toContain('due-lags')
  expect(Object.entries(read).filter(([, rows]) => !(rows <= READ_MAX))).toEqual([])

  const samples = await measureInstallation(dbOf(client), Date.now(), 1_000_000)
  const valueOf = (metric: string, kind?: string) =>
    samples.find((one) => one.metric === metric && one.labels?.['kind'] === kind)?.value
  expect(valueOf('petstore_due_lag_seconds', 'domain')).toBeGreaterThan(3599)
  expect(valueOf('petstore_due_lag_seconds', 'photo')).toBe(0)
  expect(valueOf('petstore_database_bytes_max')).toBe(1_000_000)
  const endsInDays =
    (Number(valueOf('petstore_certificate_earliest_end_timestamp_seconds')) - Date.now() / 1000) / 86_400
  expect(Math.round(endsInDays)).toBe(5)

  // Negative control.
  await client.query('drop index certificates_by_end')
  expect((await readByMeasuring(client))['earliest-certificate-end']).toBeGreaterThan(ROWS / 2)
})

test('jobs status shows by kind what is scheduled, due, late and failing', async () => {
  const database = await cloneDatabase()
  const client = await connect(database)
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at, attempts, claimed_until) values
       ('import', 1, 'late', now() - interval '1 hour', 0, null),
       ('import', 1, 'failing', now() - interval '1 minute', 3, null),
       ('import', 1, 'running for the first time', now() + interval '1 minute', 1, now() + interval '1 minute'),
       ('domain', 1, 'later', now() + interval '1 hour', 0, null)`,
  )
  const status = async (...args: string[]) => {
    const { ended } = runProgram(['jobs', 'status', ...args], { DATABASE_URL: database.appUrl })
    return (await ended).output
  }
  const { kinds } = JSON.parse(await status('--json')) as { kinds: { oldestDueAt: string | null }[] }
  expect(kinds).toEqual([
    { kind: 'domain', scheduled: 1, due: 0, oldestDueAt: null, failing: 0, failuresMax: 0 },
    { kind: 'import', scheduled: 3, due: 2, oldestDueAt: expect.any(String) as string, failing: 1, failuresMax: 3 },
  ])
  expect(Date.now() - Date.parse(kinds[1]?.oldestDueAt ?? '')).toBeGreaterThan(3_599_000)
  expect((await status()).split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
    ['KIND', 'SCHEDULED', 'DUE', 'OLDEST DUE SINCE', 'FAILING'],
    ['domain', '1', '0', '0'],
    ['import', '3', '2', expect.stringMatching(/^\d{4}-/), '1, up to 3 times in a row'],
    [''],
  ])
})
