// The catalogue check accepts a migrated database, and reports each kind of fault: the bad
// table, view, function or grant is created in a clone, in a transaction that is rolled
// back.

import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultsOf, readCatalogue, type Facts } from './database-catalogue.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'

let database: TestDatabase
let facts: Facts

beforeAll(async () => {
  database = await cloneDatabase()
  facts = await asOwner(database, readCatalogue)
})

/** The faults that the catalogue check reports once these statements have run. */
const faultsAfter = (...statements: string[]): Promise<string[]> =>
  asOwner(database, async (client) => {
    await client.query('begin')
    for (const text of statements) await client.query(text)
    return faultsOf(await readCatalogue(client))
  })

describe('the migrated database', () => {
  test('has no fault in its catalogue', () => {
    expect(faultsOf(facts)).toEqual([])
  })

  test('is really checked: tables, policies, indexes, grants and roles are found', () => {
    expect(facts.tables.map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining(['public.api_keys', 'public.idempotency', 'public.orders', 'public.pets']),
    )
    expect(facts.policies.length).toBeGreaterThanOrEqual(7)
    expect(facts.uniques.length).toBeGreaterThanOrEqual(facts.tables.length)
    expect(facts.references.length).toBeGreaterThanOrEqual(1)
    expect(facts.grants.length).toBeGreaterThan(20)
    expect(facts.definers.map(({ name }) => name).sort()).toEqual([
      'public.erase_deleted_project(bigint,integer,integer)',
      'public.forget_removed_domains(bigint,integer,integer,integer)',
      'public.sum_photo_bytes()',
      'public.sweep_idempotency(integer)',
    ])
    expect(facts.roles.map(({ name }) => name).sort()).toEqual(['petstore_app', 'petstore_owner'])
  })

  test('accepts a further table that keeps the rules', async () => {
    expect(
      await faultsAfter(
        ...good('visits'),
        erasing((names) => ['visits', ...names]),
      ),
    ).toEqual([])
  })
})

/** Other tables are erased with a project. */
const erasing = (change: (names: string[]) => string[]) => {
  const names = change(facts.erased.map((name) => name.replace('public.', '')))
  return `create or replace function erased_tables() returns text[] language sql immutable return '{${names.join()}}'::text[]`
}

/** A table as it must be; each negative control leaves out or adds one thing. */
const policyOf = (table: string) =>
  `create policy own_project on ${table} using (project_id = any ((select allowed_projects())::bigint[]))`
const columns = 'project_id bigint not null, id bigint not null, note text'
const good = (table: string, definition = `${columns}, primary key (project_id, id)`) => [
  `create table ${table} (${definition})`,
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  policyOf(table),
  `grant select, insert on ${table} to petstore_app`,
]
const goodBut = (missing: RegExp) => good('visits').filter((text) => !missing.test(text))

const controls: [what: string, statements: string[], fault: string][] = [
  [
    'a primary key that does not start with the project',
    good('visits', `${columns}, primary key (id, project_id)`),
    'public.visits: the primary key does not start with project_id',
  ],
  ['no primary key', good('visits', columns), 'public.visits: the primary key does not start with project_id'],
  ['row level security left off', goodBut(/enable/), 'public.visits: row level security is not enabled'],
  ['row level security not forced', goodBut(/force/), 'public.visits: row level security is not forced'],
  ['no policy', goodBut(/policy/), 'public.visits: no policy restricts petstore_app to its projects'],
  [
    'a policy for reading only',
    [...goodBut(/policy/), policyOf('visits').replace(' using', ' for select using')],
    'public.visits: no policy restricts petstore_app to its projects',
  ],
  [
    'a policy for another role only',
    [...goodBut(/policy/), policyOf('visits').replace(' using', ' to petstore_owner using')],
    'public.visits: no policy restricts petstore_app to its projects',
  ],
  [
    'a second policy that lets everything through',
    ['create policy generous on pets using (true)'],
    "public.pets: the policy generous is wider than one's own projects",
  ],
  [
    'a policy that lets everything be written',
    ['create policy writes on pets for insert to petstore_app with check (true)'],
    "public.pets: the policy writes is wider than one's own projects",
  ],
  [
    'a policy whose check is wider than what it shows',
    ['alter policy own_project on pets with check (true)'],
    "public.pets: the policy own_project is wider than one's own projects",
  ],
  [
    'a policy for the owner that nobody reviewed',
    ['create policy all_of_it on pets to petstore_owner using (true)'],
    'public.pets: the policy all_of_it for petstore_owner was not reviewed',
  ],
  [
    'a unique index across projects',
    ['create unique index pets_by_name_alone on pets (name)'],
    'public.pets: the unique index pets_by_name_alone crosses projects',
  ],
  [
    'a unique index on an expression before the project',
    ['create unique index pets_by_lower_name on pets (lower(name), project_id)'],
    'public.pets: the unique index pets_by_lower_name crosses projects',
  ],
  [
    'a foreign key across projects',
    good('visits', `${columns}, slug text constraint to_slug references slug_directory, primary key (project_id, id)`),
    'public.visits: the foreign key to_slug crosses projects',
  ],
  [
    'a table without a project',
    ['create table breeds (name text primary key)'],
    'public.breeds: has no project_id and was not reviewed',
  ],
  [
    'a table in another schema',
    ['create schema other', 'create table other.pets (project_id bigint not null primary key)'],
    'other.pets: row level security is not enabled',
  ],
  [
    'a table that inherits columns but not the wall',
    ['create table old_pets () inherits (pets)'],
    'public.old_pets: row level security is not enabled',
  ],
  [
    'a view with the rights of its owner',
    ['create view sold as select project_id, id from pets'],
    'public.sold: the view is not security_invoker',
  ],
  [
    'a view that says no to security_invoker',
    ['create view sold with (security_invoker = false) as select project_id, id from pets'],
    'public.sold: the view is not security_invoker',
  ],
  [
    'a materialized view',
    ['create materialized view sold as select project_id, id from pets'],
    'public.sold: a materialized view holds rows outside of row level security',
  ],
  [
    'a rule',
    ['create rule also as on insert to pets do also notify pets'],
    'public.pets: the rule also runs with the rights of the owner',
  ],
  [
    'a security definer function that nobody reviewed',
    [
      `create function count_pets() returns bigint language sql security definer set search_path = public, pg_temp
       return (select count(*) from pets)`,
      'revoke execute on function count_pets() from public',
    ],
    'public.count_pets(): the security definer function was not reviewed',
  ],
  [
    'a security definer function without a search path',
    ['alter function sweep_idempotency(integer) reset search_path'],
    'public.sweep_idempotency(integer): has no fixed search_path',
  ],
  [
    'a security definer function for everybody',
    ['grant execute on function sweep_idempotency(integer) to public'],
    'public.sweep_idempotency(integer): may be executed by everybody',
  ],
  ['a table for everybody', ['grant select on pets to public'], 'public.pets: SELECT is granted to public'],
  ['a column for everybody', ['grant select (name) on pets to public'], 'public.pets: SELECT is granted to public'],
  ['a sequence for everybody', ['grant usage on pet_ids to public'], 'public.pet_ids: USAGE is granted to public'],
  [
    'a sequence that can be set',
    ['grant update on pet_ids to petstore_app'],
    'public.pet_ids: UPDATE is granted to petstore_app',
  ],
  [
    'a table that can be emptied',
    ['grant truncate on pets to petstore_app'],
    'public.pets: TRUNCATE is granted to petstore_app',
  ],
  [
    'a directory whose rows can go',
    ['grant delete on slug_directory to petstore_app'],
    'public.slug_directory: DELETE is granted to petstore_app',
  ],
  [
    'migrations that the program can forge',
    ['grant insert on schema_migrations to petstore_app'],
    'public.schema_migrations: INSERT is granted to petstore_app',
  ],
  [
    'a schema to create in',
    ['grant create on schema public to petstore_app'],
    'public: CREATE is granted to petstore_app',
  ],
]

