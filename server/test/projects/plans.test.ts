// Query plans of the reads of `/v1` in the worst case: 200,000 animals and 50,000 orders in one
// project, a thousand small projects next to it, under row-level security, as the role of
// the program. The program's own functions are called, with a database that explains instead
// of answering.
//
// A page must cost its own rows and nothing else: one range of one index, read backwards, no
// sorting, no rows read and discarded; whatever the cursor, the status and the project.
// Batched statements do that once for each request: as many ranges as requests, and what
// they sort is a page or the results, never the rows they scanned.

import type { PetStatus } from '@petstore-platform/contract/pets'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import * as orders from '../../src/orders/order-queries.ts'
import * as pets from '../../src/animals/pet-queries.ts'
import { ASKS_AT_ONCE, ROWS_AT_ONCE } from '../../src/animals/batched-pets.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'

/** A hundred pages of a table for each that a statement may read: among a million, the plans are the same. */
const MANY = 200_000
const BIG = 1n as ProjectId
const SMALL = 77n as ProjectId
const EMPTY = 5000n as ProjectId
const projects = { big: BIG, small: SMALL, empty: EMPTY }
const BEGINNING = 2n ** 63n - 1n
/** The two ways in which PostgreSQL plans a prepared statement: for these values, or for all. */
const modes = ['force_custom_plan', 'force_generic_plan'] as const
type Mode = (typeof modes)[number]

const SETUP_MS = 300_000

let database: TestDatabase
let app: pg.Client
const figures: { what: string; ms: number; buffers: number }[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  // So many rows take longer than a request may.
  const url = new URL(database.appUrl)
  for (const name of ['statement_timeout', 'query_timeout']) url.searchParams.set(name, String(SETUP_MS))
  app = new pg.Client(url.href)
  await app.connect()
  // Nearly everything is sold, here and below, and the statistics reflect it; but neither
  // the oldest nor the newest is.
  await inProjects('{1}', [
    `insert into pets (project_id, category_id, status, name)
     select 1, g % 10, case when g <= 5 then 'available' when g > ${MANY - 1000} then 'pending' else 'sold' end, 'Animal ' || g
     from generate_series(1, ${MANY}) g`,
    `insert into orders (project_id, pet_id, status, stage)
     select 1, (select min(id) from pets where project_id = 1), 'approved', 'approved' from generate_series(1, 50000)`,
  ])
  await inProjects(`{${Array.from({ length: 1000 }, (_, index) => index + 2).join()}}`, [
    `insert into pets (project_id, category_id, status, name)
     select 2 + g % 1000, 1, case when g % 1000 = 75 then 'available' else 'sold' end, 'Animal ' || g
     from generate_series(1, 12000) g`,
    `insert into orders (project_id, pet_id, status) select project_id, id, 'placed' from pets`,
  ])
}, SETUP_MS)

afterAll(async () => {
  await app?.end()
  const times = figures.map(({ ms }) => ms).sort((a, b) => a - b)
  const part = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(2)
  const widest = figures.toSorted((a, b) => b.buffers - a.buffers)[0]
  process.stdout.write(
    `plans: ${times.length} looked at; ${part(0.5)} ms in the median, ${part(0.99)} ms at the 99th percentile; ` +
      `most pages ${widest?.buffers} (${widest?.what})\n`,
  )
})

/** How many requests are batched. */
const batches = [1, 8, 32]

type Case = {
  what: string
  run: (db: Db) => Promise<unknown>
  by: string[]
  /** How many rows all of it may read. */
  rows: number
  /** The number of index ranges; none if the statement is not batched, and then this is the project it is run in. */
  asks?: number
  project?: ProjectId
}

const statuses = ['available', 'pending', 'sold'] as const
const limits = [1, 20, 100]
const repeated = <T>(ask: T, count: number): T[] => Array.from({ length: count }, () => ask)

function cases(): Case[] {
  const found: Case[] = []
  for (const [named, project] of Object.entries(projects)) {
    for (const [where, before] of Object.entries(cursors)) {
      for (const limit of limits) {
        const what = `${named} project, ${where}, limit ${limit}`
        const page = { before, count: limit + 1 }
        for (const asks of batches) {
          found.push(listing(repeated({ project, ...page }, asks), `${asks} × animals of any status, ${what}`))
          for (const status of statuses) {
            found.push(listing(repeated({ project, status, ...page }, asks), `${asks} × animals ${status}, ${what}`))
          }
        }
        found.push({
          what: `orders, ${what}`,
          run: (db) => orders.list(db, project, page),
          project,
          by: ['id'],
          rows: page.count,
        })
      }
      for (const asks of batches) {
        found.push(finding(repeated({ project, id: before }, asks), `${asks} × one animal, ${named} project, ${where}`))
      }
    }
  }
  return [...found, ...mixedCases()]
}

