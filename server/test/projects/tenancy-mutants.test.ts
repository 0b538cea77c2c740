// Two layers of isolation protect every project; each is tested with the other one broken.
// Every `project_id = $1` and `project_id = asked.project` of every query is removed in
// turn, and every query is run for another project: row-level security alone still reveals
// nothing. With row-level security off, the same mutants do harm, so they are real; and the
// rule over the texts reports every one of them.
//
// Batched statements set their own allowed projects. That is broken too: a statement that
// allows itself nothing reads nothing, and one that allows itself more than its requests is
// reported by the rule.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { removals } from '../../src/plans/retention.io.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { createKey } from '../../src/projects/api-keys.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { faultsOf, readCatalogue } from './database-catalogue.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { deploymentStatements } from './statement-values/deployments.ts'
import { domainStatements } from './statement-values/domains.ts'
import { fill } from './statement-values/seed.ts'
import { orderStatements } from './statement-values/orders.ts'
import { petStatements } from './statement-values/pets.ts'
import { projectStatements } from './statement-values/projects.ts'
import { requestStatements } from './statement-values/requests.ts'
import { siteStatements } from './statement-values/sites.ts'
import { OWNER, type North, type Statements } from './statement-values/statements.ts'
import {
  ALLOWED,
  namesItsProject,
  PROJECT_NAMED,
  staysInDirectories,
  writtenStatements,
  type Written,
} from './statement-rules.ts'

type Environment = { database: TestDatabase; app: pg.Client; north: North; south: ProjectId; tables: string[] }

const REFUSED_BY_POLICY = '42501'
const ALREADY_THERE = '23505'
/** Deleting a row that is referenced reveals that a reference exists. */
const STILL_USED = '23503'

const parts = [
  projectStatements,
  petStatements,
  orderStatements,
  requestStatements,
  deploymentStatements,
  siteStatements,
  domainStatements,
]
const values = Object.assign({}, ...parts.map((part) => part.values)) as Statements['values']
const harmless = Object.assign({}, ...parts.map((part) => part.harmless)) as Record<string, string>
const seen = Object.assign({}, ...parts.map((part) => part.seen)) as Record<string, string>
const idle = Object.assign({}, ...parts.map((part) => part.idle)) as Record<string, string>
const lacking = Object.assign({}, ...parts.map((part) => part.lacking)) as Record<string, number>

/** `condition`: which of the query's, from 1. */
type Mutant = { of: Written; condition: number; text: string }

