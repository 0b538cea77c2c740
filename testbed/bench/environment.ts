// The environment of a benchmark: one durable PostgreSQL (fsync and synchronous_commit on)
// seeded with projects and animals, and the real service in a process of its own, with real
// keys.
//
// Animal n belongs to project 1 + n modulo the number of projects, as if stores had added their
// animals in turn over the years: so the rows of one store are scattered, for bare PostgreSQL
// and for the service alike.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { provision, startPostgres, type RunningPostgres } from '../../devserver/postgres.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'
import { openDatabase } from '../../server/src/foundation/postgres/postgres.io.ts'
import { createKey } from '../../server/src/projects/api-keys.io.ts'
import type { ProjectId } from '../../server/src/projects/scope.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { freePort } from '../../devserver/free-port.ts'

/** A store of animals in its own database. */
export type World = {
  /** The superuser, who bypasses row-level security: bare PostgreSQL pays for nothing of ours. */
  bareUrl: string
  appUrl: string
  projects: number
  animals: number
  keys: readonly string[]
  /** The process id of its PostgreSQL. */
  postmaster: number
}

const durable = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  max_connections: '400',
  // Whether it runs during a round would be chance; its work is done once after seeding.
  autovacuum: 'off',
}

export const startCluster = (): Promise<RunningPostgres> =>
  startPostgres({ directory: mkdtempSync(join(tmpdir(), 'petstore-bench-')), ephemeral: true, settings: durable })

export async function createWorld(
  postgres: RunningPostgres,
  database: string,
  projects: number,
  animals: number,
): Promise<World> {
  await provision(postgres.superuserUrl, database)
  await migrate(postgres.urlOf('petstore_owner', database))
  const bareUrl = postgres.urlOf('postgres', database)
  await fill(bareUrl, projects, animals)
  const appUrl = postgres.urlOf('petstore_app', database)
  const keys = await makeKeys(appUrl, projects)
  return { bareUrl, appUrl, projects, animals, keys, postmaster: await postmasterOf(bareUrl) }
}

export async function postmasterOf(url: string): Promise<number> {
  const { rows } = await asBare(url, (client) =>
    client.query<{ pid: number }>(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`),
  )
  return rows[0]?.pid ?? Number.NaN
}

export async function fill(url: string, projects: number, animals: number): Promise<void> {
  await asBare(url, async (client) => {
    await client.query(
      `insert into projects (project_id, slug, name)
       select n, 'bench-' || n, 'Bench ' || n from generate_series(1, $1::bigint) n`,
      [projects],
    )
    await client.query(`insert into slug_directory (slug, project_id) select slug, project_id from projects`)
    await addAnimals(client, projects, animals)
  })
}

async function addAnimals(client: pg.Client, projects: number, animals: number): Promise<void> {
  await client.query(
    `insert into pets (project_id, id, name, category_id, status)
     select 1 + n % $2::bigint, n, 'Animal ' || n, n % 20, (array['available', 'pending', 'sold'])[1 + (n / $2::bigint) % 3]
     from generate_series(1, $1::bigint) n`,
    [animals, projects],
  )
  await client.query(`select setval('pet_ids', $1)`, [animals])
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

export async function asBare<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function makeKeys(url: string, projects: number): Promise<string[]> {
  const database = openDatabase({ url, poolMax: 8, onError: () => {} })
  const deps = contextOf(parseConfig({ DATABASE_URL: url }), database)
  const keys: string[] = []
  for (let from = 1; from <= projects; from += 50) {
    const some = Array.from(
      { length: Math.min(50, projects + 1 - from) },
      (_, index) => BigInt(from + index) as ProjectId,
    )
    keys.push(
      ...(await Promise.all(
        some.map(async (project) => (await createKey(deps, project, { label: 'testbed/bench' })).key),
      )),
    )
  }
  await database.close()
  return keys
}

export type RunningService = { origin: string; pid: number; stop(): Promise<void> }

/** The tree of files that this one belongs to. */
export const thisTree = join(import.meta.dirname, '../..')

/** The program of a tree of files, of this one or of another. */
export const programOf = (tree: string): string => join(tree, 'server/src/main.ts')

/**
 * As in production: a process of its own that writes its log and counts its limits (set too
 * high to reject anything).
 */
export async function startServe(
  appUrl: string,
  { tree = thisTree, flags = [] }: { tree?: string; flags?: readonly string[] } = {},
): Promise<RunningService> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [...flags, programOf(tree), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: appUrl,
      PORT: String(port),
      RATE_LIMIT_PER_KEY: '1000000000',
      RATE_LIMIT_PER_PROJECT: '1000000000',
    },
  })
  const stop = async () => {
    if (hasEnded(child)) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const origin = `http://127.0.0.1:${port}`
  if (!(await isReady(`${origin}/readyz`, child))) {
    await stop()
    throw new Error(`the service of ${tree} did not become ready`)
  }
  return { origin, pid: child.pid ?? 0, stop }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + 20_000
  while (performance.now() < deadline && !hasEnded(child)) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
