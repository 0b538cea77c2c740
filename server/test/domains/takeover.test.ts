// Attempts to serve a hostname that belongs to another owner. Each is carried out against
// the real judging and the real SQL; none may succeed. The other half of each guarantee,
// that the rightful owner does succeed, is shown next to it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  EDGE_ADDRESS,
  closeShop,
  domainDepsOf,
  hostOf,
  openShop,
} from '../../../testbed/experiments/ownership-walk/world.ts'
import { addDomain, getDomain, removeDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { checkDomain, type DomainDeps } from '../../src/domains/check.io.ts'
import { findHolding } from '../../src/domains/store/directory.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import type { Member } from '../../src/projects/membership.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'

let database: Database
beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  database = openDatabase({ url: appUrl, poolMax: 4, onError: () => {} })
})
afterAll(() => database.close())

let count = 0

/** Two shops, a hostname of their own, and a DNS that holds `records`. */
async function setUp() {
  const number = ++count
  const apex = `takeover-${number}.com`
  const records: string[] = []
  // An hour for each query, so that every background check is a full one.
  let clock = Date.UTC(2026, 0, 1)
  const deps = domainDepsOf(
    database,
    (hostname) => records.filter((line) => line.split(' ')[0]?.endsWith(hostname)),
    () => (clock += 3_600_000),
  )
  const owner = await openShop(database, `owner-${number}`)
  const attacker = await openShop(database, `thief-${number}`)
  return { number, apex, host: `www.${apex}`, records, deps, owner, thief: attacker }
}

const set = (records: string[], ...lines: string[]) => void records.splice(0, records.length, ...lines)

const holderOf = async (hostname: string) => (await findHolding(database.run, hostname)).holder?.project ?? null

const tokenOf = async (deps: DomainDeps, shop: Member, hostname: string) =>
  (await getDomain(deps, shop, hostname)).row.token

const cname = (hostname: string, { slug }: Pick<Member, 'slug'>) => `${hostname} CNAME ${hostOf(slug)}`
const txt = (hostname: string, token: string) => `_petstore.${hostname} TXT ${token}`

async function checkInBackground(deps: DomainDeps, { project }: Member, hostname: string): Promise<void> {
  const { row } = await getDomain(deps, { project }, hostname)
  await checkDomain(deps, { project, id: row.id, isAsked: false, actor: 'petstore', due: null, typed: null })
}

/** Everything that an attacker can try: add, verify, wait for the background, verify again. */
async function attack(deps: DomainDeps, attacker: Member, hostname: string): Promise<void> {
  await addDomain(deps, attacker, hostname)
  await verifyDomain(deps, attacker, hostname)
  await checkInBackground(deps, attacker, hostname)
  await verifyDomain(deps, attacker, hostname)
}

test('a CNAME left behind after Remove serves only its own project', async () => {
  const { host, records, deps, owner, thief: attacker } = await setUp()
  set(records, cname(host, owner))
  await addDomain(deps, owner, host)
  expect(await holderOf(host)).toBe(owner.project)
  await removeDomain(deps, owner, host)
  expect(await holderOf(host)).toBeNull()

  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
  expect((await getDomain(deps, attacker, host)).row.ownership).toBe('unproven')

  await addDomain(deps, owner, host)
  expect(await holderOf(host)).toBe(owner.project)
})

test('a CNAME left behind after its project was deleted serves no project, and the slug is never reused', async () => {
  const { host, records, deps, owner, thief: attacker } = await setUp()
  set(records, cname(host, owner))
  await addDomain(deps, owner, host)
  await closeShop(deps, owner)
  expect(await holderOf(host)).toBeNull()

  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
  await expect(createProject(database, { slug: owner.slug, name: 'again' })).rejects.toMatchObject({
    code: 'slug_taken',
  })
})

test('an address that all sites share proves nothing for any project', async () => {
  const { apex, host, records, deps, owner, thief: attacker } = await setUp()
  set(records, `${apex} A ${EDGE_ADDRESS}`, `${host} A ${EDGE_ADDRESS}`)
  for (const hostname of [apex, host]) {
    await attack(deps, attacker, hostname)
    await attack(deps, owner, hostname)
    expect(await holderOf(hostname)).toBeNull()
  }
})

test('a wildcard CNAME proves subdomains for the project that it names, and for no other', async () => {
  const { apex, deps, records, owner, thief: attacker } = await setUp()
  const names = [`one.${apex}`, `two.${apex}`]
  set(records, ...names.map((name) => cname(name, owner)))
  for (const hostname of names) {
    await attack(deps, attacker, hostname)
    expect(await holderOf(hostname)).toBeNull()
    await addDomain(deps, owner, hostname)
    await verifyDomain(deps, attacker, hostname)
    expect(await holderOf(hostname)).toBe(owner.project)
  }
})

test('pending claims block no other project', async () => {
  const { host, records, deps, owner, thief: attacker } = await setUp()
  await attack(deps, attacker, host)
  set(records, cname(host, owner))
  await addDomain(deps, owner, host)
  expect(await holderOf(host)).toBe(owner.project)
  await verifyDomain(deps, attacker, host)
  expect(await holderOf(host)).toBe(owner.project)
  expect((await getDomain(deps, attacker, host)).row.ownership).toBe('contested')
})