// People, certificates and the outbox belong to no project, so there is none to name.
const queries = writtenStatements('**/*-queries.ts').filter(({ file }) => !/^(accounts|certificates|mail)\//.test(file))
const mutants: Mutant[] = queries.flatMap((of) =>
  [...of.text.matchAll(PROJECT_NAMED)].map(({ 0: condition, index }, place) => ({
    of,
    condition: place + 1,
    // Always true; the value itself must stay, or PostgreSQL would not know its type.
    text: `${of.text.slice(0, index)}${condition.includes('asked') ? 'asked.project' : '$1::bigint'} is not null${of.text.slice(index + condition.length)}`,
  })),
)

/** By the name of the query, or by that and the number of the condition. */
const reasonOf = ({ of, condition }: Mutant): string | undefined =>
  harmless[of.name] ?? harmless[`${of.name} ${condition}`]

/** Statements that serve many projects at once, and set their own allowed projects. */
const batched = queries.filter(({ text }) => text.includes(ALLOWED))
const single = queries.filter((query) => !batched.includes(query))
const allowing = (what: string) => (text: string) =>
  text.replace(ALLOWED, () => `allowed as materialized (select ${what})`)

/** What a mutant of a batched statement allows itself instead of the projects of its requests. */
const NOTHING = allowing('$1::text')
const EVERYTHING = allowing(
  `set_config('petstore.projects', (select $1::bigint[] || array_agg(project_id) from key_directory)::text, true)`,
)
const only = (project: bigint) => allowing(`set_config('petstore.projects', '{${project}}', true)`)

/** The rows that reveal something: an empty page, a count of none and a missing animal reveal nothing. */
const revealing = (name: string, rows: unknown[]) =>
  rows.length === lacking[name]
    ? []
    : rows.filter((row) => Object.values(row as object).some((value) => ![null, 0, false].includes(value as null)))

let isolated: Environment
let open: Environment
const killed = { byTheWall: 0, byTheRule: 0, isReal: 0 }

beforeAll(async () => {
  isolated = await seedDatabase()
  open = await seedDatabase()
  await asOwner(open.database, async (client) => {
    for (const table of open.tables) await client.query(`alter table ${table} disable row level security`)
  })
})

afterAll(async () => {
  process.stdout.write(
    `mutants: ${mutants.length} conditions taken out; killed by row level security ${killed.byTheWall}, ` +
      `by the rule ${killed.byTheRule}; harmful without row level security ${killed.isReal}\n`,
  )
  await isolated?.app.end()
  await open?.app.end()
})

test('every query is tested, and there is a mutant of every condition', () => {
  expect(Object.keys(values).sort()).toEqual(queries.map(({ name }) => name).sort())
  expect(mutants.length).toBeGreaterThanOrEqual(100)
  expect(batched.map(({ name }) => name).sort()).toEqual([
    'find-pets',
    'insert-pets',
    'list-pets',
    'list-pets-by-status',
  ])
})

const named = (list: Mutant[]) => list.map((mutant) => [mutant.of.name, mutant] as const)

describe('with row-level security, a query without its project filter', () => {
  test.each(named(mutants))('%s reads and changes nothing of another project', async (_, mutant) => {
    expect(await harmOf(isolated, mutant)).toBeUndefined()
    killed.byTheWall++
  })

  test.each(queries.map((query) => [query.name, query] as const))(
    '%s, run for a project that it is not allowed, reads and changes nothing',
    async (name, { text }) => {
      const given = valuesOf(isolated, name, isolated.north.project)
      const { rows, refusal, isChanged } = await run(isolated, only(isolated.south)(text), given)
      expect(isChanged).toBe(false)
      if (tableOf(text) === undefined) return
      expect(revealing(name, rows)).toEqual([])
      expect(refusal).toBe(isInsert(text) ? REFUSED_BY_POLICY : undefined)
    },
  )
})

describe('a batched statement', () => {
  const each = batched.map((query) => [query.name, query] as const)
  const isRead = ({ text }: Written) => !isInsert(text)

  test.each(each)('%s reads, or adds to, the rows of its requests', async (name, { text }) => {
    const { rows, refusal } = await run(isolated, text, valuesOf(isolated, name, isolated.north.project), '')
    expect([revealing(name, rows).length, refusal]).toEqual([1, undefined])
  })

  test.each(each)('%s that allows itself no project reads nothing and adds nothing', async (name, { text }) => {
    for (const setting of ['', '{}']) {
      for (const project of [isolated.north.project, isolated.south]) {
        const { rows, refusal, isChanged } = await run(
          isolated,
          NOTHING(text),
          valuesOf(isolated, name, project),
          setting,
        )
        expect([revealing(name, rows), isChanged]).toEqual([[], false])
        expect(refusal).toBe(isInsert(text) ? REFUSED_BY_POLICY : undefined)
      }
    }
    expect(NOTHING(text)).not.toBe(text)
    expect(namesItsProject(NOTHING(text))).toBe(false)
  })

  test.each(each)(
    '%s that allows itself more than its requests is reported by the rule (negative control)',
    (_, { text }) => {
      expect(EVERYTHING(text)).not.toBe(text)
      expect(namesItsProject(EVERYTHING(text))).toBe(false)
      expect(namesItsProject(only(isolated.south)(text))).toBe(false)
    },
  )

  test.each(named(mutants.filter(({ of }) => batched.includes(of))))(
    '%s that allows itself more and has no project filter does harm, so the rule is needed (negative control)',
    async (_, mutant) => {
      expect(await harmOf(isolated, { ...mutant, text: EVERYTHING(mutant.text) })).toMatch(/shows/)
    },
  )

  test.each(batched.filter(isRead).map((query) => [query.name, query] as const))(
    '%s gives each request its own result, whatever else is in the batch',
    async (name, { text }) => {
      const projects = [isolated.south, isolated.north.project, isolated.south]
      const alone = projects.map((project) => valuesOf(isolated, name, project) as unknown[][])
      const together = alone[0]?.map((_, column) => alone.map((values) => values[column]?.[0])) ?? []
      const apart: unknown[] = []
      for (const given of alone) apart.push(...(await run(isolated, text, given)).rows)
      expect((await run(isolated, text, together)).rows).toEqual(apart)
      expect(apart).toHaveLength(projects.length)
    },
  )

  // The setting that makes the rows visible is set by the statement itself: it must come first in every plan.
  test.each(batched.filter(isRead).map((query) => [query.name, query] as const))(
    '%s reads the same in any join order of PostgreSQL',
    async (name, { text }) => {
      const given = valuesOf(isolated, name, isolated.north.project)
      const right = (await run(isolated, text, given, '')).rows
      expect(revealing(name, right)).toHaveLength(1)
      for (const knob of ['from_collapse_limit = 1', 'join_collapse_limit = 1', 'geqo_threshold = 2', ...disabled]) {
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          await isolated.app.query(`set ${knob}; set plan_cache_mode = ${mode}`)
          expect((await run(isolated, text, given, '')).rows, `${knob}, ${mode}`).toEqual(right)
          await isolated.app.query('reset all')
        }
      }
    },
  )

  test('that is not materialized reads nothing in some join order (negative control)', async () => {
    const { name, text } = batched.find(isRead) ?? { name: '', text: '' }
    const loose = text.replace('asked as materialized', 'asked as not materialized')
    const given = valuesOf(isolated, name, isolated.north.project)
    await isolated.app.query('set from_collapse_limit = 1; set geqo_threshold = 2')
    expect(revealing(name, (await run(isolated, loose, given, '')).rows)).toEqual([])
    await isolated.app.query('reset all')
  })

  const disabled = ['nestloop', 'material', 'memoize', 'indexscan', 'seqscan', 'sort'].map(
    (way) => `enable_${way} = off`,
  )
})

