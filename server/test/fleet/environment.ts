// The environment for tests of edges on a real PostgreSQL: the listener for edges as the
// service starts it, edges that poll it over HTTP, and a log that keeps every line.

import { Agent } from 'node:http'
import type { Keys } from '../../src/certificates/key-encryption.io.ts'
import { parseConfig } from '../../src/program/config.ts'
import { contextOf } from '../../src/program/context.ts'
import type { Overrides } from '../../src/program/overrides.ts'
import { startControl } from '../../src/program/control.ts'
import { putRoute, type Leads } from '../../src/fleet/directory.io.ts'
import type { ServeSite } from '../../src/fleet/feed-routes.ts'
import type { Changes, Route } from '../../src/fleet/protocol.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import { edgeOfEarlierRelease, enrolledEdge, type EnrolledEdge } from '../../../testbed/harness/test-edges.ts'

export const SITE = { kind: 'site', slug: 'willow', serial: '01' } as const
export const GONE: Leads = { kind: 'gone' }

export type Edge = EnrolledEdge & {
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
  admission?: Overrides['admission']
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
  const context = contextOf(config, counting, { now: options.now ?? Date.now })
  const start = (more: Pick<Overrides, 'isListening'> = {}, port = 0) =>
    startControl(
      { ...context, config: { ...config, control: { host: '127.0.0.1', port } }, keys: options.keys },
      options.serveSite ?? ((_, reply) => void reply.send('a page')),
      {
        logger: { level: 'trace', stream: { write: (line) => void log.push(line) } },
        isListening: options.isListening ?? true,
        admission: options.admission ?? { least: 1024 },
        ...more,
      },
    )
  const control = await start()
  const agents: Agent[] = []

  const edgeAt = (port: number, edge: EnrolledEdge): Edge => {
    const agent = new Agent({ keepAlive: true })
    agents.push(agent)
    const send = async ({ headers = {}, ...sent }: RawRequest) => {
      const body = sent.body === undefined ? undefined : Buffer.from(sent.body)
      const signable = { method: sent.method ?? 'GET', url: sent.path, headers: headers as Record<string, string> }
      const Authorization = await edge.authorize(signable, body)
      return exchange(`http://127.0.0.1:${port}`, { ...sent, headers: { Authorization, ...headers } }, agent)
    }
    return {
      ...edge,
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
    async newEdge(name: string, more: { servesApi?: boolean } = {}): Promise<Edge> {
      return edgeAt(control.port, await enrolledEdge(database.run, name, more))
    },
    async earlierEdge(name: string): Promise<Edge> {
      return edgeAt(control.port, await edgeOfEarlierRelease(database.run, name))
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
