// How PostgreSQL carries out the reads of `/v1` where it hurts: a million
// animals and orders in one project, a thousand small projects beside it, under
// row level security, as the role the program has. The very functions of the
// program are called, with a database that explains instead of answering.
//
// A page must cost its own rows and nothing else: one range of one index, read
// backwards, no sorting, nothing read to be thrown away; whatever the cursor,
// the status and the project.

import type { PetStatus } from '@petstore/contract/pets'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../src/foundation/postgres.ts'
import * as orders from '../src/orders/queries.ts'
import * as pets from '../src/pets/queries.ts'
import type { ProjectId } from '../src/projects/scope.ts'
import { asOwner, cloneDatabase, type TestDatabase } from './database.ts'

const MILLION = 1_000_000
const BIG = 1n as ProjectId
const SMALL = 77n as ProjectId
const EMPTY = 5000n as ProjectId
const projects = { big: BIG, small: SMALL, empty: EMPTY }
const BEGINNING = 2n ** 63n - 1n
/** The two ways in which PostgreSQL plans a prepared statement: for these values, or for all. */
const modes = ['force_custom_plan', 'force_generic_plan'] as const
type Mode = (typeof modes)[number]

let database: TestDatabase
let app: pg.Client
const figures: { what: string; ms: number; buffers: number }[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  app = new pg.Client(database.appUrl)
  await app.connect()
  // Nearly everything is sold, here and below, and the statistics say so; but neither the oldest nor the newest is.
  await inProjects('{1}', [
    `insert into pets (project_id, category_id, status, name)
     select 1, g % 10, case when g <= 5 then 'available' when g > ${MILLION - 1000} then 'pending' else 'sold' end, 'Animal ' || g
     from generate_series(1, ${MILLION}) g`,
    `insert into orders (project_id, pet_id, status)
     select 1, (select min(id) from pets where project_id = 1), 'placed' from generate_series(1, 50000)`,
  ])
  await inProjects(`{${Array.from({ length: 1000 }, (_, index) => index + 2).join()}}`, [
    `insert into pets (project_id, category_id, status, name)
     select 2 + g % 1000, 1, case when g % 1000 = 75 then 'available' else 'sold' end, 'Animal ' || g
     from generate_series(1, 12000) g`,
    `insert into orders (project_id, pet_id, status) select project_id, id, 'placed' from pets`,
  ])
}, 180_000)

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

type Case = { what: string; run: (db: Db) => Promise<unknown>; project: ProjectId; by: string[]; rows: number }

function cases(): Case[] {
  const found: Case[] = []
  for (const [named, project] of Object.entries(projects)) {
    for (const [where, before] of Object.entries(cursors)) {
      for (const limit of [1, 20, 100]) {
        const what = `${named} project, ${where}, limit ${limit}`
        const page = { before, count: limit + 1 }
        for (const status of [undefined, 'available', 'pending', 'sold'] as (PetStatus | undefined)[]) {
          found.push({
            what: `animals ${status ?? 'of any status'}, ${what}`,
            run: (db) => pets.list(db, project, { ...page, status }),
            project,
            by: status === undefined ? ['id'] : ['status', 'id'],
            rows: page.count,
          })
        }
        found.push({
          what: `orders, ${what}`,
          run: (db) => orders.list(db, project, page),
          project,
          by: ['id'],
          rows: page.count,
        })
      }
      found.push({
        what: `one animal, ${named} project, ${where}`,
        run: (db) => pets.find(db, project, before),
        project,
        by: ['id'],
        rows: 1,
      })
    }
  }
  return found
}

const cursors = {
  'first page': BEGINNING,
  'second page': BigInt(MILLION - 20),
  'in the middle': BigInt(MILLION / 2),
  'near the end': 12n,
  'at the end': 1n,
  'beyond the end': -(2n ** 63n),
}

describe('a page costs its own rows and nothing else', () => {
  test('by a plan made for all values, also before there are statistics', async () => {
    expect(await faults(['force_generic_plan'])).toEqual([])
  })

  test('by a plan made for all values and by one made for these, with statistics', async () => {
    await asOwner(database, (client) => client.query('vacuum analyze pets, orders'))
    expect(await faults(modes)).toEqual([])
  })
})

