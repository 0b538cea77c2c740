// Two walls around every project, each tried with the other one broken. Every
// `project_id = $1` of every query is taken out in turn, and every query is
// asked for another project: row level security alone still gives nothing away.
// With row level security off, the same mutants do harm, so they are real; and
// the rule over the texts notices every one of them.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/foundation/ids.ts'
import { openDatabase } from '../src/foundation/postgres.ts'
import { createKey } from '../src/projects/keys.ts'
import { createProject } from '../src/projects/projects.ts'
import { inProjectOf, type ProjectId } from '../src/projects/scope.ts'
import { faultsOf, readCatalogue } from './catalogue.ts'
import { asOwner, cloneDatabase, type TestDatabase } from './database.ts'
import { namesItsProject, PROJECT_NAMED, staysInDirectories, writtenStatements, type Written } from './rules.ts'

type Place = { database: TestDatabase; app: pg.Client; north: North; south: ProjectId; tables: string[] }
type North = { project: ProjectId; keyId: string; petId: string }

const REFUSED_BY_POLICY = '42501'
const ALREADY_THERE = '23505'
const NORTHS_KEY = 'retry-of-the-north'
const BEGINNING = '9223372036854775807'

/** What each statement is run with: the project first, and otherwise the things of the north. */
const values: Record<string, (project: bigint, north: North) => unknown[]> = {
  'insert-project': (project) => [project, 'another', 'Another'],
  'find-project': (project) => [project],
  'insert-key': (project) => [
    project,
    newId('key'),
    'new',
    'pets_test_0000',
    '0000',
    randomBytes(32),
    ['pets:read'],
    null,
  ],
  'find-key': (project, { keyId }) => [project, keyId],
  'list-keys': (project) => [project],
  'expire-key': (project, { keyId }) => [project, keyId, 60],
  'revoke-key': (project, { keyId }) => [project, keyId],
  'touch-key': (project, { keyId }) => [project, keyId, new Date()],
  'insert-pet': (project) => [project, 'new', 1, 'available'],
  'find-pet': (project, { petId }) => [project, petId],
  'list-pets': (project) => [project, BEGINNING, 100],
  'list-pets-by-status': (project) => [project, BEGINNING, 100, 'available'],
  'lock-idempotency-key': (project) => [project, NORTHS_KEY],
  'find-answer': (project) => [project, NORTHS_KEY],
  'keep-answer': (project, { petId }) => [project, NORTHS_KEY, Buffer.alloc(32), petId, 'new'],
  'list-orders': (project) => [project, BEGINNING, 100],
}

type Mutant = { of: Written; text: string }

const queries = writtenStatements('*/queries.ts')
const mutants: Mutant[] = queries.flatMap((of) =>
  [...of.text.matchAll(PROJECT_NAMED)].map(({ 0: condition, index }) => ({
    of,
    // Always true; the value itself must stay, or PostgreSQL would not know its type.
    text: `${of.text.slice(0, index)}$1::bigint is not null${of.text.slice(index + condition.length)}`,
  })),
)

/** Mutants that change nothing, and why. That they change nothing is tested like everything else. */
const harmless: Record<string, string> = {
  'keep-answer': 'a conflict on (project_id, key) is always with a row of the same project',
}

let walled: Place
let open: Place
const killed = { byTheWall: 0, byTheRule: 0, isReal: 0 }

beforeAll(async () => {
  walled = await furnish()
  open = await furnish()
  await asOwner(open.database, async (client) => {
    for (const table of open.tables) await client.query(`alter table ${table} disable row level security`)
  })
})

afterAll(async () => {
  process.stdout.write(
    `mutants: ${mutants.length} conditions taken out; killed by row level security ${killed.byTheWall}, ` +
      `by the rule ${killed.byTheRule}; harmful without row level security ${killed.isReal}\n`,
  )
  await walled?.app.end()
  await open?.app.end()
})

test('every query is tried, and there is a mutant of every condition', () => {
  expect(Object.keys(values).sort()).toEqual(queries.map(({ name }) => name).sort())
  expect(mutants.length).toBeGreaterThanOrEqual(12)
})

const named = (list: Mutant[]) => list.map((mutant) => [mutant.of.name, mutant] as const)