/** As in production: requests of all kinds and projects in one statement. */
function mixedCases(): Case[] {
  const befores = Object.values(cursors)
  const mixed = Object.values(projects).flatMap((project) =>
    befores.flatMap((before) => limits.map((limit) => ({ project, before, count: limit + 1 }))),
  )
  const turned = (count: number, by: number) =>
    Array.from({ length: count }, (_, index) => mixed[(index * by) % mixed.length] as pets.ListRequest)
  return [8, 32].flatMap((count) =>
    [1, 7, 11].flatMap((by) => {
      const asks = turned(count, by)
      return [
        listing(asks, `${count} mixed pages (${by})`),
        listing(
          asks.map((ask, index) => ({ ...ask, status: statuses[index % 3] ?? 'sold' })),
          `${count} mixed pages of a status (${by})`,
        ),
        finding(
          asks.map(({ project, before }) => ({ project, id: before })),
          `${count} mixed animals (${by})`,
        ),
      ]
    }),
  )
}

function listing(asks: (pets.ListRequest & { status?: PetStatus })[], what: string): Case {
  const isOfStatus = asks[0]?.status !== undefined
  return {
    what,
    run: (db) => (isOfStatus ? pets.listByStatus(db, asks as pets.ListByStatusRequest[]) : pets.list(db, asks)),
    by: isOfStatus ? ['status', 'id'] : ['id'],
    rows: asks.reduce((sum, { count }) => sum + count, 0),
    asks: asks.length,
  }
}

const finding = (asks: pets.FindRequest[], what: string): Case => ({
  what,
  run: (db) => pets.find(db, asks),
  by: ['id'],
  rows: asks.length,
  asks: asks.length,
})

const cursors = {
  'first page': BEGINNING,
  'second page': BigInt(MANY - 20),
  'in the middle': BigInt(MANY / 2),
  'near the end': 12n,
  'at the end': 1n,
  'beyond the end': -(2n ** 63n),
}

describe('a page costs its own rows and nothing else', () => {
  test('by a generic plan, even before there are statistics', async () => {
    expect(await faults(['force_generic_plan'])).toEqual([])
  })

  test('by a generic and by a custom plan, with statistics', async () => {
    await asOwner(database, (client) => client.query('vacuum analyze pets, orders'))
    expect(await faults(modes)).toEqual([])
  })
})

describe('the largest batched statements', () => {
  const small = (index: number) => BigInt(2 + (index % 1000)) as ProjectId
  const many = <T>(ask: (project: ProjectId) => T) =>
    Array.from({ length: ASKS_AT_ONCE }, (_, index) => ask(small(index)))

  test(`${ASKS_AT_ONCE} requests of as many projects, and ${ROWS_AT_ONCE} rows, take PostgreSQL less than 100 ms`, async () => {
    const pages = ROWS_AT_ONCE / 100
    const largest = [
      finding(
        many((project) => ({ project, id: BigInt(MANY) + project })),
        'most animals',
      ),
      listing(
        many((project) => ({ project, before: BEGINNING, count: ROWS_AT_ONCE / ASKS_AT_ONCE })),
        'most lists',
      ),
      listing(repeated({ project: BIG, before: BEGINNING, count: 100 }, pages), 'most rows'),
    ]
    for (const one of largest) {
      // Other load on the machine only increases the time, so the lowest of up to five counts.
      let lowest = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 5 && lowest >= 100; attempt++) {
        expect(await explainAll(one, ['force_generic_plan'], app, true)).toEqual([])
        lowest = Math.min(lowest, figures.at(-1)?.ms ?? Number.NaN)
      }
      process.stdout.write(`plans: ${figures.at(-1)?.what}: ${lowest.toFixed(1)} ms\n`)
      expect(lowest).toBeLessThan(100)
    }
  })
})