describe('without row-level security', () => {
  test.each(named(mutants.filter((mutant) => reasonOf(mutant) === undefined)))(
    '%s without its project filter does harm (negative control)',
    async (_, mutant) => {
      expect(await harmOf(open, mutant)).toMatch(/shows|changes/)
      killed.isReal++
    },
  )

  test.each(named(mutants.filter((mutant) => reasonOf(mutant) !== undefined)))(
    '%s is still harmless',
    async (_, mutant) => {
      expect(await harmOf(open, mutant), `${reasonOf(mutant)}`).toBeUndefined()
    },
  )

  test.each(queries.filter(({ text }) => tableOf(text) !== undefined).map((query) => [query.name, query] as const))(
    '%s works for any project it is run for (negative control)',
    async (name, { text }) => {
      const { rows, refusal, isChanged } = await run(open, text, valuesOf(open, name, open.north.project))
      // That such a row exists already is also something that only its own project may learn.
      const isWorking = revealing(name, rows).length > 0 || isChanged || refusal === ALREADY_THERE
      expect(isWorking, `${idle[name]}`).toBe(!(name in idle))
    },
  )
})

describe('the rule "every query names its project"', () => {
  test('holds for every query', () => {
    for (const { file, name, text } of queries) expect(namesItsProject(text), `${file}: ${name}`).toBe(true)
  })

  test('fails for every query without its project filter', () => {
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
    'select extract(epoch from created_at) from pets',
    'select id from pets where project_id = $1 and exists (select extract(epoch from at) from audit)',
    'update pets set name = asked.name from unnest($1::bigint[], $2::text[]) as asked (project, name) where pets.id = 1',
    'update pets set name = asked.name from unnest($2::bigint[], $1::text[]) as asked (project, name) where project_id = asked.project and pets.id = 1',
    `with ${ALLOWED} update pets set name = 'x' from allowed, unnest($1::bigint[]) as asked (project) where project_id = asked.project`,
    'select id from pets, orders where pets.project_id = $1',
  ])('fails for: %s', (text) => {
    expect(namesItsProject(text)).toBe(false)
  })

  test.each([
    'select o.id from orders o join pets p on p.project_id = $1 and p.id = o.pet_id where o.project_id = $1',
    'select id from pets where project_id = $1 for update skip locked',
    'insert into idempotency (project_id, key) select $1, name from pets where project_id = $1',
    'delete from pets where project_id = $1 and id = $2',
    'select extract(epoch from created_at) from pets where project_id = $1',
    'update pets set name = asked.name from unnest($1::bigint[], $2::text[]) as asked (project, name) where project_id = asked.project and pets.id = 1',
  ])('holds for: %s', (text) => {
    expect(namesItsProject(text)).toBe(true)
  })

  test.each(batched.map((query) => [query.name, query] as const))('fails for %s, altered in any way', (_, { text }) => {
    const twists: [string, string][] = [
      ['unnest($1::bigint[]', 'unnest($2::bigint[]'],
      ["set_config('petstore.projects', $1::text, true)", "set_config('petstore.projects', $2::text, true)"],
      ["set_config('petstore.projects', $1::text, true)", "set_config('petstore.projects', $1::text, false)"],
      ['from allowed, unnest', 'from unnest'],
      ['asked as materialized', 'asked as not materialized'],
      ['as asked (project', 'as asked (other, project'],
      ['from asked', 'from asked, pets'],
      ['from asked', 'from asked join pets on pets.id = 1'],
      ['from asked', `from (select set_config('petstore.projects', '{1,2}', true)) more, asked`],
      ['select project,', 'select project + 1 as project,'],
    ]
    for (const [from, to] of twists) {
      const at = text.lastIndexOf(from)
      const twisted = `${text.slice(0, at)}${to}${text.slice(at + from.length)}`
      if (at === -1) throw new Error(`nothing to twist: ${from}`)
      expect(namesItsProject(twisted), `${from} → ${to}`).toBe(false)
    }
    const renamed = text.replace(/\b(from|into) pets\b/, '$1 orders')
    expect(namesItsProject(renamed)).toBe(true)
  })

  test('statements that cross projects stay in the directories, and others access no project at all', () => {
    const directory = writtenStatements('**/directory.io.ts')
    expect(directory.length).toBeGreaterThanOrEqual(6)
    for (const { name, text } of directory) expect(staysInDirectories(text), `directory: ${name}`).toBe(true)
    expect(staysInDirectories('select id from pets')).toBe(false)
    const foreign = `select p.project_id from key_directory p join api_keys k on k.id = p.key_id`
    expect(staysInDirectories(foreign)).toBe(false)

    const others = writtenStatements().filter(({ file }) => !/(-queries|\/directory\.io)\.ts$/.test(file))
    const expiring = [...removals.values()].map(({ text }) => ({ file: 'plans/retention.ts', text }))
    for (const { file, text } of [...others, ...expiring]) {
      for (const table of isolated.tables)
        expect(text, `in ${file}`).not.toMatch(new RegExp(`\\b(from|into|update|join) ${table}\\b`))
    }
  })
})

