// Clients that add animals one after another while something fails, and what they received: an animal that was
// acknowledged must be stored.

import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../server/src/program/config.ts'
import { statement, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { createKey } from '../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { exchange } from '../harness/http.ts'

/** A project with an API key. */
export type Store = { project: ProjectId; key: string }

export async function newStore(config: Config, database: Database): Promise<Store> {
  const project = await createProject(database, { slug: 'outages', name: 'Outages' })
  const { key } = await createKey(contextOf(config, database), project, { label: 'load' })
  return { project, key }
}

const allNames = statement<{ name: string }, [project: bigint]>(
  'safety-names',
  `select name from pets where project_id = $1`,
)

export const storedNames = async (database: Database, project: ProjectId): Promise<Set<string>> =>
  new Set((await inProjectOf(database)(project, (db) => db(allNames, project))).map(({ name }) => name))

/** Clients that add animals until they are stopped; a request that failed is not repeated. */
export function startWriters(origin: string, { key, clients }: { key: string; clients: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const names: string[] = []
  const statuses: Record<string, number> = {}
  const events = new EventTarget()
  let slowest = 0
  let slowestRecently = 0
  const over = new AbortController()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const write = async (name: string) => {
    const startedAt = performance.now()
    const body = JSON.stringify({ name, categoryId: 1 })
    const { status } = await exchange(origin, { method: 'POST', path: '/v1/pets', headers, body }, agent)
    const took = Math.round(performance.now() - startedAt)
    slowest = Math.max(slowest, took)
    slowestRecently = Math.max(slowestRecently, took)
    if (status === 201) names.push(name)
    else statuses[status] = (statuses[status] ?? 0) + 1
    events.dispatchEvent(new Event(status === 201 ? 'acknowledged' : 'failed'))
    if (status !== 201) await pause(20)
  }
  const lanes = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !over.signal.aborted; turn += 1) await write(`${client}-${turn}`)
  })
  const next = (event: string) =>
    new Promise<void>((resolve) => events.addEventListener(event, () => resolve(), { once: true }))
  return {
    /** Of the animals whose creation was acknowledged so far. */
    names,
    /** Resolves after so many more. */
    async acknowledged(count: number): Promise<void> {
      for (const until = names.length + count; names.length < until;) await next('acknowledged')
    },
    failed: () => next('failed'),
    /** Of the requests that ended since it was last asked, in milliseconds. */
    slowestSince(): number {
      const recently = slowestRecently
      slowestRecently = 0
      return recently
    },
    async stop() {
      over.abort()
      await Promise.all(lanes)
      agent.destroy()
      return { names, slowest, statuses }
    },
  }
}
