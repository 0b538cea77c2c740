// Processes of the service on one database receive requests with a credential of each kind without pause; all are revoked;
// and for each process the last accepted request counts that was begun after the revocation had been sent to be committed.

import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawnProgram } from '../../harness/program.ts'
import { quantile } from '../../harness/quantile.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { KEY_CACHE_MS } from '../../../server/src/projects/guard.io.ts'
import type { Overrides } from '../../../server/src/program/overrides.ts'
import { openers, type Opening } from './credentials.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export const PROMISED_MS = 1000
const PROCESSES = 3

export type Variant = {
  name: string
  /** Undefined is the program itself, `petstore serve`, as operators run it. */
  options?: Pick<Overrides, 'isListening' | 'keyHeldMs'>
  /** Ends the connections that receive notifications right before each revocation. */
  killsListeners?: true
}

export const variants = {
  notified: { name: 'notifications on' },
  unnotified: { name: 'notifications off', options: { isListening: false } },
  interrupted: { name: 'listening connection killed', killsListeners: true },
  heldTooLong: { name: 'control: held for a minute', options: { isListening: false, keyHeldMs: 60_000 } },
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

/** Of each kind, by the same processes. */
export async function measureRevocation(
  databaseUrl: string,
  variant: Variant,
  rounds: number,
): Promise<RevocationFigures[]> {
  const database = openDatabase({ url: databaseUrl, poolMax: 2, onError: () => {} })
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(databaseUrl, variant)))
  try {
    const outcomes: Outcome[] = []
    for (let round = 0; round < rounds; round++) outcomes.push(...(await measureOnce(database, servers, variant)))
    return openers.map(({ what }) => {
      const found = outcomes.filter((outcome) => outcome.what === what)
      const delays = found.flatMap((outcome) => outcome.delays)
      const at = (share: number) => Math.round(quantile(delays, share) * 10) / 10
      const [worstMs, medianMs] = [at(1), at(0.5)]
      const requests = found.reduce((sum, outcome) => sum + outcome.requests, 0)
      return { what, variant: variant.name, rounds, requests, worstMs, medianMs }
    })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await database.close()
  }
}

/** Of one kind in one round; a delay of each process. */
type Outcome = { what: string; requests: number; delays: number[] }

async function measureOnce(database: Database, servers: Server[], { killsListeners }: Variant): Promise<Outcome[]> {
  let isOver = false
  const credentials = await Promise.all(
    openers.map(async (opener) => {
      const opening = await opener.open(database)
      return {
        what: opener.what,
        opening,
        calls: servers.map(({ port }) => hammer(port, opening, () => isOver)),
        revokedAt: 0,
      }
    }),
  )
  await Promise.all(credentials.flatMap(({ calls }) => calls.map(({ answered }) => answered)))
  // A random moment of the cache time of the processes, which each began on its own.
  await delay(Math.random() * KEY_CACHE_MS)
  if (killsListeners) await database.transaction({}, (db) => db(endListeners))

  for (const credential of credentials)
    await credential.opening.revoke(() => (credential.revokedAt = performance.now()))
  // What is still accepted then was accepted for too long.
  await delay(PROMISED_MS + 300)
  isOver = true

  return Promise.all(
    credentials.map(async ({ what, calls, revokedAt }): Promise<Outcome> => {
      const seen = await Promise.all(calls.map(({ done }) => done))
      const delays = seen.map((ofProcess) =>
        Math.max(0, ...ofProcess.filter(({ isAccepted }) => isAccepted).map(({ startedAt }) => startedAt - revokedAt)),
      )
      return { what, requests: seen.flat().length, delays }
    }),
  )
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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const calls: Call[] = []
  let isWarm: () => void = () => {}
  const warm = new Promise<void>((resolve) => (isWarm = resolve))
  const caller = async () => {
    while (!isOver()) {
      const startedAt = performance.now()
      const status = await statusOf(port, opening, agent)
      if (![200, 401].includes(status)) throw new Error(`a request was answered ${status}`)
      calls.push({ startedAt, isAccepted: status === 200 })
      if (calls.length === 3) isWarm()
    }
  }
  const done = caller().then(() => {
    agent.destroy()
    return calls
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

type Server = { port: number; stop(): Promise<unknown> }

async function startServer(databaseUrl: string, { options }: Variant): Promise<Server> {
  const unlimited = '1000000000'
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_KEY: unlimited,
    RATE_LIMIT_PER_PROJECT: unlimited,
    RATE_LIMIT_PER_ACCOUNT: unlimited,
    RATE_LIMIT_FAILED_AUTHENTICATIONS: unlimited,
  }
  const server = options
    ? spawnProgram([JSON.stringify(options)], env, { program: join(import.meta.dirname, 'server.ts') })
    : spawnProgram(['serve'], env)
  const port = await server.port
  const stop = () => {
    server.end('SIGTERM')
    return server.ended
  }
  return { port, stop }
}

/** The command: measures all variants on a database of its own, prints the figures, and fails if they are wrong. */
async function printFigures(): Promise<void> {
  const flags = readFlags('revocation')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const figures: RevocationFigures[] = []
  const { heldTooLong, ...kept } = variants
  for (const variant of Object.values(kept))
    figures.push(...(await measureRevocation(appUrl, variant, Number(flags.rounds))))
  const control = await measureRevocation(appUrl, heldTooLong, 1)
  const unnoticed = control.filter((found) => faultOf(found) === undefined).map(({ what }) => `${what}: not noticed`)
  conclude(flags, { processes: PROCESSES, figures, control }, ...figures.map(faultOf), ...unnoticed)
}

if (import.meta.main) await printFigures()
