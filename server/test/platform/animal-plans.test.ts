// Query plans of the animal lists for members in the worst case: a large store among small
// ones, most of it with the same status, category and beginning of the name. The program's
// own functions are called, with a database that explains instead of answering.
//
// A page costs its own rows, or three times as many where three statuses are merged: ranges
// of an index, no rows read and discarded, and nothing sorted but what the page is made
// from.

import type { PetStatus } from '@petstore-platform/contract/pets'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { countAnimals } from '../../src/overview/overview-queries.ts'
import * as animals from '../../src/animals/animal-queries.ts'
import { isCategoryCarried } from '../../src/animals/category-queries.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'

const MANY = 200_000
const BIG = 1n as ProjectId
const SMALL = 77n as ProjectId
const BEGINNING = 2n ** 63n - 1n
const modes = ['force_custom_plan', 'force_generic_plan'] as const
type Mode = (typeof modes)[number]

let database: TestDatabase
let app: pg.Client

beforeAll(async () => {
  database = await cloneDatabase()
  app = new pg.Client(database.appUrl)
  await app.connect()
  // An automatic analyze, whenever it comes, would replace the statistics with those of a sample.
  await asOwner(database, (client) => client.query('alter table pets set (autovacuum_enabled = false)'))
  await inProjects('{1}', [
    `insert into pets (project_id, category_id, status, name)
     select 1, case when g % 1000 = 0 then 2 else 1 end, case when g <= 5 then 'available' when g % 10000 = 0 then 'pending' else 'sold' end,
       case when g % 5000 = 0 then 'Zebra ' else 'Animal ' end || g
     from generate_series(1, ${MANY}) g`,
  ])
  await inProjects(`{${Array.from({ length: 1000 }, (_, index) => index + 2).join()}}`, [
    `insert into pets (project_id, category_id, status, name)
     select 2 + g % 1000, 1, 'sold', 'Animal ' || g from generate_series(1, 12000) g`,
  ])
}, 180_000)
afterAll(() => app?.end())

type Case = { what: string; run: (db: Db) => Promise<unknown>; project: ProjectId; ranges: number; count: number }

function cases(): Case[] {
  const found: Case[] = []
  const counts = [21, 1001]
  const positions = [undefined, { key: 'animal 19', id: 1n }, { key: 'zz', id: 1n }]
  for (const project of [BIG, SMALL]) {
    for (const status of [undefined, 'available', 'pending', 'sold'] as (PetStatus | undefined)[]) {
      for (const count of counts) {
        for (const before of [BEGINNING, BigInt(MANY / 2), 3n, -5n]) {
          const run = (db: Db) => animals.listNewest(db, project, { before, count, status })
          found.push({
            what: `${project}: newest before ${before}, ${status}, ${count}`,
            run,
            project,
            ranges: 1,
            count,
          })
        }
        for (const prefix of ['', 'ANIMAL 1', 'zebra']) {
          for (const categoryId of [undefined, 1n, 2n]) {
            for (const after of positions) {
              const ask = { prefix, after, count, status, categoryId }
              const what = `${project}: '${prefix}' after ${after?.key}, category ${categoryId}, ${status}, ${count}`
              const ranges = status === undefined ? 3 : 1
              found.push({ what, run: (db) => animals.listByName(db, project, ask), project, ranges, count })
            }
          }
        }
      }
    }
    for (const status of ['available', 'pending', 'sold'] as const) {
      const run = (db: Db) => countAnimals(db, project, status, 5000)
      found.push({ what: `${project}: count of ${status}`, run, project, ranges: 1, count: 5000 })
    }
    const exporting = (db: Db) => animals.listOldest(db, project, 500n, 1000)
    found.push({ what: `${project}: export`, run: exporting, project, ranges: 1, count: 1000 })
    for (const id of [1n, 2n, 3n]) {
      const run = (db: Db) => isCategoryCarried(db, project, id)
      found.push({ what: `${project}: category ${id} carried`, run, project, ranges: 1, count: 1 })
    }
  }
  return found
}

describe('a page costs its own rows and nothing else', () => {
  test('by the plan of the program, even before there are statistics', async () => {
    expect(await faults(['force_generic_plan'])).toEqual([])
  })

  test('by either plan, with statistics', async () => {
    await asOwner(database, async (client) => {
      // Of every row: a sample differs from run to run, and plans with it.
      await client.query('set default_statistics_target = 10000')
      // Freezing waits for a page that is in use; a plain vacuum skips it, and scans then read it row by row.
      await client.query('vacuum (freeze, analyze) pets')
    })
    expect(await faults(modes)).toEqual([])
  })
})

