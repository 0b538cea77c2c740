// The environment for tests of edges on a real PostgreSQL: the listener for edges as the
// service starts it, edges that poll it over HTTP, and a log that keeps every line.

import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import type { Keys } from '../../src/certificates/key-encryption.io.ts'
import { parseConfig } from '../../src/config.ts'
import { startControl, type ControlOptions } from '../../src/control.ts'
import { addEdge } from '../../src/fleet/edge-tokens.io.ts'
import { putRoute, type Leads } from '../../src/fleet/directory.io.ts'
import type { ServeSite } from '../../src/fleet/feed-routes.ts'
import type { Changes, Route } from '../../src/fleet/protocol.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'

export const SITE = { kind: 'site', slug: 'willow', serial: '01' } as const
export const GONE: Leads = { kind: 'gone' }

export type Edge = {
  name: string
  id: string
  token: string
  send(sent: RawRequest): Promise<Received>
  /** The changes after a sequence number; fails if there is no response. */
  changes(after: number, waitMs?: number, more?: string): Promise<Changes>
}

export type Fleet = Awaited<ReturnType<typeof openFleet>>

type Options = {
  storage?: TestDatabase
  database?: Database
  keys?: Pick<Keys, 'open'>
  serveSite?: ServeSite
  now?: () => number
  isListening?: boolean
  env?: Record<string, string>
}

export async function openFleet(options: Options = {}) {
  const storage = options.storage ?? (await cloneDatabase())
  const database = options.database ?? openDatabase({ url: storage.appUrl, poolMax: 25, onError: () => {} })
  const log: string[] = []
  const config = parseConfig({ DATABASE_URL: storage.appUrl, CONTROL_PORT: '0', ...options.env })
  /** How often each statement was run. */
  const counts = new Map<string, number>()
  const counting: Database = {
    ...database,
    run: (statement, ...values) => {
      counts.set(statement.name, (counts.get(statement.name) ?? 0) + 1)
      return database.run(statement, ...values)
    },
  }
  /** Another process on the same database; at a port of its own if none is given. */
  const start = (more: Partial<ControlOptions> = {}, port = 0) =>
    startControl(
      { ...config, control: { host: '127.0.0.1', port } },
      {
        database: counting,
        keys: options.keys,
        serveSite: options.serveSite ?? ((_, reply) => void reply.send('a page')),
        logger: { level: 'trace', stream: { write: (line) => void log.push(line) } },
        now: options.now,
        isListening: options.isListening ?? true,
        ...more,
      },
    )
  const control = await start()
  const agents: Agent[] = []

  const edgeAt = (port: number, { name, id, token }: Pick<Edge, 'name' | 'id' | 'token'>): Edge => {
    const agent = new Agent({ keepAlive: true })
    agents.push(agent)
    const send = ({ headers, ...sent }: RawRequest) =>
      exchange(
        `http://127.0.0.1:${port}`,
        { ...sent, headers: { Authorization: `Bearer ${token}`, ...headers } },
        agent,
      )
    return {
      name,
      id,
      token,
      send,
      async changes(after, waitMs = 0, more = '') {
        const { status, json } = await send({ path: `/edge/v1/changes?after=${after}&wait=${waitMs}${more}` })
        if (status !== 200) throw new Error(`was told ${status}`)
        return json as Changes
      },
    }
  }

  return {
    storage,
    database,
    control,
    start,
    log,
    counts,
    edgeAt,
    async newEdge(name: string): Promise<Edge> {
      const credentials = await addEdge({ run: database.run, newId, randomBytes }, name)
      return edgeAt(control.port, { name, ...credentials })
    },
    put: (hostname: string, leads: Leads = SITE, generation = 1n) =>
      database.transaction({}, (db) => putRoute(db, hostname, generation, leads)),
    async close() {
      for (const agent of agents) agent.destroy()
      await control.stop()
      if (!options.database) await database.close()
    },
  }
}

/** Applies changes as an edge does. */
export function takeIn(table: Map<string, Route>, { isReset, routes }: Pick<Changes, 'isReset' | 'routes'>): void {
  if (isReset) table.clear()
  for (const route of routes) {
    if (route.kind === 'gone') table.delete(route.hostname)
    else table.set(route.hostname, route)
  }
}

/** A figure for the reader of the test output. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)

export const elapsed = async <T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> => {
  const begun = performance.now()
  const value = await work()
  return { ms: performance.now() - begun, value }
}

export async function until(isSo: () => boolean | Promise<boolean>, patienceMs = 10_000): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
