// `petstore start` on one machine, behind Debian's Caddy and behind a current one: dashboard, API and
// the published store over HTTPS, and one id for each request in all logs.

import { Agent } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listEdges } from '../server/src/fleet/directory.io.ts'
import { exchange } from '../testbed/harness/http.ts'
import { newerCaddy } from '../testbed/harness/newer-caddy.ts'
import {
  APP,
  PLATFORM,
  STORE,
  openStartEnvironment,
  visit,
  visitPlainly,
  type StartEnvironment,
} from './start-environment.ts'

/** `REQUESTS=1000` for the drill before a release. */
const REQUESTS = Number(process.env['REQUESTS'] ?? 100)
const FORGED = 'f0000000-0000-4000-8000-00000000000f'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Front = Awaited<ReturnType<StartEnvironment['front']>>

let environment: StartEnvironment
const fronts = new Map<string, Front>()
const frontOf = (caddy: string): Front => {
  const front = fronts.get(caddy)
  if (!front) throw new Error(`there is no Caddy "${caddy}"`)
  return front
}

beforeAll(async () => {
  environment = await openStartEnvironment()
  await environment.certify(APP, 'service')
  await environment.certify(`*.${PLATFORM}`, 'wildcard')
  await environment.start()
  fronts.set("Debian's", await environment.front('127.0.81.1', 'caddy'))
  fronts.set('a current', await environment.front('127.0.81.2', newerCaddy()))
})
afterAll(async () => {
  for (const front of fronts.values()) await front.close()
  await environment.close()
})

const visitAt = (front: Front, name: string, path = '/', headers: Record<string, string> = {}, agent?: Agent) =>
  visit(front, name, { path, headers, ca: environment.roots() }, agent)

describe.for(["Debian's", 'a current'])('behind %s Caddy', (caddy) => {
  test('dashboard and API answer over HTTPS, and plain HTTP is redirected', async () => {
    const headers = { Authorization: `Bearer ${environment.key}` }
    const pets = await visitAt(frontOf(caddy), APP, '/v1/pets', headers)
    expect({ status: pets.status, body: JSON.parse(pets.body) as unknown }).toEqual({ status: 200, body: [] })
    const direct = await exchange(`http://127.0.0.1:${environment.port}`, { path: '/' })
    const page = await visitAt(frontOf(caddy), APP)
    expect([page.status, page.body]).toEqual([direct.status, direct.text])
    const plain = await visitPlainly(frontOf(caddy), APP, '/v1/pets?limit=1')
    expect([plain.status, plain.headers.location]).toEqual([301, `https://${APP}/v1/pets?limit=1`])
  })

  test('the published store answers over HTTPS with the wildcard, and plain HTTP is redirected', async () => {
    const page = await visitAt(frontOf(caddy), STORE)
    expect(page.status).toBe(200)
    expect(page.body).toContain('Willow')
    expect((await visitPlainly(frontOf(caddy), STORE, '/a?b')).headers.location).toBe(`https://${STORE}/a?b`)
  })

  test(`${REQUESTS} requests have one id each, in the logs of Caddy, the edge, the control plane and serve`, async () => {
    const ids = await visitMany(frontOf(caddy), caddy)
    for (const id of [...ids.api, ...ids.site]) expect(id).toMatch(uuid)
    expect(new Set([...ids.api, ...ids.site]).size).toBe(REQUESTS)
    await expect.poll(() => missing(frontOf(caddy), ids)).toEqual({ caddy: 0, serve: 0, edge: 0, control: 0 })
    expect(forgedIn(frontOf(caddy))).toEqual([])
    const log = frontOf(caddy).accessLog()
    expect(log).not.toMatch(/127\.0\.0\.1|nothing-|Bearer|remote_ip/)
  })
})

test('a Caddy that does not delete the header lets visitors choose the id, which is found (negative control)', async () => {
  const careless = await environment.front('127.0.81.3', 'caddy', (json) => {
    const text = JSON.stringify(json)
    return JSON.parse(
      text
        .replaceAll('"delete":["petstore-*"]', '"delete":[]')
        .replaceAll('"petstore-request-id":["{http.request.uuid}"]', '"petstore-other":["x"]'),
    ) as object
  })
  try {
    const answer = await visitAt(careless, APP, '/livez', { 'Petstore-Request-Id': FORGED })
    expect(answer.headers['request-id']).toBe(FORGED)
    await expect.poll(() => forgedIn(careless)).toEqual(['caddy', 'serve'])
  } finally {
    await careless.close()
  }
})

test('without its row in the host table, the name of dashboard and API fails the handshake (negative control)', async () => {
  await environment.end(APP)
  const failure = () =>
    visitAt(frontOf("Debian's"), APP, '/livez').then(
      () => 'none',
      ({ message }: Error) => message,
    )
  await expect.poll(failure).toMatch(/alert internal error/)
  expect((await visitAt(frontOf("Debian's"), STORE)).status).toBe(200)
})

test('a restart takes over the edge of this machine, and nothing else is registered', async () => {
  await environment.stop()
  await environment.start()
  await expect.poll(async () => (await visitAt(frontOf("Debian's"), STORE)).status).toBe(200)
  await expect
    .poll(async () =>
      (await listEdges(environment.database.run, 2)).map(({ name, isConnected, servesApi }) => ({
        isLocal: name.startsWith('local-'),
        isConnected,
        servesApi,
      })),
    )
    .toEqual([{ isLocal: true, isConnected: true, servesApi: true }])
})

type Ids = { api: string[]; site: string[] }

/** Half of them for the API, half for pages of the store that no visitor has requested yet. */
async function visitMany(front: Front, label: string): Promise<Ids> {
  const agents = [APP, STORE].map(() => new Agent({ keepAlive: true, maxSockets: 4, maxCachedSessions: 0 }))
  const forged = { 'Petstore-Request-Id': FORGED, 'petstore-request-id': FORGED }
  const idAt = async (name: string, path: string, agent: Agent | undefined) => {
    const { headers } = await visitAt(front, name, path, forged, agent)
    return String(headers['request-id'])
  }
  const numbers = Array.from({ length: REQUESTS / 2 }, (_, index) => index)
  const tag = label.replaceAll(/\W/g, '')
  const api = await Promise.all(numbers.map(() => idAt(APP, '/livez', agents[0])))
  const site = await Promise.all(numbers.map((number) => idAt(STORE, `/nothing-${tag}-${number}`, agents[1])))
  for (const agent of agents) agent.destroy()
  return { api, site }
}

/** How many of the ids each log lacks. */
function missing(front: Front, { api, site }: Ids) {
  const caddy = front.accessLog()
  const lack = (ids: readonly string[], has: (id: string) => boolean) => ids.filter((id) => !has(id)).length
  const logged = (role: string) => new Set(linesOf().flatMap((line) => (line.role === role ? line.requestId : [])))
  const [serve, edge, control] = [logged('serve'), logged('edge'), logged('control')]
  return {
    caddy: lack([...api, ...site], (id) => caddy.includes(id)),
    serve: lack(api, (id) => serve.has(id)),
    edge: lack(site, (id) => edge.has(id)),
    control: lack(site, (id) => control.has(id)),
  }
}

/** The logs that contain the forged id. */
function forgedIn(front: Front): string[] {
  const roles = linesOf().flatMap(({ role, requestId }) => (requestId === FORGED ? role : []))
  return [...(front.accessLog().includes(FORGED) ? ['caddy'] : []), ...new Set(roles)]
}

const linesOf = () => environment.lines().map((line) => JSON.parse(line) as { role: string; requestId?: string })
