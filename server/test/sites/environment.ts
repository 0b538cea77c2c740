// A running edge for a test file: its own database, a real socket, and stores that publish
// what a test needs. It stops with the test file.

import { emptyProfile, type ProfileChange } from '@petstore-platform/contract/platform/profiles'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { parseConfig } from '../../src/program/config.ts'
import type { SiteContent } from '../../src/sites/publishing/content.ts'
import { startEdge } from '../../src/program/edge.ts'
import type { Overrides } from '../../src/program/overrides.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import * as pets from '../../src/animals/pet-queries.ts'
import * as profiles from '../../src/animals/profile-queries.ts'
import { setKind } from '../../src/projects/project-queries.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'

export const PLATFORM_HOST = 'petstore.test:3080'

export type Store = {
  slug: string
  host: string
  project: ProjectId
  publish(content: SiteContent): Promise<void>
  /** Returns their ids. */
  addAnimals(
    ...animals: { name: string; categoryId?: bigint; status?: 'available' | 'pending' | 'sold' }[]
  ): Promise<bigint[]>
  /** Gives an animal a profile in which everything else is empty. */
  putProfile(id: bigint, profile: Partial<ProfileChange>): Promise<void>
  setKind(kind: ProjectKind): Promise<void>
  get(path: string, headers?: RawRequest['headers']): Promise<Received>
  post(path: string, fields: Record<string, string>, headers?: RawRequest['headers']): Promise<Received>
}

export type TestEdge = {
  port: number
  origin: string
  database: Database
  clone: TestDatabase
  logs: string[]
  store(slug: string, content?: SiteContent | null): Promise<Store>
  send(sent: RawRequest): Promise<Received>
}

export async function startTestEdge(env: Record<string, string> = {}, options: Overrides = {}): Promise<TestEdge> {
  const clone = await cloneDatabase()
  const logs: string[] = []
  const config = parseConfig({
    PLATFORM_HOST,
    EDGE_PORT: '0',
    RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000000',
    RATE_LIMIT_RESERVATIONS_PER_PROJECT: '1000000',
    REQUESTS_PER_ADDRESS: '1000000',
    REQUESTS_PER_NETWORK: '1000000',
    REQUESTS_UNCONFIRMED: '1000000',
    ...env,
    DATABASE_URL: clone.appUrl,
  })
  const logger = { level: 'info', stream: { write: (line: string) => void logs.push(line) } }
  const edge = await startEdge(config, { logger, ...options })
  const database = openDatabase({ url: clone.appUrl, poolMax: 2, onError: () => {} })
  atEnd(async () => {
    await edge.stop()
    await database.close()
  })
  const origin = `http://127.0.0.1:${edge.port}`
  const send = (sent: RawRequest) => exchange(origin, sent)
  return {
    port: edge.port,
    origin,
    database,
    clone,
    logs,
    send,
    store: async (slug, content = contentWith()) => {
      const store = storeOf(database, send, slug, await createProject(database, { slug, name: slug }))
      if (content !== null) await store.publish(content)
      return store
    },
  }
}

function storeOf(database: Database, send: TestEdge['send'], slug: string, project: ProjectId): Store {
  const inProject = inProjectOf(database)
  const host = `${slug}.${PLATFORM_HOST}`
  let number = 0
  return {
    slug,
    host,
    project,
    publish: (content) => publishAtOnce(inProject, project, content, (number += 1)),
    addAnimals: async (...animals) => {
      const rows = animals.map(({ name, categoryId = 1n, status = 'available' }) => ({
        project,
        pet: { name, categoryId, status },
      }))
      return (await pets.insert(database.run, rows)).map(({ id }) => id)
    },
    putProfile: (id, profile) =>
      inProject(project, async (db) => {
        const known = await profiles.find(db, project, id)
        const isWritten = await profiles.put(db, project, id, { ...(known ?? emptyProfile), ...profile })
        if (!isWritten) throw new Error('the profile was not written')
      }),
    setKind: (kind) => inProject(project, async (db) => void (await setKind(db, project, kind))),
    get: (path, headers = {}) => send({ path, headers: { Host: host, ...headers } }),
    post: (path, fields, headers = {}) =>
      send({
        method: 'POST',
        path,
        body: new URLSearchParams(fields).toString(),
        headers: { Host: host, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
  }
}

/** The page at an address, or at the one to which it leads. */
export async function follow(store: Store, path: string): Promise<Received> {
  const found = await store.get(path)
  return found.status === 301 ? store.get(found.headers.location ?? '') : found
}

/** The token in the form of an animal's page. */
export async function tokenOf(store: Store, petId: bigint): Promise<string> {
  const { text } = await follow(store, `/a/${petId}`)
  const [, token] = /name="token" value="([^"]+)"/.exec(text) ?? []
  if (token === undefined) throw new Error('the page shows no form')
  return token
}

/** Repeats the call until cached responses have expired, for at most two seconds. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + 2000
  for (;;) {
    const found = await ask()
    if (isRight(found) || performance.now() > deadline) return found
  }
}