describe('the plan check reports', () => {
  const ask = { prefix: 'a', after: undefined, count: 21, status: 'sold' as const, categoryId: undefined }
  const one = (run: Case['run']): Case => ({ what: 'control', run, project: BIG, ranges: 1, count: 21 })

  test('a condition that no index serves (negative control)', async () => {
    const loosely = (db: Db) =>
      animals.listByName(
        ({ name, text }, ...values) =>
          db({ name, text: text.replaceAll('name_key) <', "name_key || '') <") }, ...values),
        BIG,
        {
          ...ask,
          prefix: 'zebra',
          after: { key: 'a', id: 1n },
        },
      )
    expect(await faultsOf(one(loosely), 'force_generic_plan')).not.toEqual([])
  })

  test('a page larger than was requested (negative control)', async () => {
    const larger = (db: Db) => animals.listByName(db, BIG, { ...ask, count: 100 })
    expect(await faultsOf(one(larger), 'force_generic_plan')).toContainEqual(
      expect.stringMatching(/100 rows were read for 21/),
    )
  })

  test('a missing index (negative control)', async () => {
    await asOwner(database, (client) => client.query('drop index pets_by_name'))
    expect(
      await faultsOf(
        one((db) => animals.listByName(db, BIG, ask)),
        'force_generic_plan',
      ),
    ).not.toEqual([])
  })
})

async function faults(as: readonly Mode[]): Promise<string[]> {
  const found: string[] = []
  for (const one of cases()) for (const mode of as) found.push(...(await faultsOf(one, mode)))
  return found
}

type Plan = {
  'Node Type': string
  'Subplan Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Sort Space Type'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

const fine = ['Limit', 'Append', 'Merge Append', 'Result', 'Subquery Scan', 'Sort', 'Incremental Sort', 'Aggregate']

async function faultsOf({ what, run, project, ranges, count }: Case, mode: Mode): Promise<string[]> {
  const root = await planOf(mode, run, project)
  // The policy, and a constant condition without a table, are Result nodes without a table.
  const nodes = flatten(root).filter((node) => node['Actual Loops'] > 0)
  const scans = nodes.filter(({ 'Node Type': type }) => /^Index (Only )?Scan$/.test(type))
  const others = nodes.filter((node) => !scans.includes(node) && !fine.includes(node['Node Type']))
  const read = scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
  const removed = scans.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)
  const buffers = root['Shared Hit Blocks'] + root['Shared Read Blocks']
  const sorted = nodes.filter(({ 'Sort Space Type': space }) => space !== undefined)
  return [
    ...others.map((node) => `there is a ${node['Node Type']}`),
    ...(scans.length <= ranges ? [] : [`${scans.length} ranges instead of ${ranges}`]),
    ...scans
      .filter((node) => !/project_id = ('1'|'77'|\$1)/.test(node['Index Cond'] ?? ''))
      .map((node) => `not limited by project: ${node['Index Cond']}`),
    ...scans.filter((node) => node.Filter !== undefined).map((node) => `a filter row by row: ${node.Filter}`),
    ...(removed === 0 ? [] : [`${removed} rows were thrown away`]),
    ...(read <= ranges * count ? [] : [`${read} rows were read for ${ranges * count}`]),
    ...sorted.filter((node) => node['Sort Space Type'] !== 'Memory').map(() => 'it is sorted on disk'),
    ...(buffers <= ranges * (count + 10) ? [] : [`${buffers} pages were read`]),
  ].map((fault) => `${what} (${mode}): ${fault}`)
}

/** The plan that PostgreSQL used, in a transaction that is rolled back. */
async function planOf(mode: Mode, run: (db: Db) => Promise<unknown>, project: ProjectId): Promise<Plan> {
  let plan: Plan | undefined
  const explain: Db = async ({ text }, ...values) => {
    await app.query(`set local plan_cache_mode = ${mode}`)
    await app.query(`prepare looked_at as ${text}`)
    const written = values.map((value) =>
      value === undefined ? 'null' : pg.escapeLiteral(`${value as bigint | string}`),
    )
    const { rows } = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute looked_at(${written.join()})`,
    )
    await app.query('deallocate looked_at')
    plan = rows[0]?.['QUERY PLAN'][0].Plan
    return []
  }
  await app.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
  await run(explain)
  await app.query('rollback')
  if (!plan) throw new Error('nothing was explained')
  return plan
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

async function inProjects(setting: string, statements: string[]): Promise<void> {
  await app.query(`begin; select set_config('petstore.projects', '${setting}', true)`)
  for (const text of statements) await app.query(text)
  await app.query('commit')
}