describe('the lookup of keys, which crosses projects', () => {
  const lookUp = writtenStatements('**/directory.io.ts').find(({ name }) => name === 'find-keys-by-digest')?.text ?? ''
  const settingOf = `set_config('petstore.projects', coalesce(array_agg(project_id), '{}')::text, true)`
  const replaced = (from: string, to: string) => (text: string) => {
    if (!text.includes(from)) throw new Error(`nothing to replace: ${from}`)
    return text.replace(from, () => to)
  }
  const forgetsProject = replaced('project_id = asked.project and', 'asked.project is not null and')
  const forgetsKey = replaced('and id = asked.key_id', 'and asked.key_id is not null')
  const allowsNothing = replaced(settingOf, `array_agg(project_id)::text as set_config`)
  const allowsAll = replaced(
    settingOf,
    `set_config('petstore.projects', (select array_agg(project_id) from key_directory)::text, true)`,
  )

  type Rival = { digest: Buffer; project: bigint; scopes: string[] }
  const ID = newId('key')
  /** Both projects have a key with the same id; only the digests and the scopes differ. */
  const rivals: Rival[] = []
  let lost: Buffer

  beforeAll(async () => {
    const { app, north, south } = isolated
    const environment = (digest: Buffer, project: bigint, id: string) =>
      app.query('insert into key_directory (digest, project_id, key_id) values ($1, $2, $3)', [digest, project, id])
    for (const [project, scopes] of [
      [north.project, ['pets:read']],
      [south, ['pets:write']],
    ] as const) {
      const digest = randomBytes(32)
      await app.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
      await app.query(
        `insert into api_keys (project_id, id, label, display_prefix, last_four, digest, scopes)
         values ($1, $2, 'rival', 'pets_test_0000', '0000', $3, $4)`,
        [project, ID, digest, scopes],
      )
      await app.query('commit')
      await environment(digest, project, ID)
      rivals.push({ digest, project, scopes: [...scopes] })
    }
    // A directory entry for the south, with the id of a key that only the north has.
    lost = randomBytes(32)
    await environment(lost, south, north.keyId)
  })

  const found = async (text: string, digests: Buffer[]) => {
    await isolated.app.query(`begin; select set_config('petstore.projects', '', true)`)
    try {
      const { rows } = await isolated.app.query<{ digest: Buffer; project: string; scopes: string[] }>(text, [digests])
      return digests.map((digest) => {
        const row = rows.find((one) => one.digest.equals(digest))
        return row && { digest, project: BigInt(row.project), scopes: row.scopes }
      })
    } finally {
      await isolated.app.query('rollback')
    }
  }

  test('returns for every key the row of its own project, alone and in a batch', async () => {
    for (const digests of [...rivals.map(({ digest }) => [digest]), rivals.map(({ digest }) => digest)]) {
      const own = digests.map((digest) => rivals.find((rival) => rival.digest === digest))
      expect(await found(lookUp, digests)).toEqual(own)
      expect(await found(lookUp, digests.toReversed())).toEqual(own.toReversed())
    }
  })

  test('returns results in the order of the digests, and nothing for an unknown key', async () => {
    const opened = openDatabase({ url: isolated.database.appUrl, poolMax: 1, onError: () => {} })
    const digests = rivals.map(({ digest }) => digest)
    const keys = await directory.findKeys(opened.run, [randomBytes(32), ...digests.toReversed(), lost, ...digests])
    await opened.close()
    const { north, south } = isolated
    expect(keys.map((key) => key?.project)).toEqual([undefined, south, north.project, undefined, north.project, south])
  })

  test('returns nothing for a key whose row is in another project than the directory names', async () => {
    expect(await found(lookUp, [lost])).toEqual([undefined])
    expect(await found(forgetsProject(lookUp), [lost])).toEqual([undefined])
    // So there was something to return.
    expect(await found(allowsAll(forgetsProject(lookUp)), [lost])).toMatchObject([{ project: isolated.south }])
  })

  test('reads no other project, even without the project filter', async () => {
    for (const rival of rivals) expect(await found(forgetsProject(lookUp), [rival.digest])).toEqual([rival])
  })

  test('reads nothing at all if it allows itself no project', async () => {
    for (const { digest } of rivals) expect(await found(allowsNothing(lookUp), [digest])).toEqual([undefined])
  })

  test.each([
    ['forgets the project', forgetsProject],
    ['forgets the key', forgetsKey],
    ['allows itself nothing', allowsNothing],
    ['allows itself everything', allowsAll],
    ['reads another table', replaced('from api_keys', 'from pets')],
    ['reads more than one row', replaced('limit 1', '')],
    ['asks for other projects', replaced('place.project_id as project', '1::bigint as project')],
  ])('is reported by the rule when it %s (negative control)', (_, twist) => {
    expect(staysInDirectories(lookUp)).toBe(true)
    expect(staysInDirectories(twist(lookUp))).toBe(false)
  })
})