describe('the check reports', () => {
  test('the plain condition on status, which reads a project for the few it wants', async () => {
    const plain = `select id, name from pets where project_id = $1 and status = $4 and id < $2 order by id desc limit $3`
    const run = (db: Db) => db({ name: '', text: plain }, BIG, BEGINNING, 21, 'sold')
    const seen = await explainAll({ ...listing('sold'), run })
    expect(seen).toContainEqual(expect.stringMatching(/1000 rows were read and thrown away/))
  })

  test('a policy that is asked row by row', async () => {
    const clone = await cloneDatabase()
    await asOwner(clone, (client) =>
      client.query('alter policy own_project on pets using (allowed_projects() @> array[project_id])'),
    )
    const other = new pg.Client(clone.appUrl)
    await other.connect()
    const seen = await explainAll(listing('available'), modes, other)
    await other.end()
    expect(seen).toContainEqual(expect.stringMatching(/a filter is evaluated row by row/))
  })

  test('a missing index', async () => {
    await asOwner(database, (client) => client.query('drop index pets_by_status'))
    const seen = await explainAll(listing('available'))
    expect(seen).toContainEqual(expect.stringMatching(/Sort|Seq Scan|Bitmap|thrown away/))
  })
})

const listing = (status: PetStatus): Case => ({
  what: status,
  run: (db) => pets.list(db, BIG, { status, before: BEGINNING, count: 21 }),
  project: BIG,
  by: ['status', 'id'],
  rows: 21,
})

async function faults(as: readonly Mode[]): Promise<string[]> {
  const found: string[] = []
  for (const one of cases()) found.push(...(await explainAll(one, as, app, true)))
  return found
}

async function explainAll(
  { what, run, project, by, rows }: Case,
  as: readonly Mode[] = modes,
  client = app,
  isFigure = false,
): Promise<string[]> {
  const found: string[] = []
  for (const mode of as) {
    const explain: Db = async ({ text }, ...values) => {
      await client.query(`set local plan_cache_mode = ${mode}`)
      await client.query(`prepare looked_at as ${text}`)
      const written = values.map((value) => pg.escapeLiteral(String(value))).join(', ')
      const { rows: answers } = await client.query<{ 'QUERY PLAN': [Explained] }>(
        `explain (analyze, buffers, format json) execute looked_at(${written})`,
      )
      await client.query('deallocate looked_at')
      const explained = answers[0]?.['QUERY PLAN'][0]
      if (!explained) throw new Error('nothing was explained')
      const { faults: faulty, buffers } = judge(explained, by, rows)
      if (isFigure) figures.push({ what, ms: explained['Execution Time'], buffers })
      found.push(...faulty.map((fault) => `${what} (${mode}): ${fault}`))
      return []
    }
    await client.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
    await run(explain)
    await client.query('rollback')
  }
  return found
}

type Plan = {
  'Node Type': string
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Index Cond'?: string
  Filter?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Index Searches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}
type Explained = { Plan: Plan; 'Execution Time': number }

function judge({ Plan: root }: Explained, by: string[], rowsMax: number): { faults: string[]; buffers: number } {
  const nodes = flatten(root)
  const once = nodes.filter((node) => node['Parent Relationship'] === 'InitPlan')
  const rest = nodes.filter((node) => !once.includes(node))
  const scans = rest.filter((node) => /^Index (Only )?Scan$/.test(node['Node Type']))
  const others = rest.filter((node) => !scans.includes(node) && node['Node Type'] !== 'Limit')
  const [scan] = scans
  const buffers = root['Shared Hit Blocks'] + root['Shared Read Blocks']
  const condition = scan?.['Index Cond'] ?? ''
  const read = scan ? scan['Actual Rows'] * scan['Actual Loops'] : 0
  const thrownAway = (scan?.['Rows Removed by Filter'] ?? 0) + (scan?.['Rows Removed by Index Recheck'] ?? 0)
  const faults = [
    ...others.map((node) => `there is a ${node['Node Type']}`),
    ...(scans.length === 1 ? [] : [`${scans.length} index scans`]),
    ...(once.length === 1 && once[0]?.['Actual Loops'] === 1 ? [] : ['the policy is not evaluated exactly once']),
    ...(/project_id = ('\d+'::bigint|\$1)/.test(condition) ? [] : ['the index is not limited by project_id']),
    ...by
      .filter((column) => !new RegExp(`[( ]${column}\\b`).test(condition))
      .map((column) => `not limited by ${column}`),
    ...(scan?.Filter === undefined ? [] : [`a filter is evaluated row by row: ${scan.Filter}`]),
    ...(thrownAway === 0 ? [] : [`${thrownAway} rows were read and thrown away`]),
    ...(read <= rowsMax ? [] : [`${read} rows were read for ${rowsMax}`]),
    ...((scan?.['Index Searches'] ?? 1) <= 1 ? [] : [`${scan?.['Index Searches']} descents of the index`]),
    // A page of the heap for each row at worst, the way down the index, and a leaf or two.
    ...(buffers <= rowsMax + 8 ? [] : [`${buffers} pages were read for ${rowsMax} rows`]),
  ]
  return { faults, buffers }
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

async function inProjects(setting: string, statements: string[]): Promise<void> {
  await app.query(`begin; select set_config('petstore.projects', '${setting}', true)`)
  for (const text of statements) await app.query(text)
  await app.query('commit')
}
