// Takedown: a suspended project gets no success from the API or from its sites a second later, in every process and at every
// edge, also after a redeploy; resumed, everything is back.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { contextOf } from '../../src/program/context.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { openControl, startService, type Service } from '../../src/program/serve.ts'
import { putRoute } from '../../src/fleet/directory.io.ts'
import { addEdge } from '../../src/fleet/edge-tokens.io.ts'
import { setSuspended } from '../../src/fleet/suspension.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { createKey } from '../../src/projects/api-keys.io.ts'
import { listAudit } from '../../src/projects/project-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { contentWith } from '../../../testbed/samples/sites.ts'
import { temporaryFolderOf } from '../edge/environment.ts'
import { PLATFORM_HOST, startTestEdge, type Store, type TestEdge } from '../sites/environment.ts'

const HOST = 'shop.example'
const logger = { level: 'silent' }
const takedown = { by: 'mia', reason: 'phishing' }

let local: TestEdge
let store: Store
let key = ''
let rex = 0n
const services: Service[] = []
const edges: RunningEdge[] = []
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  local = await startTestEdge()
  const { database, clone } = local
  store = await local.store('north', contentWith())
  ;[rex = 0n] = await store.addAnimals({ name: 'Rex' })
  const inProject = inProjectOf(database)
  key = (await createKey({ inProject, newId, randomBytes, kind: 'live' }, store.project, { label: 'a key' })).key
  const settings = { DATABASE_URL: clone.appUrl, PLATFORM_HOST, PORT: '0', CONTROL_PORT: '0' }
  const control = await openControl(contextOf(parseConfig(settings), database), { logger })
  ends.push(async () => control?.stop())
  await putRoute(database.run, HOST, 1n, { kind: 'site', slug: 'north', serial: 'ab' })
  for (const name of ['edge-1', 'edge-2']) {
    const { token } = await addEdge({ run: database.run, newId, randomBytes }, name)
    const { directory, remove } = await temporaryFolderOf()
    const edge = await startEdge(
      parseConfig({
        DATABASE_URL: 'postgresql://nobody.invalid/none',
        PLATFORM_HOST,
        EDGE_PORT: '0',
        EDGE_CONTROL_URL: `http://127.0.0.1:${control?.port}`,
        EDGE_TOKEN: token,
        EDGE_KEY: Buffer.alloc(32, 7).toString('base64'),
        EDGE_DIRECTORY: directory,
        EDGE_CERTIFICATE_PORT: '0',
      }),
      { logger },
    )
    edges.push(edge)
    ends.push(remove, () => edge.stop())
  }
  for (let count = 0; count < 3; count += 1) {
    // Only a note can end what is cached.
    const service = await startService(parseConfig({ ...settings, CONTROL_PORT: undefined }), {
      logger,
      keyHeldMs: 3_600_000,
    })
    services.push(service)
    ends.push(() => service.stop())
  }
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Status by process: the API, and at every edge the domain, the default address and a page of an animal. */
async function statuses(): Promise<number[]> {
  const api = services.map(({ port }) =>
    exchange(`http://127.0.0.1:${port}`, { path: '/v1/pets', headers: { Authorization: `Bearer ${key}` } }),
  )
  const visited = [
    ['/', HOST, 'https'],
    [`/animals/rex-${rex}`, HOST, 'https'],
    ['/', store.host, 'http'],
  ] as const
  const sites = [...edges, local].flatMap(({ port }) =>
    visited
      .filter(([, host]) => port !== local.port || host !== HOST)
      .map(([path, Host, scheme]) =>
        exchange(`http://127.0.0.1:${port}`, { path, headers: { Host, 'X-Forwarded-Proto': scheme } }),
      ),
  )
  return (await Promise.all([...api, ...sites])).map(({ status }) => status)
}

const open = [200, 200, 200, ...Array<number>(7).fill(200)]
const closed = [403, 403, 403, ...Array<number>(7).fill(503)]
async function settled(expected: readonly number[]): Promise<void> {
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(expected)
}

const set = (isSuspended: boolean) =>
  setSuspended(inProjectOf(local.database), store.project, { isSuspended, ...takedown })

test('is closed in every process and at every edge, also after a redeploy, and opens again', async () => {
  // Everything is cached everywhere.
  await settled(open)
  expect(await set(true)).toBe('north')
  await settled(closed)
  const { text } = await exchange(`http://127.0.0.1:${services[0]?.port}`, {
    path: '/v1/pets',
    headers: { Authorization: `Bearer ${key}` },
  })
  expect(JSON.parse(text)).toMatchObject({ code: 'project_suspended', status: 403 })

  await store.publish(contentWith({ title: 'Another' }))
  await putRoute(local.database.run, HOST, 2n, { kind: 'site', slug: 'north', serial: 'ac' })
  const until = performance.now() + 1500
  while (performance.now() < until) expect(await statuses()).toEqual(closed)
  await expect(set(true)).rejects.toThrow('is suspended already')

  await set(false)
  await settled(open)
  const events = await inProjectOf(local.database)(store.project, (db) =>
    listAudit(db, store.project, 9_000_000_000_000_000n, 2),
  )
  expect(events.map(({ action, actor, detail }) => [action, actor, JSON.parse(detail) as unknown])).toEqual([
    ['project_resumed', 'operator', takedown],
    ['project_suspended', 'operator', takedown],
  ])
})

test('stays open where caches and edges are not notified (negative control)', async () => {
  await settled(open)
  await asOwner(local.clone, (client) =>
    client.query(`update slug_directory set suspended_at = now() where slug = 'north'`),
  )
  const until = performance.now() + 1500
  // What needs neither, a site that is served from the database, is closed.
  let last: number[] = []
  while (performance.now() < until) last = (await statuses()).slice(0, 9)
  expect(last).toEqual(open.slice(0, 9))
})