test('a verified apex protects its subdomains against other projects, whatever their CNAMEs say', async () => {
  const { apex, host, records, deps, owner, thief: attacker } = await setUp()
  await addDomain(deps, owner, apex)
  const token = await tokenOf(deps, owner, apex)
  set(records, `${apex} A ${EDGE_ADDRESS}`, txt(apex, token), cname(host, attacker))
  await verifyDomain(deps, owner, apex)
  expect(await holderOf(apex)).toBe(owner.project)

  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
  // The token of the apex counts for the apex alone, and the attacker's own would have to be in the owner's zone.
  set(records, txt(apex, token), txt(host, token))
  await verifyDomain(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
})

test("a verified apex does not stop its own project's subdomains", async () => {
  const { apex, host, records, deps, owner } = await setUp()
  await addDomain(deps, owner, apex)
  set(records, `${apex} A ${EDGE_ADDRESS}`, txt(apex, await tokenOf(deps, owner, apex)), cname(host, owner))
  await verifyDomain(deps, owner, apex)
  await addDomain(deps, owner, host)
  expect([await holderOf(apex), await holderOf(host)]).toEqual([owner.project, owner.project])
})

test('the holder of a subdomain has no rights to its parent or sibling hostnames', async () => {
  const { apex, host, records, deps, owner, thief: attacker } = await setUp()
  set(records, cname(host, attacker), `${apex} A ${EDGE_ADDRESS}`)
  await addDomain(deps, attacker, host)
  expect(await holderOf(host)).toBe(attacker.project)
  const token = await tokenOf(deps, attacker, host)
  set(records, cname(host, attacker), txt(host, token), `${apex} A ${EDGE_ADDRESS}`)
  await attack(deps, attacker, apex)
  await attack(deps, attacker, `shop.${apex}`)
  expect([await holderOf(apex), await holderOf(`shop.${apex}`)]).toEqual([null, null])
  await addDomain(deps, owner, apex)
  set(records, txt(apex, await tokenOf(deps, owner, apex)), `${apex} A ${EDGE_ADDRESS}`)
  await verifyDomain(deps, owner, apex)
  expect(await holderOf(apex)).toBe(owner.project)
})

test('a mistyped slug does not give the hostname to the project that takes that slug later', async () => {
  const { number, host, records, deps, owner } = await setUp()
  const slug = `ownr-${number}`
  set(records, cname(host, { slug }))
  await addDomain(deps, owner, host)
  expect((await getDomain(deps, owner, host)).row.ownership).toBe('unproven')

  const late = await openShop(database, slug)
  await attack(deps, late, host)
  expect(await holderOf(host)).toBeNull()
  const { judgement } = await getDomain(deps, late, host)
  expect(judgement?.troubles[0]?.code).toBe('own.cname_older_than_project')
  // With the token in the zone that project may have it.
  set(records, cname(host, { slug }), txt(host, await tokenOf(deps, late, host)))
  await verifyDomain(deps, late, host)
  expect(await holderOf(host)).toBe(late.project)
})

test('a token that a former holder left in DNS moves nothing', async () => {
  const { host, records, deps, owner, thief: attacker } = await setUp()
  await addDomain(deps, attacker, host)
  const old = await tokenOf(deps, attacker, host)
  set(records, txt(host, old))
  await verifyDomain(deps, attacker, host)
  expect(await holderOf(host)).toBe(attacker.project)

  // The domain is sold: the new owner proves it, and leaves the old record next to their own.
  await addDomain(deps, owner, host)
  set(records, txt(host, old), txt(host, await tokenOf(deps, owner, host)))
  await verifyDomain(deps, owner, host)
  expect(await holderOf(host)).toBe(owner.project)

  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBe(owner.project)
  expect(await tokenOf(deps, attacker, host)).not.toBe(old)

  await removeDomain(deps, owner, host)
  await verifyDomain(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
})

test('a held hostname moves by a fresh token and only on request, never automatically', async () => {
  const { host, records, deps, owner, thief: buyer } = await setUp()
  set(records, cname(host, owner))
  await addDomain(deps, owner, host)
  await addDomain(deps, buyer, host)
  set(records, cname(host, owner), txt(host, await tokenOf(deps, buyer, host)))
  await checkInBackground(deps, buyer, host)
  await checkInBackground(deps, buyer, host)
  expect(await holderOf(host)).toBe(owner.project)

  await verifyDomain(deps, buyer, host)
  expect(await holderOf(host)).toBe(buyer.project)
  await expect(getDomain(deps, owner, host)).rejects.toMatchObject({ code: 'not_found' })
})

test('a CNAME alone never moves a hostname that another project holds', async () => {
  const { host, records, deps, owner, thief: attacker } = await setUp()
  set(records, cname(host, owner))
  await addDomain(deps, owner, host)
  set(records, cname(host, attacker))
  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBe(owner.project)
})

test("another project's token is no proof, and neither is one of another hostname", async () => {
  const { apex, host, records, deps, owner, thief: attacker } = await setUp()
  await addDomain(deps, owner, host)
  await addDomain(deps, owner, apex)
  set(records, txt(host, await tokenOf(deps, owner, apex)), txt(apex, await tokenOf(deps, owner, host)))
  await verifyDomain(deps, owner, host)
  await verifyDomain(deps, owner, apex)
  expect([await holderOf(host), await holderOf(apex)]).toEqual([null, null])
  set(records, txt(host, await tokenOf(deps, owner, host)))
  await attack(deps, attacker, host)
  expect(await holderOf(host)).toBeNull()
})