describe('the catalogue check reports', () => {
  test('a table that is missing in the list of what is erased, and one before those that refer to it (negative control)', async () => {
    expect(await faultsAfter(erasing((names) => names.filter((name) => name !== 'order_notes')))).toEqual([
      'public.order_notes: is not erased with its project',
    ])
    expect(await faultsAfter(...good('visits'))).toEqual(['public.visits: is not erased with its project'])
    expect(await faultsAfter(erasing((names) => ['orders', ...names]))).toContain(
      'public.order_notes: is erased after orders, which it refers to',
    )
  })

  test.each(controls)('%s (negative control)', async (_, statements, fault) => {
    expect(await faultsAfter(...statements)).toContain(fault)
  })

  test('each policy that is dropped, and each table without row-level security (negative control)', async () => {
    const policies = facts.tables.filter(({ isForced }) => isForced)
    expect(policies.length).toBeGreaterThanOrEqual(6)
    for (const { name } of policies) {
      expect(await faultsAfter(`alter table ${name} no force row level security`)).toEqual([
        `${name}: row level security is not forced`,
      ])
      expect(await faultsAfter(`alter table ${name} disable row level security`)).toEqual([
        `${name}: row level security is not enabled`,
      ])
      expect(await faultsAfter(`drop policy own_project on ${name}`)).toEqual([
        `${name}: no policy restricts petstore_app to its projects`,
      ])
    }
  })

  test('a table owned by the program itself (negative control)', async () => {
    const own = await cloneDatabase()
    await asOwner(own, (client) => client.query('grant create on schema public to petstore_app'))
    const app = new pg.Client(own.appUrl)
    await app.connect()
    await app.query('create table mine (project_id bigint primary key)')
    await app.end()
    expect(await asOwner(own, async (client) => faultsOf(await readCatalogue(client)))).toContain(
      'public.mine: belongs to petstore_app',
    )
  })

  // No test may create such a role, so these facts are made up.
  test.each([
    [{ isSuper: true }, 'is superuser'],
    [{ bypasses: true }, 'bypasses row level security'],
    [{ makesRoles: true }, 'may make roles'],
    [{ replicates: true }, 'may read everything by replication'],
    [{ in: ['petstore_owner'] }, 'has the rights of petstore_owner'],
  ])('a role with %o (negative control)', (extra, fault) => {
    const roles = facts.roles.map((role) => (role.name === 'petstore_app' ? { ...role, ...extra } : role))
    expect(faultsOf({ ...facts, roles })).toEqual([`petstore_app: ${fault}`])
  })
})

test('no connection of a test is superuser or bypasses row-level security', async () => {
  for (const url of [database.ownerUrl, database.appUrl]) {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ role: string; rolsuper: boolean; rolbypassrls: boolean }>(
      `select current_user as role, rolsuper, rolbypassrls from pg_roles where rolname = current_user`,
    )
    // Every connection to this server, of whichever test file is running now.
    const { rows: sessions } = await client.query<{ role: string }>(
      `select distinct usename as role from pg_stat_activity where backend_type = 'client backend'`,
    )
    await client.end()
    expect(rows[0]).toMatchObject({ rolsuper: false, rolbypassrls: false })
    for (const { role } of sessions) expect(['petstore_owner', 'petstore_app']).toContain(role)
  }
})
