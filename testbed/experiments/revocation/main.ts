// How long a revoked key, session or token is still accepted. Three processes of the service on
// one database receive requests with the same credential without pause; it is revoked; and for
// each process the last accepted request counts that was begun after the revocation had been
// sent to be committed.
//
//   npm run experiment -- revocation --help
//
// The guarantee is one second, whatever happens to the notifications. The experiment fails if a
// variant takes longer, and also if the negative control does not: then the measurement would
// not detect a violation.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { KEY_CACHE_MS } from '../../../server/src/projects/guard.io.ts'
import type { ServiceOptions } from '../../../server/src/serve.ts'
import { openers, type Opener, type Opening } from './credentials.ts'
import { readFlags } from '../flags.ts'
import { childEnv } from '../../harness/child-env.ts'

export const PROMISED_MS = 1000
const PROCESSES = 3
const CALLERS_PER_PROCESS = 3

export type Variant = {
  name: string
  /** Undefined is the program itself, `petstore serve`, as operators run it. */
  options?: Pick<ServiceOptions, 'listensForKeyChanges' | 'keyHeldMs'>
  /** Ends the connections that receive notifications right before each revocation. */
  killsListeners?: true
}

export const variants = {
  notified: { name: 'notifications on' },
  unnotified: { name: 'notifications off', options: { listensForKeyChanges: false } },
  interrupted: { name: 'listening connection killed', killsListeners: true },
  /**
   * By processes that have just started: older ones revalidate at some moment within the five
   * seconds, maybe the next.
   */
  heldTooLong: { name: 'control: held for 5 s', options: { listensForKeyChanges: false, keyHeldMs: 5000 } },
} as const satisfies Record<string, Variant>

export type RevocationFigures = {
  what: string
  variant: string
  rounds: number
  requests: number
  /** Milliseconds after the revocation, of the last request that was begun after it and still accepted. */
  worstMs: number
  medianMs: number
}

/** The fault of the figures; undefined if the guarantee held. */
export const faultOf = ({ what, variant, worstMs }: RevocationFigures): string | undefined =>
  worstMs <= PROMISED_MS ? undefined : `${variant}: a revoked ${what} was accepted for ${worstMs} ms`

/** Of each kind, one after the other, by the same processes. */
export async function measureRevocation(
  databaseUrl: string,
  variant: Variant,
  rounds: number,
  of: readonly Opener[] = openers,
): Promise<RevocationFigures[]> {
  const database = openDatabase({ url: databaseUrl, poolMax: 2, onError: () => {} })
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(databaseUrl, variant)))
  try {
    const figures: RevocationFigures[] = []
    for (const opener of of) figures.push(await measureOpener(database, servers, variant, rounds, opener))
    return figures
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await database.close()
  }
}

async function measureOpener(
  database: Database,
  servers: Server[],
  variant: Variant,
  rounds: number,
  opener: Opener,
): Promise<RevocationFigures> {
  const delays: number[] = []
  let requests = 0
  for (let round = 0; round < rounds; round++) {
    const outcome = await measureOnce(database, servers, variant, opener)
    delays.push(...outcome.delays)
    requests += outcome.requests
  }
  delays.sort((a, b) => a - b)
  const at = (index: number) => Math.round((delays[index] ?? 0) * 10) / 10
  const [worstMs, medianMs] = [at(delays.length - 1), at(delays.length >> 1)]
  return { what: opener.what, variant: variant.name, rounds, requests, worstMs, medianMs }
}

async function measureOnce(
  database: Database,
  servers: Server[],
  { options, killsListeners }: Variant,
  opener: Opener,
) {
  const opening = await opener.open(database)
  let isOver = false
  const all = servers.map(({ port }) => hammer(port, opening, () => isOver))
  await Promise.all(all.map(({ answered }) => answered))
  // A random moment of the cache time of the processes, which each began on its own.
  await delay(Math.random() * KEY_CACHE_MS)
  if (killsListeners) await database.transaction({}, (db) => db(endListeners))

  let revokedAt = 0
  await opening.revoke(() => (revokedAt = performance.now()))
  await delay((options?.keyHeldMs ?? PROMISED_MS) + 300)
  isOver = true

  const seen = await Promise.all(all.map(({ done }) => done))
  const refusedLast = seen.every((calls) => calls.at(-1)?.isAccepted === false)
  if (!refusedLast) throw new Error(`a process still accepts the ${opener.what} at the end of the round`)
  return {
    requests: seen.flat().length,
    delays: seen.map((calls) =>
      Math.max(0, ...calls.filter(({ isAccepted }) => isAccepted).map(({ startedAt }) => startedAt - revokedAt)),
    ),
  }
}

