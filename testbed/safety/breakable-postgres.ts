// A PostgreSQL of its own that can be broken while a service uses it: a backend or all of it killed, stopped at once, its
// disk full, its connections silent. Each fault is repaired, as an operator or a service manager would.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { provision, startPostgres, type RunningPostgres } from '../../devserver/postgres.ts'
import { migrate } from '../../server/src/foundation/postgres/migrate.io.ts'
import { newClusterDirectory } from '../harness/cluster-directory.ts'

export const postgresFaults = ['backend killed', 'killed', 'stopped at once', 'disk full', 'silent'] as const
export type PostgresFault = (typeof postgresFaults)[number]

export type BreakablePostgres = {
  appUrl: string
  /** False for a full disk where no file system may be mounted. */
  can(fault: PostgresFault): boolean
  /** Causes it; `isNoticed` resolves when a client has noticed. */
  cause(fault: PostgresFault, isNoticed: () => Promise<void>): Promise<void>
  /** Removes the cause; resolves when PostgreSQL accepts connections. */
  repair(): Promise<void>
  close(): Promise<void>
}

const DATABASE = 'petstore'
const DISK = '256m'

export async function startBreakablePostgres(): Promise<BreakablePostgres> {
  const folder = newClusterDirectory()
  const isMounted = mounted(folder)
  const directory = join(folder, 'data')
  mkdirSync(directory)
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
  const start = () => startPostgres({ directory, settings })
  let postgres: RunningPostgres = await start()
  await provision(postgres.superuserUrl, DATABASE)
  await migrate(postgres.urlOf('petstore_owner', DATABASE))
  const line = await startSwitch(postgres.port)
  const ballast = join(folder, 'ballast')

  const faults: Record<PostgresFault, (isNoticed: () => Promise<void>) => Promise<void>> = {
    'backend killed': async () =>
      process.kill(await backendOf(postgres.urlOf('petstore_app', DATABASE)), 'SIGKILL') && undefined,
    killed: async () => void process.kill(postmasterOf(directory), 'SIGKILL'),
    'stopped at once': async () => void process.kill(postmasterOf(directory), 'SIGQUIT'),
    'disk full': (isNoticed) => {
      fill(ballast)
      return isNoticed()
    },
    silent: (isNoticed) => {
      line.silence()
      return isNoticed()
    },
  }
  const isAccepting = () => accepts(postgres.urlOf('petstore_app', DATABASE))
  return {
    appUrl: postgres.urlOf('petstore_app', DATABASE).replace(`:${postgres.port}/`, `:${line.port}/`),
    can: (fault) => fault !== 'disk full' || isMounted,
    cause: (fault, isNoticed) => faults[fault](isNoticed),
    async repair() {
      rmSync(ballast, { force: true })
      while (!(await isAccepting())) {
        // A postmaster that lives recovers on its own.
        if (!isAlive(postmasterOf(directory))) postgres = await start().catch(() => postgres)
        await pause(20)
      }
      line.leadTo(postgres.port)
    },
    async close() {
      await line.close()
      await postgres.stop()
      if (isMounted) execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A file system of a known size, which can be full without harm to others. Needs root. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'petstore-disk', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const block of [1024 * 1024, 4096]) {
      const bytes = Buffer.alloc(block)
      try {
        for (;;) writeSync(file, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(file)
  }
}

/** The first line of the file is its process id; 0 if there is no file. */
function postmasterOf(directory: string): number {
  try {
    return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const accepts = (url: string): Promise<boolean> =>
  withClient(url, async (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )

/** One that the service uses. */
const backendOf = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where usename = 'petstore_app' and pid <> pg_backend_pid() order by query_start desc limit 1`,
    )
    return rows[0]?.pid ?? 0
  })

type Switch = {
  port: number
  /** New connections lead there; those that are silent stay silent. */
  leadTo(port: number): void
  /** Nothing passes any more, in either direction, and nothing is closed. */
  silence(): void
  close(): Promise<void>
}

async function startSwitch(first: number): Promise<Switch> {
  let target = first
  let isSilent = false
  const open = new Map<Socket, Socket | undefined>()
  const server = createServer((client) => {
    client.on('error', () => {})
    client.on('close', () => {
      open.get(client)?.destroy()
      open.delete(client)
    })
    if (isSilent) return void open.set(client, undefined)
    const upstream = connect(target, '127.0.0.1')
    open.set(client, upstream)
    upstream.on('error', () => {})
    upstream.on('close', () => open.get(client) === upstream && client.destroy())
    upstream.pipe(client)
    client.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
      isSilent = false
    },
    silence() {
      isSilent = true
      for (const [client, upstream] of open) {
        // A machine that lost its power closes nothing; what it had begun ends on the server.
        upstream?.unpipe(client)
        client.unpipe(upstream)
        open.set(client, undefined)
        upstream?.destroy()
        client.resume()
      }
    },
    async close() {
      for (const client of open.keys()) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