describe('with row level security, a query that forgot its project', () => {
  test.each(named(mutants))('%s sees and touches nothing foreign', async (_, mutant) => {
    expect(await harmOf(walled, mutant)).toBeUndefined()
    killed.byTheWall++
  })

  test.each(queries.map((query) => [query.name, query] as const))(
    '%s, asked for another project, sees and touches nothing',
    async (name, { text }) => {
      const { rows, refusal, isChanged } = await run(walled, text, valuesOf(walled, name, walled.north.project))
      expect(isChanged).toBe(false)
      if (tableOf(text) === undefined) return
      expect(rows).toEqual([])
      expect(refusal).toBe(/^\s*insert/.test(text) ? REFUSED_BY_POLICY : undefined)
    },
  )
})

describe('without row level security', () => {
  test.each(named(mutants.filter(({ of }) => !(of.name in harmless))))(
    '%s that forgot its project does harm',
    async (_, mutant) => {
      expect(await harmOf(open, mutant)).toMatch(/shows|changes/)
      killed.isReal++
    },
  )

  test.each(named(mutants.filter(({ of }) => of.name in harmless)))('%s is still harmless', async (name, mutant) => {
    expect(await harmOf(open, mutant), `${harmless[name]}`).toBeUndefined()
  })

  test.each(queries.filter(({ text }) => tableOf(text) !== undefined).map((query) => [query.name, query] as const))(
    '%s works for whatever project it is asked for',
    async (name, { text }) => {
      const { rows, refusal, isChanged } = await run(open, text, valuesOf(open, name, open.north.project))
      // That there is such a row already is also something that only its own project may learn.
      expect(rows.length > 0 || isChanged || refusal === ALREADY_THERE).toBe(true)
    },
  )
})

describe('the rule "every query names its project"', () => {
  test('holds for every query', () => {
    for (const { file, name, text } of queries) expect(namesItsProject(text), `${file}: ${name}`).toBe(true)
  })

  test('fails for every mutant', () => {
    const survivors = mutants.filter(({ text }) => namesItsProject(text)).map(({ of }) => of.name)
    killed.byTheRule = mutants.length - survivors.length
    expect(survivors).toEqual([])
  })

  test.each([
    'insert into pets (name, project_id) values ($2, $1)',
    'insert into pets (project_id, name) values ($2, $1)',
    'insert into pets (project_id, name) select project_id, name from pets',
    'insert into idempotency (project_id, key) values ($1, $2) on conflict (key) do nothing',
    'insert into idempotency (project_id, key) values ($1, $2) on conflict (project_id, key) do update set key = $2',
    'select o.id from orders o join pets p on p.id = o.pet_id where o.project_id = $1',
    'select id from pets where project_id = $1 union all select id from orders',
    'delete from pets using orders where orders.project_id = $1 and pets.id = orders.pet_id',
    'select id from pets where project_id = $2 and id = $1',
    'select id from pets where project_id = $10',
    'select id from pets where project_id >= $1',
    'select pg_advisory_xact_lock(1)',
  ])('fails for: %s', (text) => {
    expect(namesItsProject(text)).toBe(false)
  })

  test.each([
    'select o.id from orders o join pets p on p.project_id = $1 and p.id = o.pet_id where o.project_id = $1',
    'select id from pets where project_id = $1 for update skip locked',
    'insert into idempotency (project_id, key) select $1, name from pets where project_id = $1',
    'delete from pets where project_id = $1 and id = $2',
  ])('holds for: %s', (text) => {
    expect(namesItsProject(text)).toBe(true)
  })

  test('statements that cross projects stay in the directories, and others touch no project at all', () => {
    const directory = writtenStatements('*/directory.ts')
    expect(directory.length).toBeGreaterThanOrEqual(6)
    for (const { name, text } of directory) expect(staysInDirectories(text), `directory: ${name}`).toBe(true)
    expect(staysInDirectories('select id from pets')).toBe(false)

    const others = writtenStatements().filter(({ file }) => !/\/(queries|directory)\.ts$/.test(file))
    for (const { file, text } of others) {
      for (const table of walled.tables)
        expect(text, `in ${file}`).not.toMatch(new RegExp(`\\b(from|into|update|join) ${table}\\b`))
    }
  })
})