const endListeners = statement<{ ended: boolean }, []>(
  'end-listeners',
  `select pg_terminate_backend(pid) as ended from pg_stat_activity
   where datname = current_database() and usename = current_user and query ilike 'listen %'`,
)

type Call = { startedAt: number; isAccepted: boolean }

/** Sends requests to one process without pause. `answered` resolves when the credential was accepted a few times. */
function hammer(
  port: number,
  opening: Opening,
  isOver: () => boolean,
): { answered: Promise<unknown>; done: Promise<Call[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS_PER_PROCESS })
  const calls: Call[] = []
  let isWarm: () => void = () => {}
  const warm = new Promise<void>((resolve) => (isWarm = resolve))
  const caller = async () => {
    while (!isOver()) {
      const startedAt = performance.now()
      const status = await statusOf(port, opening, agent)
      if (![200, 401].includes(status)) throw new Error(`a request was answered ${status}`)
      calls.push({ startedAt, isAccepted: status === 200 })
      if (calls.length === 20) isWarm()
    }
  }
  const done = Promise.all(Array.from({ length: CALLERS_PER_PROCESS }, caller)).then(() => {
    agent.destroy()
    return calls.sort((a, b) => a.startedAt - b.startedAt)
  })
  return { answered: Promise.race([warm, done]), done }
}

function statusOf(port: number, { path, headers }: Opening, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    }).on('error', reject)
  })
}

type Server = { port: number; stop(): Promise<void> }

async function startServer(databaseUrl: string, { options }: Variant): Promise<Server> {
  const args = options
    ? [join(import.meta.dirname, 'server.ts'), JSON.stringify(options)]
    : [join(import.meta.dirname, '../../../server/src/main.ts'), 'serve']
  const unlimited = '1000000000'
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...childEnv,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT_PER_KEY: unlimited,
      RATE_LIMIT_PER_PROJECT: unlimited,
      RATE_LIMIT_PER_ACCOUNT: unlimited,
      RATE_LIMIT_FAILED_AUTHENTICATIONS: unlimited,
    },
  })
  const ended = once(child, 'exit')
  const port = await Promise.race([portOf(child), ended.then(() => 0)])
  if (port === 0) throw new Error('a server ended before it served')
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** From the line that the program logs once it serves; later log lines are read and dropped. */
async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('a server has no output')
  const lines = createInterface(stdout)
  for await (const line of lines) {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number }
    if (msg !== 'serving' || port === undefined) continue
    lines.close()
    stdout.resume()
    return port
  }
  return 0
}

/** The command: measures all variants on a database of its own, prints the figures, and fails if they are wrong. */
async function printFigures(): Promise<void> {
  const flags = readFlags('revocation')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const figures: RevocationFigures[] = []
  const measure = async (variant: Variant, rounds: number, of?: readonly Opener[]) => {
    const found = await measureRevocation(appUrl, variant, rounds, of)
    figures.push(...found)
    if (!flags.json) for (const one of found) process.stdout.write(`${lineOf(one)}\n`)
  }
  const { heldTooLong, ...kept } = variants
  for (const variant of Object.values(kept)) await measure(variant, Number(flags.rounds))
  for (const opener of openers) await measure(heldTooLong, 1, [opener])
  if (flags.json)
    process.stdout.write(`${JSON.stringify({ promisedMs: PROMISED_MS, processes: PROCESSES, figures })}\n`)
  process.exitCode = figures.every((found) => (faultOf(found) !== undefined) === found.variant.startsWith('control'))
    ? 0
    : 1
}

export function lineOf({ what, variant, rounds, requests, worstMs, medianMs }: RevocationFigures): string {
  return `revocation of a ${what}, ${variant}: worst ${worstMs} ms, median ${medianMs} ms (${PROCESSES} processes, ${rounds} rounds, ${requests} requests)`
}

if (import.meta.main) await printFigures()