describe('a table without its policy', () => {
  test('is reported by the catalogue check, and returns no rows until it has one again', async () => {
    const environment = await seedDatabase()
    for (const table of environment.tables) {
      await asOwner(environment.database, (client) => client.query(`drop policy own_project on ${table}`))
      const faults = await asOwner(environment.database, async (client) => faultsOf(await readCatalogue(client)))
      expect(faults).toEqual([`public.${table}: no policy restricts petstore_app to its projects`])
      const { rows } = await run(environment, `select 1 from ${table}`, [])
      expect(rows).toEqual([])
      await asOwner(environment.database, (client) =>
        client.query(`create policy own_project on ${table}
          using (project_id = any ((select allowed_projects())::bigint[]))`),
      )
      expect(await asOwner(environment.database, async (client) => faultsOf(await readCatalogue(client)))).toEqual([])
    }
    await environment.app.end()
  })
})

test('a transaction that names no project reads nothing, and can write nothing', async () => {
  for (const setting of ['', '{}']) {
    for (const { name, text } of single.filter(({ text }) => tableOf(text) !== undefined)) {
      for (const project of [isolated.north.project, isolated.south]) {
        const { rows, isChanged } = await run(isolated, text, valuesOf(isolated, name, project), setting)
        expect([revealing(name, rows), isChanged], `by ${name}`).toEqual([[], false])
      }
    }
  }
})