describe('batched inserts', () => {
  test.each(batches)(
    '%d animals of as many projects are added by one insert, and the policy is evaluated once',
    async (count) => {
      for (const mode of modes) {
        const plan = await planOf(mode, app, (db) =>
          pets.insert(
            db,
            Array.from({ length: count }, (_, index) => ({
              project: BigInt(index + 2) as ProjectId,
              pet: { name: 'new', categoryId: 1n, status: 'sold' as const },
            })),
          ),
        )
        const nodes = flatten(plan.Plan)
        expect(nodes.filter(isPolicy).map((node) => node['Actual Loops'])).toEqual([1])
        expect(kindsOf(nodes)).toEqual(['CTE Scan', 'Function Scan', 'ModifyTable', 'Nested Loop', 'Result', 'Sort'])
        expect(nodes.find((node) => node['Node Type'] === 'Function Scan')?.['Actual Rows']).toBe(count)
      }
    },
  )
})

describe('the plan check reports', () => {
  const sold = { project: BIG, before: BEGINNING, count: 21, status: 'sold' as const }
  const available = { ...sold, status: 'available' as const }

  test('a condition on the status without an index, which reads a whole project for a few rows (negative control)', async () => {
    const { run, ...rest } = listing([sold], 'plain')
    const plainly =
      (db: Db): Db =>
      ({ name, text }, ...values) => {
        const range = replaced(text, '(status, id) < (asked.status, asked.before)', 'id < asked.before')
        const equal = replaced(range, 'status >= asked.status', "status || '' = asked.status")
        return db({ name, text: replaced(equal, 'order by status desc, id desc', 'order by id desc') }, ...values)
      }
    const seen = await explainAll({ ...rest, run: (db) => run(plainly(db)) })
    expect(seen).toContainEqual(expect.stringMatching(/1000 rows were read and thrown away/))
  })

  test('a policy that is evaluated row by row (negative control)', async () => {
    const clone = await cloneDatabase()
    await asOwner(clone, (client) =>
      client.query('alter policy own_project on pets using (allowed_projects() @> array[project_id])'),
    )
    const other = new pg.Client(clone.appUrl)
    await other.connect()
    const seen = await explainAll(listing([available], 'row by row'), modes, other)
    await other.end()
    expect(seen).toContainEqual(expect.stringMatching(/a filter is evaluated row by row/))
  })

  test('requests that each scan the rows of all of them (negative control)', async () => {
    const seen = await explainAll({ ...listing(repeated(sold, 8), 'too much'), rows: 21 })
    expect(seen).toContainEqual(expect.stringMatching(/168 rows were read for 21/))
  })

  test('a missing index (negative control)', async () => {
    await asOwner(database, (client) => client.query('drop index pets_by_status'))
    const seen = await explainAll(listing(repeated(available, 8), 'no index'))
    expect(seen).toContainEqual(expect.stringMatching(/Sort|Seq Scan|Bitmap|thrown away/))
  })
})

const replaced = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`nothing to replace: ${from}`)
  return text.replace(from, to)
}

async function faults(as: readonly Mode[]): Promise<string[]> {
  const found: string[] = []
  for (const one of cases()) found.push(...(await explainAll(one, as, app, true)))
  return found
}

async function explainAll(one: Case, as: readonly Mode[] = modes, client = app, isFigure = false): Promise<string[]> {
  const found: string[] = []
  for (const mode of as) {
    const plan = await planOf(mode, client, one.run, one.project)
    const { faults: faulty, buffers } = judge(plan, one)
    if (isFigure) figures.push({ what: one.what, ms: plan['Execution Time'], buffers })
    found.push(...faulty.map((fault) => `${one.what} (${mode}): ${fault}`))
  }
  return found
}

/**
 * The plan that PostgreSQL used; in a transaction that is rolled back, and that allows no
 * project if none is given.
 */
async function planOf(
  mode: Mode,
  client: pg.Client,
  run: (db: Db) => Promise<unknown>,
  project?: ProjectId,
): Promise<Explained> {
  let plan: Explained | undefined
  const explain: Db = async ({ text }, ...values) => {
    await client.query(`set local plan_cache_mode = ${mode}`)
    await client.query(`prepare looked_at as ${text}`)
    const written = values.map((value) =>
      pg.escapeLiteral(Array.isArray(value) ? `{${value.map(String).join()}}` : String(value)),
    )
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `explain (analyze, buffers, format json) execute looked_at(${written.join()})`,
    )
    await client.query('deallocate looked_at')
    plan = rows[0]?.['QUERY PLAN'][0]
    return []
  }
  await client.query(`begin; select set_config('petstore.projects', '{${project ?? ''}}', true)`)
  await run(explain)
  await client.query('rollback')
  if (!plan) throw new Error('nothing was explained')
  return plan
}

