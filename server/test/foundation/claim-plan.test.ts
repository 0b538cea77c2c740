// The plan of a claim when most timers are due, as after an outage: it reads those that it takes, in the order of the
// index, and no others.

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { claimTimers } from '../../src/foundation/postgres/timer-leases.io.ts'

const TIMERS = 40_000
const DUE = 34_000
const CLAIMED = 32

let client: pg.Client

beforeAll(async () => {
  const { ownerUrl } = await cloneDatabase()
  client = new pg.Client({ connectionString: ownerUrl, options: '-c plan_cache_mode=force_generic_plan' })
  await client.connect()
  await client.query(
    `insert into due_directory (kind, project_id, id, due_at)
     select 'domain', 1 + number % 1000, 'dom_' || number,
       now() + make_interval(secs => case when number <= $2 then -3600 * random() else 3600 end)
     from generate_series(1, $1::integer) as number`,
    [TIMERS, DUE],
  )
  await client.query('vacuum analyze due_directory')
})
afterAll(() => client?.end())

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

/** Each kind of node that reads or sorts rows, and how many. */
async function rowsRead(changed: (text: string) => string): Promise<Record<string, number>> {
  const read: Record<string, number> = {}
  const explain: Db = async ({ text }, ..._) => {
    await client.query('begin')
    await client.query(`prepare looked_at as ${changed(text)}`)
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) execute looked_at('domain', ${CLAIMED}, 60, '{}')`,
    )
    await client.query('deallocate looked_at')
    await client.query('rollback')
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    for (const node of plan ? flatten(plan) : []) {
      const { 'Node Type': type, 'Actual Rows': count, 'Actual Loops': loops } = node
      if (/Scan$|Sort$/.test(type)) read[type] = (read[type] ?? 0) + Math.round(count * loops)
    }
    return []
  }
  await claimTimers(explain, 'domain', CLAIMED, 60)
  return read
}

test('a claim reads and sorts no more timers than it takes', async () => {
  const read = await rowsRead((text) => text)
  expect(Object.keys(read).toSorted()).toEqual(['CTE Scan', 'Index Scan', 'Subquery Scan'])
  expect(Math.max(...Object.values(read))).toBeLessThanOrEqual(2 * CLAIMED)
})

test('a claim whose limit the planner does not know reads all of them (negative control)', async () => {
  const read = await rowsRead((text) => text.replace('limit 100', ''))
  expect(Math.max(...Object.values(read))).toBeGreaterThan(DUE)
})
