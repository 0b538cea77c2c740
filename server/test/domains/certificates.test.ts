// A verified domain becomes live, on a real PostgreSQL with an authority in memory: the
// certificate is ordered, edges are updated, and failures are reported. The edges are played
// by the test, which confirms exactly what it is scripted to confirm.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { planChanged } from '../../src/domains/advance.io.ts'
import { letsEncrypt } from '../../../testbed/evidence/evidence.ts'
import { addDomain, getDomain, getRemoval, removeDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { listEvents } from '../../src/domains/store/domain-queries.ts'
import { makePrimary, saveRedirects } from '../../src/domains/settings/advance-settings.io.ts'
import * as settings from '../../src/domains/store/settings-queries.ts'
import { problem } from '../../../testbed/harness/fake-acme.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { listAudit } from '../../src/projects/project-queries.ts'
import { findRoute } from '../../src/fleet/directory.io.ts'
import { openEnvironment, type DomainOwner, type DomainsEnvironment } from './environment.ts'
import { startGoingLive, type GoingLive } from './going-live.ts'

const countOrdersRow = statement<{ count: number }, [hostname: string]>(
  'test-count-certificate-orders',
  `select count(*)::integer as count
   from certificate_orders
   where hostname = $1`,
)

let environment: DomainsEnvironment
let going: GoingLive
let authority: GoingLive['authority']
beforeAll(async () => {
  // Timers use the database's clock, so the test's clock starts there.
  environment = await openEnvironment({ at: Date.now() })
  going = await startGoingLive(environment)
  ;({ authority } = going)
})
afterAll(() => environment.close())

const issues = (hostname: string) => going.issues(hostname)
const confirmed = () => going.confirmed()
const seen = () => going.seen()

let count = 0
/** A hostname whose CNAME leads to the project. */
async function pointed(): Promise<{ owner: DomainOwner; hostname: string }> {
  const owner = await environment.owner(`certified-${++count}`)
  const hostname = `shop.certified-${count}.org`
  point(owner, hostname)
  return { owner, hostname }
}

const point = (owner: DomainOwner, hostname: string) => going.point(owner, hostname)

async function live(): Promise<{ owner: DomainOwner; hostname: string }> {
  const named = await pointed()
  await addDomain(environment.deps, named.owner, named.hostname)
  await issues(named.hostname)
  await seen()
  await environment.looks(named.owner)
  await confirmed()
  await environment.looks(named.owner)
  return named
}

/** One of several domains of an owner, who chooses Verify. */
async function goLive(owner: DomainOwner, hostname: string): Promise<void> {
  await issues(hostname)
  await seen()
  await verifyDomain(environment.deps, owner, hostname)
  await confirmed()
  await verifyDomain(environment.deps, owner, hostname)
}

/** The history entries about certificates, oldest first. */
const certificateEntries = async (owner: DomainOwner, hostname: string) => {
  const { id } = (await getDomain(environment.deps, owner, hostname)).row
  const all = await environment.deps.inProject(owner.project, (db) =>
    listEvents(db, owner.project, id, 1_000_000, 1000),
  )
  return all
    .toReversed()
    .filter(({ kind }) => kind.startsWith('certificate.'))
    .map(({ kind, code, detail }) => [kind, code, JSON.parse(detail) as object] as const)
}
const detailOf = (notAfter: number | undefined) => ({
  authority: letsEncrypt.domain,
  validUntil: new Date(notAfter ?? 0).toISOString(),
})

const statusOf = async (owner: DomainOwner, hostname: string) =>
  (await getDomain(environment.deps, owner, hostname)).status
const routeOf = (hostname: string) => findRoute(environment.database.run, hostname)
const ordersOf = async (hostname: string) => (await environment.database.run(countOrdersRow, hostname))[0]?.count

test('a verified domain becomes live when its certificate is on the edges, and not before', async () => {
  const { owner, hostname } = await pointed()
  const added = await addDomain(environment.deps, owner, hostname)
  expect(added.row).toMatchObject({ ownership: 'proven', routing: 'pointing', certificate: 'queued' })
  expect(added.status).toMatchObject({ name: 'issuing', code: 'step.certificate_queued' })
  expect(await routeOf(hostname)).toBeUndefined()

  await issues(hostname)
  await seen()
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toMatchObject({ name: 'issuing', code: 'step.certificate_deploying' })
  const certificate = (await getDomain(environment.deps, owner, hostname)).certificate
  expect(await routeOf(hostname)).toMatchObject({ kind: 'site', slug: owner.slug, serial: certificate?.serial })

  await confirmed()
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toEqual({ name: 'live' })
  expect(await environment.history(owner, added.row.id)).toEqual([
    'domain.added',
    'domain.dns_detected',
    'domain.verified',
    'certificate.issued',
    'domain.live',
    'domain.primary_changed',
  ])
})

test('a refusal by the authority is the root cause, and Re-verify retries', async () => {
  const { owner, hostname } = await pointed()
  await addDomain(environment.deps, owner, hostname)
  authority.says('placeOrder', problem('rejectedIdentifier', { status: 400, detail: 'This name is on our list.' }))
  await issues(hostname)
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toMatchObject({ name: 'action_required', code: 'ca.policy' })
  const refused = ['certificate.refused', 'ca.policy', { authority: letsEncrypt.domain }] as const
  expect(await certificateEntries(owner, hostname)).toEqual([refused])

  await verifyDomain(environment.deps, owner, hostname)
  await issues(hostname)
  await seen()
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toMatchObject({ name: 'issuing', code: 'step.certificate_deploying' })
  const { certificate } = await getDomain(environment.deps, owner, hostname)
  expect(await certificateEntries(owner, hostname)).toEqual([
    refused,
    ['certificate.issued', null, detailOf(certificate?.notAfter)],
  ])
})

test('respects Retry-After of the authority and shows the owner the time', async () => {
  const { owner, hostname } = await pointed()
  await addDomain(environment.deps, owner, hostname)
  const detail = 'too many certificates (50) already issued for "certified.org" in the last 168h0m0s'
  authority.says('placeOrder', problem('rateLimited', { status: 429, detail, retryAfterMs: 7_200_000 }))
  await issues(hostname)
  await environment.looks(owner)
  const status = await statusOf(owner, hostname)
  expect(status).toMatchObject({ name: 'waiting', code: 'ca.rate_limited_domain' })
  const until = 'until' in status ? (status.until ?? 0) : 0
  expect(until - environment.clock.now).toBeGreaterThan(0.9 * 7_200_000)
  expect(until - environment.clock.now).toBeLessThan(1.2 * 7_200_000)
})

test('a removal ends the route in the same transaction, and lists the edges that have not confirmed it', async () => {
  const { owner, hostname } = await live()
  await seen()
  const removing = removeDomain(environment.deps, owner, hostname)
  const { edges } = await removing
  expect(edges).toEqual([{ edge: 'edge-1', isConnected: true, confirmedAt: null }])
  expect(await routeOf(hostname)).toMatchObject({ kind: 'gone' })
  await confirmed()
  expect((await getRemoval(environment.deps, owner, hostname)).edges).toEqual([
    { edge: 'edge-1', isConnected: true, confirmedAt: expect.any(Date) as Date },
  ])
})

test('a hostname that is added back is served again without a new order', async () => {
  const { owner, hostname } = await live()
  await removeDomain(environment.deps, owner, hostname)
  await seen()
  const back = await addDomain(environment.deps, owner, hostname)
  expect(back.row.certificate).toBe('issued')
  await confirmed()
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toEqual({ name: 'live' })
  expect(await ordersOf(hostname)).toBe(1)
})

test('another project that proves the hostname gets a certificate of its own, and the route moves with it', async () => {
  const { owner, hostname } = await live()
  const other = await environment.owner(`certified-other-${count}`)
  const { row } = await addDomain(environment.deps, other, hostname).catch((error: unknown) => {
    throw error
  })
  environment.says(hostname, [
    `${hostname} CNAME ${other.target}`,
    `${other.target} A 192.0.2.10`,
    `_petstore.${hostname} TXT ${row.token}`,
  ])
  await verifyDomain(environment.deps, other, hostname)
  expect(await routeOf(hostname)).toMatchObject({ kind: 'gone' })
  await expect(getDomain(environment.deps, owner, hostname)).rejects.toThrow('no domain with this name')
  await issues(hostname)
  await seen()
  await environment.looks(other)
  expect(await routeOf(hostname)).toMatchObject({ kind: 'site', slug: other.slug })
  expect(await ordersOf(hostname)).toBe(2)
})

test('a redirect leads to its target only while the target is served', async () => {
  const { owner, hostname: target } = await live()
  const from = `www.${target}`
  environment.says(from, [`${from} CNAME ${owner.target}`, `${owner.target} A 192.0.2.10`])
  authority.expects(from)
  await addDomain(environment.deps, owner, from)
  await issues(from)
  await seen()
  await verifyDomain(environment.deps, owner, from)
  await environment.deps.inProject(owner.project, async (db) => {
    const rows = await settings.lockPlaces(db, owner.project)
    const change = { rows, before: [], after: [{ from, to: target, status: 301 }], actor: 'test', version: 1 } as const
    await saveRedirects(db, owner.project, change, { ...environment.deps, now: environment.clock.now })
  })
  expect(await routeOf(from)).toMatchObject({ kind: 'redirect', target, status: 301 })

  await removeDomain(environment.deps, owner, target)
  expect(await routeOf(target)).toMatchObject({ kind: 'gone' })
  expect(await routeOf(from)).toMatchObject({ kind: 'site', slug: owner.slug })
})

const settingsOf = (owner: DomainOwner) =>
  environment.deps.inProject(owner.project, async (db) => ({
    ...(await settings.findSettings(db, owner.project)),
    origin: await settings.siteOrigin(db, owner.project, 'https://default.example'),
  }))
const newestAudit = (owner: DomainOwner) =>
  environment.deps.inProject(owner.project, async (db) => (await listAudit(db, owner.project, 2n ** 62n, 1))[0])

test('"A custom domain replaces it": the first domain of a project that goes live becomes its primary', async () => {
  const { owner, hostname } = await pointed()
  const { row } = await addDomain(environment.deps, owner, hostname)
  expect(await settingsOf(owner)).toMatchObject({ primary: null, origin: 'https://default.example' })
  await goLive(owner, hostname)
  expect(await settingsOf(owner)).toMatchObject({ primary: hostname, version: 1, origin: `https://${hostname}` })
  expect(await newestAudit(owner)).toMatchObject({ actor: 'petstore', action: 'primary_domain_chosen' })
  const [newest] = await environment.deps.inProject(owner.project, (db) =>
    listEvents(db, owner.project, row.id, 1000, 1),
  )
  expect(newest?.kind).toBe('domain.primary_changed')

  const second = `pets.${hostname}`
  point(owner, second)
  await addDomain(environment.deps, owner, second)
  await goLive(owner, second)
  expect(await statusOf(owner, second)).toEqual({ name: 'live' })
  expect(await settingsOf(owner)).toMatchObject({ primary: hostname, version: 1 })

  await removeDomain(environment.deps, owner, hostname)
  expect(await settingsOf(owner)).toMatchObject({ primary: null, origin: 'https://default.example' })
})

test('the primary domain that an owner has chosen stays, although another one goes live first', async () => {
  const { owner, hostname } = await pointed()
  const chosen = `later.${hostname}`
  environment.says(chosen, [])
  const { row } = await addDomain(environment.deps, owner, chosen)
  await environment.deps.inProject(owner.project, async (db) => {
    const held = await settings.lockSettings(db, owner.project)
    await makePrimary(db, owner.project, held, row, 'acc_of_the_owner', {
      ...environment.deps,
      now: environment.clock.now,
    })
  })
  await addDomain(environment.deps, owner, hostname)
  await goLive(owner, hostname)
  expect(await statusOf(owner, hostname)).toEqual({ name: 'live' })
  // Not live yet, so the site stays at its default address.
  expect(await settingsOf(owner)).toMatchObject({ primary: chosen, version: 1, origin: 'https://default.example' })
})

test('a sibling that was added with a redirect never becomes the primary, and redirects once both are live', async () => {
  const { owner, hostname } = await pointed()
  const sibling = `www.${hostname}`
  environment.says(hostname, [])
  await addDomain(environment.deps, owner, hostname)
  point(owner, sibling)
  await addDomain(environment.deps, owner, sibling, { redirectTo: hostname })
  await goLive(owner, sibling)
  expect(await settingsOf(owner)).toMatchObject({ primary: null, version: 1 })
  expect(await routeOf(sibling)).toMatchObject({ kind: 'site' })

  point(owner, hostname)
  await verifyDomain(environment.deps, owner, hostname)
  await goLive(owner, hostname)
  expect(await settingsOf(owner)).toMatchObject({ primary: hostname, version: 2 })
  expect(await routeOf(sibling)).toMatchObject({ kind: 'redirect', target: hostname, status: 301 })
})

test('of many domains that go live at the same moment exactly one becomes the primary', async () => {
  const { owner, hostname } = await pointed()
  const names = Array.from({ length: 4 }, (_, index) => `shop-${index}.${hostname}`)
  for (const name of names) {
    point(owner, name)
    await addDomain(environment.deps, owner, name)
    await issues(name)
  }
  await confirmed()
  await Promise.all(names.map((name) => verifyDomain(environment.deps, owner, name)))
  await confirmed()
  await Promise.all(names.map((name) => verifyDomain(environment.deps, owner, name)))
  for (const name of names) expect(await statusOf(owner, name)).toEqual({ name: 'live' })
  const { primary, version } = await settingsOf(owner)
  expect(names).toContain(primary)
  expect(version).toBe(1)
})

test('a lapsed plan ends the route, and the same certificate is served when the plan is restored', async () => {
  const { owner, hostname } = await live()
  const before = await routeOf(hostname)
  await planChanged(environment.deps, owner.project, false)
  expect(await routeOf(hostname)).toMatchObject({ kind: 'gone' })
  await planChanged(environment.deps, owner.project, true)
  expect(await routeOf(hostname)).toMatchObject({ kind: 'site', serial: before?.kind === 'site' ? before.serial : '' })
})

test('a renewal changes only the certificate on the edges', async () => {
  const { owner, hostname } = await live()
  const { certificate } = await getDomain(environment.deps, owner, hostname)
  if (!certificate) throw new Error('there is a certificate')
  environment.clock.now = certificate.renewAt + 1000
  await issues(hostname)
  await environment.looks(owner)
  const renewed = await getDomain(environment.deps, owner, hostname)
  expect(renewed.status).toEqual({ name: 'live' })
  expect(renewed.certificate?.serial).not.toBe(certificate.serial)
  expect(await routeOf(hostname)).toMatchObject({ kind: 'site', serial: renewed.certificate?.serial })

  // Reported once, however often it is checked.
  await environment.looks(owner)
  await verifyDomain(environment.deps, owner, hostname)
  expect(await certificateEntries(owner, hostname)).toEqual([
    ['certificate.issued', null, detailOf(certificate.notAfter)],
    ['certificate.renewed', null, detailOf(renewed.certificate?.notAfter)],
  ])
})

test('a failed renewal is reported, and the hostname stays served', async () => {
  const { owner, hostname } = await live()
  const { certificate } = await getDomain(environment.deps, owner, hostname)
  if (!certificate) throw new Error('there is a certificate')
  environment.clock.now = certificate.renewAt + 1000
  authority.says('placeOrder', problem('rejectedIdentifier', { status: 400 }))
  await issues(hostname)
  await environment.looks(owner)
  expect(await statusOf(owner, hostname)).toMatchObject({ name: 'degraded', code: 'renew.failing' })
  expect(await routeOf(hostname)).toMatchObject({ kind: 'site', serial: certificate.serial })
  expect((await certificateEntries(owner, hostname)).at(-1)).toEqual([
    'certificate.refused',
    'ca.policy',
    detailOf(certificate.notAfter),
  ])

  // No renewal succeeded before it expired, which is reported once.
  environment.clock.now = certificate.notAfter + 1000
  await environment.looks(owner)
  await environment.looks(owner)
  expect((await certificateEntries(owner, hostname)).map(([kind]) => kind)).toEqual([
    'certificate.issued',
    'certificate.refused',
    'certificate.expired',
  ])
})