/** Undefined if the mutant, run for the south, returns what the query returns and leaves the north alone. */
async function harmOf(environment: Environment, { of, text }: Mutant): Promise<string | undefined> {
  const own = valuesOf(environment, of.name, environment.south)
  const suffix = seen[of.name] ?? ''
  const right = await run(environment, `${of.text}${suffix}`, own)
  const wrong = await run(environment, `${text}${suffix}`, own)
  if (wrong.isChanged) return 'changes rows of the north'
  if (wrong.refusal !== right.refusal) return 'shows that the north has something'
  return JSON.stringify(wrong.rows) === JSON.stringify(right.rows) ? undefined : 'shows rows of the north'
}

const valuesOf = (environment: Environment, name: string, project: bigint) =>
  values[name]?.(project, environment.north) ?? []

/** Runs a statement for the south, reads the north in the same transaction, and rolls everything back. */
async function run({ app, north, south, tables }: Environment, text: string, given: unknown[], setting = `{${south}}`) {
  const see = (projects: string) => app.query(`select set_config('petstore.projects', '${projects}', true)`)
  const readNorth = async () => {
    await see(`{${north.project}}`)
    const parts = tables.map(
      (table) => `select '${table}', t::text from ${table} t where project_id = ${north.project}`,
    )
    return JSON.stringify((await app.query(`${parts.join(' union all ')} order by 1, 2`)).rows)
  }
  await app.query('begin')
  try {
    const before = await readNorth()
    await see(setting)
    await app.query('savepoint here')
    let rows: unknown[] = []
    let refusal: string | undefined
    try {
      rows = (await app.query(text, given)).rows
    } catch (error) {
      refusal = (error as { code?: string }).code ?? ''
      if (![REFUSED_BY_POLICY, ALREADY_THERE, STILL_USED].includes(refusal)) throw error
      await app.query('rollback to here')
    }
    return { rows, refusal, isChanged: (await readNorth()) !== before }
  } finally {
    await app.query('rollback')
  }
}

const isInsert = (text: string) => /\binsert into\b/.test(text)
const tableOf = (text: string) => /\b(?:from|into|update)\s+(\w+)/.exec(text)?.[1]

/** A database in which both projects have a row in every table. */
async function seedDatabase(): Promise<Environment> {
  const database = await cloneDatabase()
  const opened = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  const deps = { inProject: inProjectOf(opened), kind: 'test', newId, randomBytes } as const
  const app = new pg.Client(database.appUrl)
  await app.connect()
  const settle = async (slug: string) => {
    const project = await createProject(opened, { slug, name: slug })
    const { row } = await createKey(deps, project, { label: slug }, { actor: OWNER })
    await app.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
    const filled = await fill(app, project, slug)
    await app.query('commit')
    return { project, keyId: row.id, ...filled }
  }
  const north = await settle('north')
  const { project: south } = await settle('south')
  await opened.close()
  const { tables } = await asOwner(database, readCatalogue)
  const walls = tables.filter(({ isForced }) => isForced).map(({ name }) => name.replace('public.', ''))
  return { database, app, north, south, tables: walls.sort() }
}