describe('a table without its policy', () => {
  test('is reported by the catalogue check, and shows nobody anything until it has one again', async () => {
    const place = await furnish()
    for (const table of place.tables) {
      await asOwner(place.database, (client) => client.query(`drop policy own_project on ${table}`))
      const faults = await asOwner(place.database, async (client) => faultsOf(await readCatalogue(client)))
      expect(faults).toEqual([`public.${table}: no policy restricts petstore_app to its projects`])
      const { rows } = await run(place, `select 1 from ${table}`, [])
      expect(rows).toEqual([])
      await asOwner(place.database, (client) =>
        client.query(`create policy own_project on ${table}
          using (project_id = any ((select allowed_projects())::bigint[]))`),
      )
      expect(await asOwner(place.database, async (client) => faultsOf(await readCatalogue(client)))).toEqual([])
    }
    await place.app.end()
  })
})

test('a transaction that names no project sees nothing, and can write nothing', async () => {
  for (const setting of ['', '{}']) {
    for (const { name, text } of queries.filter(({ text }) => tableOf(text) !== undefined)) {
      for (const project of [walled.north.project, walled.south]) {
        const { rows, isChanged } = await run(walled, text, valuesOf(walled, name, project), setting)
        expect([rows, isChanged], `by ${name}`).toEqual([[], false])
      }
    }
  }
})

/** Undefined if the mutant, run for the south, gives what the query gives and leaves the north alone. */
async function harmOf(place: Place, { of, text }: Mutant): Promise<string | undefined> {
  const own = valuesOf(place, of.name, place.south)
  const right = await run(place, of.text, own)
  const wrong = await run(place, text, own)
  if (wrong.isChanged) return 'changes rows of the north'
  return JSON.stringify(wrong.rows) === JSON.stringify(right.rows) ? undefined : 'shows rows of the north'
}

const valuesOf = (place: Place, name: string, project: bigint) => values[name]?.(project, place.north) ?? []

/** Runs a statement for the south, looks at the north in the same transaction, and takes everything back. */
async function run({ app, north, south, tables }: Place, text: string, given: unknown[], setting = `{${south}}`) {
  const see = (projects: string) => app.query(`select set_config('petstore.projects', '${projects}', true)`)
  const lookAtNorth = async () => {
    await see(`{${north.project}}`)
    const parts = tables.map(
      (table) => `select '${table}', t::text from ${table} t where project_id = ${north.project}`,
    )
    return JSON.stringify((await app.query(`${parts.join(' union all ')} order by 1, 2`)).rows)
  }
  await app.query('begin')
  try {
    const before = await lookAtNorth()
    await see(setting)
    await app.query('savepoint here')
    let rows: unknown[] = []
    let refusal: string | undefined
    try {
      rows = (await app.query(text, given)).rows
    } catch (error) {
      refusal = (error as { code?: string }).code ?? ''
      if (![REFUSED_BY_POLICY, ALREADY_THERE].includes(refusal)) throw error
      await app.query('rollback to here')
    }
    return { rows, refusal, isChanged: (await lookAtNorth()) !== before }
  } finally {
    await app.query('rollback')
  }
}

const tableOf = (text: string) => /\b(?:from|into|update)\s+(\w+)/.exec(text)?.[1]

/** A database in which both projects have a row in every table. */
async function furnish(): Promise<Place> {
  const database = await cloneDatabase()
  const opened = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  const deps = { inProject: inProjectOf(opened), kind: 'test', newId, randomBytes } as const
  const app = new pg.Client(database.appUrl)
  await app.connect()
  const settle = async (slug: string) => {
    const project = await createProject(opened, { slug, name: slug })
    const { row } = await createKey(deps, project, { label: slug })
    await app.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
    const { rows } = await app.query<{ id: string }>(
      `insert into pets (project_id, category_id, status, name) values ($1, 1, 'available', $2) returning id`,
      [project, slug],
    )
    const petId = rows[0]?.id ?? ''
    await app.query(`insert into orders (project_id, pet_id, status) values ($1, $2, 'placed')`, [project, petId])
    await app.query(`insert into categories (project_id, name) values ($1, $2)`, [project, slug])
    await app.query(
      `insert into idempotency (project_id, key, fingerprint, pet_id, answer) values ($1, $2, $3, $4, $5)`,
      [project, slug === 'north' ? NORTHS_KEY : slug, Buffer.alloc(32), petId, slug],
    )
    await app.query('commit')
    return { project, keyId: row.id, petId }
  }
  const north = await settle('north')
  const { project: south } = await settle('south')
  await opened.close()
  const { tables } = await asOwner(database, readCatalogue)
  const walls = tables.filter(({ isForced }) => isForced).map(({ name }) => name.replace('public.', ''))
  return { database, app, north, south, tables: walls.sort() }
}
