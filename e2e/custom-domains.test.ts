// The lifecycle of a custom domain, end to end: a domain is added, its record is created, the
// certificate is issued, visitors are served; a second domain redirects to the first; DNS
// breaks and is fixed; the certificate is renewed; the domain is removed and added back.
// Everything is real: nameservers, resolvers, the certificate authority with its injected
// errors, PostgreSQL, the service, edges without a database, Caddy. Only the clock of the
// service is advanced, where the test would otherwise have to wait.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveWindow } from '../server/src/certificates/stored-queries.ts'
import { setTimer } from '../server/src/foundation/postgres/timer-leases.io.ts'
import { openVisit, visit, visitPlainly, type VisitorTarget } from '../testbed/harness/visitor.ts'
import { startEnvironment, type Environment } from '../testbed/harness/full-environment.ts'
import { until } from '../testbed/internet/processes.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { requestDomains } from './request-domains.ts'

const ZONE = 'willow-street.test'
const SHOP = `shop.${ZONE}`
const PETS = `pets.${ZONE}`
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const clock = { ahead: 0 }
let environment: Environment
let ca: string
/** Serial number of the certificate at the time when the domain was removed. */
let kept: string | undefined
/** Responses of the default address right after the removal, one per edge. */
let afterRemoval: { status: number }[] = []

beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  environment = await startEnvironment(appUrl, {
    edges: 2,
    now: () => Date.now() + clock.ahead,
    pebble: { nuisances: true, nonceRejectPercent: 15, validitySeconds: 3600 },
    world: {
      zones: [
        {
          zone: ZONE,
          servers: [
            { name: `ns1.${ZONE}`, role: 'first' },
            { name: `ns2.${ZONE}`, role: 'second' },
          ],
          records: [],
        },
      ],
    },
  })
  ca = await environment.pebble.rootPem()
})
afterAll(() => environment.close())

type Shown = {
  status: string
  records: { type: string; name: string; value: string; ttl: number }[]
  rootCause: { code: string; advice: string } | null
  certificate: { serial: string } | null
}

const request = <T>(method: string, path: string, body?: object) =>
  requestDomains<T>(environment.service, method, path, body)
const show = (hostname: string) => request<Shown>('GET', `/${hostname}`)
const verify = (hostname: string) => request<Shown>('POST', `/${hostname}/verify`)
const becomes = async (hostname: string, status: string) => {
  const isSo = async () => (await show(hostname)).status === status
  await until(`${hostname} ${status}`, isSo, 30_000).catch(async (error: unknown) => {
    throw new Error(JSON.stringify(await show(hostname)), { cause: error })
  })
}

const secure = (index = 0): VisitorTarget => ({ address: `127.0.80.${index + 1}`, port: environment.httpsPort, ca })
const plain = (index = 0): VisitorTarget => ({ address: `127.0.80.${index + 1}`, port: environment.httpPort })
const cname = (name: string) => `${name}. 60 CNAME happy-paws.petstore.test.`
const serials = async (hostname: string) =>
  Promise.all([0, 1].map(async (index) => (await visit(secure(index), hostname)).serial?.toLowerCase()))

test('Add domain shows the one required record', async () => {
  const { status, records } = await request<Shown>('POST', '', { hostname: `https://${SHOP}/` })
  expect(status).toBe('pending_dns')
  expect(records).toMatchObject([{ type: 'CNAME', name: 'shop', value: 'happy-paws.petstore.test', ttl: 3600 }])
  expect((await visit(secure(), SHOP)).status).toBe(0)
  expect((await visitPlainly(plain(), SHOP)).status).toBe(421)
})

test('once the record exists, Verify leads to a certificate, and every edge serves the site over HTTPS', async () => {
  await environment.world.edit(ZONE, { add: [cname(SHOP)] })
  expect((await verify(SHOP)).status).toBe('issuing')
  await becomes(SHOP, 'live')
  for (const index of [0, 1]) {
    const met = await visit(secure(index), SHOP)
    expect(met).toMatchObject({ status: 200, issuer: expect.stringContaining('Pebble') as string })
    expect(met.body).toContain('<title>Happy Paws</title>')
    expect(met.headers['strict-transport-security']).toBe('max-age=31536000')
  }
  const redirected = await visitPlainly(plain(), SHOP, { path: '/a//b%2F?c=%20&d' })
  expect([redirected.status, redirected.headers.location]).toEqual([301, `https://${SHOP}/a//b%2F?c=%20&d`])
})

const DEFAULT = 'happy-paws.petstore.test'
const atDefault = (index = 0, path = '/') => visitPlainly(plain(index), DEFAULT, { path })
const siteUrl = async () => {
  const { origin, headers } = environment.service
  const response = await fetch(`${origin}/platform/v1/projects/happy-paws`, { headers })
  return ((await response.json()) as { siteUrl: string }).siteUrl
}

