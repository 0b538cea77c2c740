// Query plans of every statement that looks for animals by their id or by a word, in a project with 100,000 of them among
// small ones, as the role of the program and by generic plans: each animal is found by the primary key, and words by a range
// of their index. The statements are found in the sources, so a new one is looked at too.

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
  'Index Cond'?: string
  'Actual Rows': number
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
  const nodes = await nodesOf(text, values[name]?.(BIG, north) ?? [])
  return nodes.filter((node) => node['Relation Name'] === 'pets' && node['Node Type'] !== 'ModifyTable')
}

async function nodesOf(text: string, given: readonly unknown[]): Promise<Plan[]> {
  await app.query(`begin; select set_config('petstore.projects', '{${BIG}}', true)`)
  try {
    await app.query(`prepare looked_at as ${text}`)
    const { rows } = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute looked_at(${given.map(literal).join()})`,
    )
    await app.query('deallocate looked_at')
    const root = rows[0]?.['QUERY PLAN'][0].Plan
    return root ? flatten(root) : []
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

const SCAN_MAX = 5000
const READ_WORDS = /\bpet_words\b|\bkeys_of_name\b/
/** Thousands of the words begin with the first text, one with the second, and none with the last. */
const searched = ['5', '77777', 'tom']

async function wordFaults(): Promise<string[]> {
  const none = [[], null]
  const sifting = [null, null, null, null, false, false, false]
  const found: string[] = []
  for (const text of searched) {
    const cases: Record<string, unknown[]> = {
      'list-animals-by-word': [BIG, text, null, 0, SCAN_MAX, 1001, 'sold', null],
      'find-site-animals': [BIG, text, SCAN_MAX],
      'list-found-site-animals': [
        BIG,
        [animal],
        'available',
        49,
        ...none,
        '',
        ...sifting,
        'before',
        '9999-12-31',
        animal,
      ],
      'site-animals-before': [BIG, animal, SCAN_MAX, 49, ...none, text, ...sifting, 'available'],
      'site-animals-after': [BIG, animal, SCAN_MAX, 49, ...none, text, ...sifting, 'available'],
      'site-animals-by-waiting': [BIG, 0, SCAN_MAX, 49, ...none, text, ...sifting, '0001-01-01', 0],
    }
    const reading = writtenStatements('**/*-queries.ts').filter(({ text: sql }) => READ_WORDS.test(sql))
    expect(reading.map(({ name }) => name).sort()).toEqual(Object.keys(cases).sort())
    for (const { name, text: sql } of reading) {
      const nodes = await nodesOf(sql, cases[name] ?? [])
      for (const node of nodes.filter((one) => one['Relation Name']?.startsWith('pet'))) {
        const what = `${name} '${text}': ${node['Relation Name']} by ${node['Index Name'] ?? node['Node Type']}`
        const isByKey = node['Relation Name'] !== 'pet_words' || /\bkey\b/.test(node['Index Cond'] ?? '')
        if (!/^Index (Only )?Scan$/.test(node['Node Type']) || !isByKey) found.push(what)
        const rows = node['Actual Rows'] * node['Actual Loops']
        if (rows > SCAN_MAX) found.push(`${what}: ${rows} rows`)
        if ((node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'] > SCAN_MAX) found.push(`${what}: thrown away`)
      }
      // An index leads to a row by three or four pages; each animal has a profile, or words, and itself.
      const [root] = nodes
      const pages = (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0)
      if (pages > 12 * SCAN_MAX) found.push(`${name} '${text}': ${pages} pages`)
    }
  }
  return found
}

const analyze = () => asOwner(database, (client) => client.query('analyze pets, pet_words'))

describe('animals are found by their ids', () => {
  test('before there are statistics, by the primary key', async () => {
    expect(statements.length).toBeGreaterThanOrEqual(17)
    expect(await faults()).toEqual([])
  })

  test('and by words, by a range of their index', async () => {
    expect(await wordFaults()).toEqual([])
  })

  test('with statistics, by the primary key', async () => {
    await analyze()
    expect(await faults()).toEqual([])
  })

  test('and by words, by a range of their index, with statistics too', async () => {
    expect(await wordFaults()).toEqual([])
  })

  test('but not if the number of projects is counted, or without the index of words (negative control)', async () => {
    await asOwner(database, async (client) => {
      await client.query('alter table pets alter column project_id reset (n_distinct)')
      await client.query('alter table pet_words drop constraint pet_words_pkey')
    })
    expect(await wordFaults()).not.toEqual([])
    await analyze()
    const found = await faults()
    for (const name of ['find-animal', 'find-pets', 'lock-pet', 'change-animal', 'delete-animal', 'lock-pets']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${name}: pets_by_`)))
    }
  })
})
