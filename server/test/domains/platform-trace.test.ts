// Redirect traces on `/platform/v1`: a real server on loopback, and hostnames that are
// resolved on the test internet. A remote server cannot choose which addresses we contact.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DomainTrace } from '@petstore-platform/contract/platform/domain-tracing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../../testbed/internet/world.ts'
import { expectRefusal } from '../v1/responses.ts'
import { domainsPath, startDomainOwners, type DomainOwners } from './owners.ts'
import { DASHBOARD, type PlatformOwner, type Visitor } from '../../../testbed/harness/platform.ts'

const HERE = '127.0.0.1'

let world: World
let owners: DomainOwners
let mia: PlatformOwner
let server: Server
/** The hosts that were requested, and the response of each. */
const requested: string[] = []
const answers = new Map<string, [status: number, headers: Record<string, string>]>()
const ANSWERS_AFTER_MS = 900

beforeAll(async () => {
  const names = ['shop', 'away', 'slow', 'mine', 'often', 'port']
  const records = [...names.map((name) => `${name} A ${HERE}`), 'private A 10.0.0.1']
  world = await startWorld({ zones: [{ zone: 'traced.test', records }] })
  server = createServer(({ headers: { host = '' }, url }, response) => {
    requested.push(host)
    const [status, headers] = answers.get(host) ?? [200, {}]
    const answer = () => void response.writeHead(status, headers).end('a page')
    if (host !== 'slow.traced.test') return answer()
    headers['location'] = `${url}a`
    return void setTimeout(answer, ANSWERS_AFTER_MS)
  })
  server.listen(0, HERE)
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  const { resolvers, authoritativePort, allowedNetworks } = world.dns
  owners = await startDomainOwners({
    env: {
      ENVIRONMENT: 'staging',
      DASHBOARD_ORIGIN: DASHBOARD,
      DNS_RESOLVERS: resolvers.map(({ name, address, port: at }) => `${name}=${address}:${at}`).join(','),
      DNS_AUTHORITATIVE_PORT: String(authoritativePort),
      DNS_TEST_NETWORKS: [...allowedNetworks, `${HERE}/32`].join(','),
      TEST_SUFFIXES: 'test',
      PROBE_PORT: port,
      PROBE_TLS_PORT: '1',
      EDGE_ADDRESSES: HERE,
    },
  })
  mia = await owners.ready()
  await owners.plan(mia, 'enterprise')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world.close()
})

async function added(label: string, owner: PlatformOwner = mia): Promise<string> {
  const hostname = `${label}.traced.test`
  owners.dns.tell(hostname, [])
  expect((await owner.send('POST', domainsPath(owner), { hostname })).status).toBe(201)
  return hostname
}
const trace = (hostname: string, by: Visitor = mia, owner: PlatformOwner = mia) =>
  by.send('GET', domainsPath(owner, `/${hostname}/trace`))

test('Each response of the chain is shown as served, with its meaning, and is not cacheable', async () => {
  const shop = await added('shop')
  answers.set(shop, [
    301,
    { location: 'http://away.traced.test/cats', 'cache-control': 'max-age=300', server: 'Front' },
  ])
  answers.set('away.traced.test', [200, { 'strict-transport-security': 'max-age=86400' }])
  const answer = await trace(shop)
  expect([answer.status, answer.headers['cache-control'], answer.headers.etag]).toEqual([200, 'no-store', undefined])
  const { hops, outcome, note, also } = answer.json as DomainTrace
  const nothing = { location: null, cacheControl: null, hsts: null, server: null, certificateUntil: null }
  expect(hops.map(({ ms: _, ...hop }) => hop)).toEqual([
    {
      ...nothing,
      url: `http://${shop}/`,
      address: HERE,
      status: 301,
      location: 'http://away.traced.test/cats',
      cacheControl: 'max-age=300',
      server: 'Front',
    },
    { ...nothing, url: 'http://away.traced.test/cats', address: HERE, status: 200, hsts: 'max-age=86400' },
  ])
  expect(outcome).toBe('stopped')
  expect(note).toContain('without encryption')
  expect(also.join(' ')).toContain('private window')
})

test('A redirect cannot lead us to a private address, or to a port other than those of the web', async () => {
  const mine = await added('mine')
  const port = (server.address() as AddressInfo).port
  for (const [location, words] of [
    ['http://10.0.0.1/', 'cannot be reached from the internet'],
    ['http://private.traced.test/', 'cannot be reached from the internet'],
    [`http://port.traced.test:${port}/`, 'only ports 80 and 443'],
    ['http://port.traced.test:22/', 'only ports 80 and 443'],
  ] as const) {
    answers.set(mine, [302, { location }])
    const { hops, note } = (await trace(mine)).json as DomainTrace
    expect(hops.map(({ status }) => status)).toEqual([302, null])
    expect(note).toContain(words)
  }
  expect(requested).not.toContain(`port.traced.test:${port}`)
})

test('A chain of slow redirects is given up within five seconds', async () => {
  const slow = await added('slow')
  answers.set(slow, [302, {}])
  const started = performance.now()
  const { hops, outcome } = (await trace(slow)).json as DomainTrace
  expect(performance.now() - started).toBeLessThan(6000)
  const statuses = hops.map(({ status }) => status)
  expect(statuses.slice(0, 3)).toEqual([302, 302, 302])
  expect([statuses.length < 7, statuses.at(-1), outcome]).toEqual([true, null, 'stopped'])
})

test('All members, including viewers, can trace hostnames of their own project only', async () => {
  const often = await added('often')
  const { owner, admin, viewer, stranger, nobody } = await owners.people.everybody(mia)
  const statuses = []
  for (const by of [owner, admin, viewer, stranger, nobody]) statuses.push((await trace(often, by)).status)
  expect(statuses).toEqual([200, 200, 200, 404, 401])
  const other = await owners.ready()
  const before = requested.length
  expectRefusal(await trace(often, other, other), 404, 'not_found', 'This project has no domain with this name.')
  expectRefusal(await trace('nobody.traced.test'), 404, 'not_found')
  expect(requested.length).toBe(before)
})

test('Repeated traces are rate limited', async () => {
  const often = 'often.traced.test'
  const answered = await Promise.all(Array.from({ length: 40 }, () => trace(often)))
  const refused = answered.find(({ status }) => status === 429)
  if (!refused) throw new Error('nobody was refused')
  expectRefusal(refused, 429, 'rate_limited')
})