test('"By default a project is published at a subdomain of the hosting platform. A custom domain replaces it."', async () => {
  const settings = await request<{ primary: string | null }>('GET', '/settings')
  expect(settings.primary).toBe(SHOP)
  expect(await siteUrl()).toBe(`https://${SHOP}`)
  for (const index of [0, 1]) {
    const isRedirected = async () => (await atDefault(index)).status === 307
    await until('The redirect', isRedirected, 3000)
    const { headers } = await atDefault(index, '/c/2?a=%2F')
    expect([headers.location, headers['cache-control']]).toEqual([`https://${SHOP}/c/2?a=%2F`, 'no-store'])
    const page = async (path: string) => (await visit(secure(index), SHOP, { path })).body
    const isNamed = async () => (await page('/robots.txt')).includes(`Sitemap: https://${SHOP}/sitemap.xml`)
    await until('The new address', isNamed, 3000)
    expect(await page('/sitemap.xml')).toContain(`<loc>https://${SHOP}/</loc>`)
    expect(await page('/sitemap.xml')).not.toContain(DEFAULT)
    expect(await page('/')).toContain(`<link rel="canonical" href="https://${SHOP}/" />`)
  }
})

test('a second domain redirects to the first with one 301, byte for byte', async () => {
  await request('POST', '', { hostname: PETS })
  await environment.world.edit(ZONE, { add: [cname(PETS)] })
  await verify(PETS)
  await becomes(PETS, 'live')
  expect((await visit(secure(), PETS)).status).toBe(200)
  const { version } = await request<{ version: number }>('GET', '/settings')
  await request('PUT', '/redirects', { version, redirects: [{ from: PETS, to: SHOP }] })
  const isRedirected = async () => (await visit(secure(), PETS)).status === 301
  await until('The redirect', isRedirected, 2000)
  for (const met of [
    await visit(secure(), PETS, { path: '//x/%7E?q=a+b&&' }),
    await visitPlainly(plain(), PETS, { path: '//x/%7E?q=a+b&&' }),
  ]) {
    expect([met.status, met.headers.location]).toEqual([301, `https://${SHOP}//x/%7E?q=a+b&&`])
  }
})

test('a domain whose DNS points elsewhere becomes degraded after ten minutes, and is still served', async () => {
  await environment.world.edit(ZONE, { remove: [`${SHOP}. CNAME`], add: [`${SHOP}. 60 A 127.0.80.20`] })
  expect((await verify(SHOP)).status).toBe('live')
  clock.ahead += 11 * MINUTE
  const { status, rootCause } = await verify(SHOP)
  expect([status, rootCause?.code]).toEqual(['degraded', 'drift.pointed_away'])
  expect((await visit(secure(), SHOP)).status).toBe(200)
})

test('a domain whose DNS is restored is live again', async () => {
  await environment.world.edit(ZONE, { remove: [`${SHOP}. A`], add: [cname(SHOP)] })
  expect((await verify(SHOP)).status).toBe('live')
  const history = await request<{ kind: string }[]>('GET', `/${SHOP}/history`)
  expect(history.map(({ kind }) => kind).toReversed()).toEqual([
    'domain.added',
    'domain.dns_detected',
    'domain.verified',
    'certificate.issued',
    'domain.live',
    'domain.primary_changed',
    'domain.drift',
    'domain.restored',
  ])
})

test('the certificate is renewed long before it expires, without interruption for visitors', async () => {
  const [before] = await serials(SHOP)
  const { run } = environment.service.database
  // Not by the clock: where it is half an hour ahead, every new certificate would be due as well, without end.
  const serial = (await show(SHOP)).certificate?.serial ?? ''
  const due = Date.now() + clock.ahead
  await saveWindow(run, { hostname: SHOP, serial }, null, { askAt: due + HOUR, renewAt: due })
  await setTimer(run, { kind: 'certificate', project: 0n, id: SHOP })
  await until('The renewal', async () => (await serials(SHOP)).every((serial) => serial !== before), 30_000)
  expect((await show(SHOP)).status).toBe('live')
})

test('Remove stops the traffic at once, even on an open connection', async () => {
  kept = (await serials(SHOP))[0]
  const open = await openVisit(secure(1), SHOP)
  expect(await open.ask()).toBe(200)
  // At this moment the edges have the redirect of the default address cached.
  expect((await Promise.all([0, 1].map((index) => atDefault(index)))).map(({ status }) => status)).toEqual([307, 307])
  const removed = await request<{ edges: { edge: string; confirmedAt: string | null }[] }>('DELETE', `/${SHOP}`)
  afterRemoval = await Promise.all([0, 1].map((index) => atDefault(index)))
  expect(await open.ask()).toBe(421)
  open.close()
  expect(removed.edges.map(({ edge, confirmedAt }) => [edge, confirmedAt !== null])).toEqual([
    ['edge-1', true],
    ['edge-2', true],
  ])
  for (const index of [0, 1]) {
    expect((await visit(secure(index), SHOP)).status).toBe(0)
    expect((await visitPlainly(plain(index), SHOP)).status).toBe(421)
    expect((await visit(secure(index), PETS)).status).toBe(200)
  }
})

test('after Remove, the default address serves the site again at once, on every edge', async () => {
  // Each of these is the first request to its edge after the removal was confirmed.
  expect(afterRemoval.map(({ status }) => status)).toEqual([200, 200])
  expect(await siteUrl()).toMatch(/^https?:\/\/happy-paws\.petstore\.test/)
  expect((await request<{ primary: string | null }>('GET', '/settings')).primary).toBeNull()
})

test('adding a removed domain again needs no new certificate order', async () => {
  await request('POST', '', { hostname: SHOP })
  await becomes(SHOP, 'live')
  // An edge that was silent for two seconds, on a busy machine, is not waited for.
  await expect.poll(() => serials(SHOP)).toEqual([kept, kept])
})

test('the background work reports no errors', () => {
  expect(environment.service.errors).toEqual([])
})
