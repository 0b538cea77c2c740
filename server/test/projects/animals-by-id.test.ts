// Query plans of every statement that looks for animals by their id, in a project with 100,000 of them among small ones, as
// the role of the program and by generic plans: each animal is found by the primary key. The statements are found in the
// sources, so a new one is looked at too.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { writtenStatements } from './statement-rules.ts'
import { orderStatements } from './statement-values/orders.ts'
import { petStatements } from './statement-values/pets.ts'
import { siteStatements } from './statement-values/sites.ts'
import type { Statements } from './statement-values/statements.ts'

const BIG = 1n
const MANY = 100_000
const SMALL_PROJECTS = 2000
/** A statement looks for one animal or a few; by the wrong index it reads more than a thousand pages. */
const PAGES_MAX = 60

const BY_ID = /\bproject_id = (?:\$1|asked\.project) and (?:pets\.)?id = /
const statements = writtenStatements('**/*-queries.ts').filter(
  ({ text }) => BY_ID.test(text) && /\b(?:from|update|join) pets\b/.test(text),
)
const values: Statements['values'] = { ...petStatements.values, ...orderStatements.values, ...siteStatements.values }

let database: TestDatabase
let app: pg.Client
let animal: string

beforeAll(async () => {
  database = await cloneDatabase()
  app = new pg.Client({ connectionString: database.appUrl, options: '-c plan_cache_mode=force_generic_plan' })
  await app.connect()
  const all = Array.from({ length: SMALL_PROJECTS }, (_, index) => BigInt(index) + 2n)
  await app.query(`begin; select set_config('petstore.projects', '{${all.join()}}', true)`)
  await app.query(
    `insert into pets (project_id, category_id, status, name)
     select 2 + g, g % 10, 'sold', 'Animal ' || g from generate_series(0, ${SMALL_PROJECTS - 1}) g`,
  )
  await app.query(`select set_config('petstore.projects', '{${BIG}}', true)`)
  const { rows } = await app.query<{ id: string }>(
    `with added as (
       insert into pets (project_id, category_id, status, name)
       select ${BIG}, g % 10, (array['available', 'pending', 'sold'])[1 + g % 3], 'Animal ' || g
       from generate_series(1, ${MANY}) g
       returning id
     )
     select max(id) - ${MANY / 2} as id from added`,
  )
  animal = rows[0]?.id ?? ''
  await app.query('commit')
})
afterAll(() => app?.end())

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

const literal = (value: unknown): string =>
  value === undefined || value === null
    ? 'null'
    : pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : `${value as bigint | string | boolean}`)

/** How it reads animals, in a transaction that is rolled back. */
async function scansOf(name: string, text: string): Promise<Plan[]> {
  const north = { project: BIG as never, keyId: '', petId: animal, lonePetId: animal, categoryId: '1' }
  const given = values[name]?.(BIG, north) ?? []
  await app.query(`begin; select set_config('petstore.projects', '{${BIG}}', true)`)
  try {
    await app.query(`prepare looked_at as ${text}`)
    const { rows } = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute looked_at(${given.map(literal).join()})`,
    )
    await app.query('deallocate looked_at')
    const root = rows[0]?.['QUERY PLAN'][0].Plan
    return (root ? flatten(root) : []).filter(
      (node) => node['Relation Name'] === 'pets' && node['Node Type'] !== 'ModifyTable',
    )
  } finally {
    await app.query('rollback')
  }
}

async function faults(): Promise<string[]> {
  const found: string[] = []
  for (const { name, text } of statements) {
    const scans = await scansOf(name, text)
    if (scans.length === 0) found.push(`${name}: reads no animals`)
    for (const scan of scans) {
      // Places that were found by their ids a moment before.
      if (scan['Node Type'] === 'Tid Scan') continue
      const index = flatten(scan).find((node) => node['Index Name'] !== undefined)?.['Index Name'] ?? scan['Node Type']
      const pages = scan['Shared Hit Blocks'] + scan['Shared Read Blocks']
      if (index !== 'pets_pkey') found.push(`${name}: ${index}`)
      if (pages > PAGES_MAX * Math.max(1, scan['Actual Loops'])) found.push(`${name}: ${pages} pages`)
      if ((scan['Rows Removed by Filter'] ?? 0) > 0) found.push(`${name}: rows were read and thrown away`)
    }
  }
  return found
}

const analyze = () => asOwner(database, (client) => client.query('analyze pets'))

describe('animals are found by their ids', () => {
  test('before there are statistics, by the primary key', async () => {
    expect(statements.length).toBeGreaterThanOrEqual(17)
    expect(await faults()).toEqual([])
  })

  test('with statistics, by the primary key', async () => {
    await analyze()
    expect(await faults()).toEqual([])
  })

  test('but not if the number of projects is counted (negative control)', async () => {
    await asOwner(database, async (client) => {
      await client.query('alter table pets alter column project_id reset (n_distinct)')
    })
    await analyze()
    const found = await faults()
    for (const name of ['find-animal', 'find-pets', 'lock-pet', 'change-animal', 'delete-animal', 'lock-pets']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${name}: pets_by_`)))
    }
  })
})