type Plan = {
  'Node Type': string
  'Parent Relationship'?: string
  'Subplan Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Index Cond'?: string
  'Sort Key'?: string[]
  'Sort Space Type'?: string
  Filter?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Index Searches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}
type Explained = { Plan: Plan; 'Execution Time': number }

const isPolicy = ({ 'Subplan Name': name = '' }: Plan) => name.startsWith('InitPlan')
const kindsOf = (nodes: Plan[]) => [...new Set(nodes.map((node) => node['Node Type']))].sort()
/** The nodes of a batched statement, apart from its one index range for each request. */
const batchNodes = ['Aggregate', 'CTE Scan', 'Function Scan', 'Limit', 'Nested Loop', 'Result']

function judge({ Plan: root }: Explained, { by, rows, asks }: Case): { faults: string[]; buffers: number } {
  const loops = asks ?? 1
  const nodes = flatten(root)
  const policies = nodes.filter(isPolicy)
  const rest = nodes.filter((node) => !policies.includes(node))
  const scans = rest.filter((node) => /^Index (Only )?Scan$/.test(node['Node Type']))
  const isFine = (node: Plan) =>
    asks === undefined
      ? node['Node Type'] === 'Limit'
      : batchNodes.includes(node['Node Type']) || isSmallSort(node, rows, asks)
  const others = rest.filter((node) => !scans.includes(node) && !isFine(node))
  const [scan] = scans
  const buffers = root['Shared Hit Blocks'] + root['Shared Read Blocks']
  const condition = scan?.['Index Cond'] ?? ''
  const read = scan ? Math.round(scan['Actual Rows'] * scan['Actual Loops']) : 0
  const thrownAway = (scan?.['Rows Removed by Filter'] ?? 0) + (scan?.['Rows Removed by Index Recheck'] ?? 0)
  const named = asks === undefined ? /project_id = ('\d+'::bigint|\$1)/ : /project_id = asked\.project\b/
  const faults = [
    ...others.map((node) => `there is a ${node['Node Type']} of ${node['Actual Rows']} rows`),
    ...(scans.length === 1 ? [] : [`${scans.length} index scans`]),
    ...(scan?.['Actual Loops'] === loops ? [] : [`the index is asked ${scan?.['Actual Loops']} times for ${loops}`]),
    ...(policies.length === 1 && policies[0]?.['Actual Loops'] === 1
      ? []
      : ['the policy is not evaluated exactly once']),
    ...(named.test(condition) ? [] : ['the index is not limited by project_id']),
    ...by
      .filter((column) => !new RegExp(`[( ]${column}\\b`).test(condition))
      .map((column) => `not limited by ${column}`),
    ...(scan?.Filter === undefined ? [] : [`a filter is evaluated row by row: ${scan.Filter}`]),
    ...(thrownAway === 0 ? [] : [`${thrownAway} rows were read and thrown away`]),
    ...(read <= rows ? [] : [`${read} rows were read for ${rows}`]),
    ...((scan?.['Index Searches'] ?? loops) <= loops ? [] : [`${scan?.['Index Searches']} descents of the index`]),
    // A page of the heap for each row at worst, the descent of the index, and a leaf or two.
    ...(buffers <= rows + 8 * loops ? [] : [`${buffers} pages were read for ${rows} rows`]),
  ]
  return { faults, buffers }
}

/** The results in the order of the requests, or the rows of one page; in memory. */
function isSmallSort(node: Plan, rows: number, asks: number): boolean {
  const [key = ''] = node['Sort Key'] ?? []
  const isOfAnswers = /\basked\.n$/.test(key) && node['Actual Loops'] === 1 && node['Actual Rows'] <= asks
  const isOfPage = /^(pets\.)?id DESC$/.test(key) && node['Actual Rows'] * node['Actual Loops'] <= rows + 0.5
  return node['Node Type'] === 'Sort' && node['Sort Space Type'] === 'Memory' && (isOfAnswers || isOfPage)
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

async function inProjects(setting: string, statements: string[]): Promise<void> {
  await app.query(`begin; select set_config('petstore.projects', '${setting}', true)`)
  for (const text of statements) await app.query(text)
  await app.query('commit')
}
