// The lifecycle of a domain on a real PostgreSQL: from Add to verified, to another project,
// to removed; and what each step writes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetProject, planChanged, watch } from '../../src/domains/advance.io.ts'
import { addDomain, getDomain, listDomains, removeDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import { openEnvironment, type DomainOwner, type DomainsEnvironment } from './environment.ts'

let environment: DomainsEnvironment
let north: DomainOwner
let south: DomainOwner
let count = 0

beforeAll(async () => {
  environment = await openEnvironment()
  north = await environment.owner('north')
  south = await environment.owner('south')
})
afterAll(() => environment.close())

/** A hostname that no other test uses, without any record. */
function fresh(domain = 'example.com'): string {
  count += 1
  const hostname = `shop-${count}.${domain}`
  environment.says(hostname, [])
  return hostname
}
const cname = (hostname: string, { target }: DomainOwner) => environment.says(hostname, [`${hostname} CNAME ${target}`])
const txt = (hostname: string, ...tokens: string[]) => tokens.map((token) => `_petstore.${hostname} TXT ${token}`)

describe('a hostname that is added', () => {
  test('waits for its record, with the cause, the time of the next check and the instructions', async () => {
    const hostname = fresh()
    const { status, row, judgement } = await addDomain(environment.deps, north, hostname)
    expect(status).toMatchObject({
      name: 'pending_dns',
      code: 'dns.no_record',
      nextCheckAt: environment.clock.now + 5000,
    })
    expect(row).toMatchObject({ ownership: 'unproven', routing: 'missing', certificate: 'none' })
    expect(judgement?.records[0]).toMatchObject({ type: 'CNAME', value: north.target, action: 'add' })
    expect(await environment.history(north, row.id)).toEqual(['domain.added'])
  })

  test('is verified as soon as the record exists, by the first check that finds it', async () => {
    const hostname = fresh()
    const solo = await environment.owner('solo')
    const { row } = await addDomain(environment.deps, solo, hostname)
    cname(hostname, solo)
    await environment.looks(solo)
    const view = await getDomain(environment.deps, solo, hostname)
    expect(view.status).toMatchObject({ name: 'issuing', code: 'step.certificate_queued' })
    expect(view.row).toMatchObject({ ownership: 'proven', proof: 'cname', routing: 'pointing', generation: 1n })
    expect(await environment.history(solo, row.id)).toEqual(['domain.added', 'domain.dns_detected', 'domain.verified'])
    expect(await environment.holder(hostname)).toEqual({ project: solo.project, domain: row.id })
  })

  test('is refused a second time, and can be verified repeatedly without harm', async () => {
    const hostname = fresh()
    cname(hostname, north)
    const { row } = await addDomain(environment.deps, north, hostname)
    await expect(addDomain(environment.deps, north, hostname)).rejects.toMatchObject({ code: 'domain_already_added' })
    for (let time = 0; time < 3; time++) {
      expect((await verifyDomain(environment.deps, north, hostname)).row).toMatchObject({ generation: 1n })
    }
    expect(await environment.history(north, row.id)).toHaveLength(3)
  })

  test('is not found by another project', async () => {
    const hostname = fresh()
    await addDomain(environment.deps, north, hostname)
    for (const act of [getDomain, verifyDomain, removeDomain]) {
      await expect(act(environment.deps, south, hostname)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('keeps its state while no nameserver can be queried', async () => {
    const hostname = fresh()
    cname(hostname, north)
    await addDomain(environment.deps, north, hostname)
    environment.says(hostname, 'silent')
    const { row } = await verifyDomain(environment.deps, north, hostname)
    expect(row).toMatchObject({ ownership: 'proven', routing: 'pointing' })
  })
})

describe('a hostname that another project holds', () => {
  async function held() {
    const hostname = fresh()
    cname(hostname, north)
    const { row } = await addDomain(environment.deps, north, hostname)
    return { hostname, row }
  }

  test('stays there when a second project adds it or points it at itself', async () => {
    const { hostname } = await held()
    const added = await addDomain(environment.deps, south, hostname)
    expect(added.status).toMatchObject({ name: 'action_required', code: 'own.contested' })
    cname(hostname, south)
    expect((await verifyDomain(environment.deps, south, hostname)).row.ownership).toBe('contested')
    expect((await environment.holder(hostname))?.project).toBe(north.project)
  })

  test('moves by a fresh token when a person requests it, and never in the background', async () => {
    const { hostname, row: former } = await held()
    const east = await environment.owner(`east-${count}`)
    const { row } = await addDomain(environment.deps, east, hostname)
    environment.says(hostname, [`${hostname} CNAME ${east.target}`, ...txt(hostname, row.token)])
    await environment.looks(east)
    expect((await environment.holder(hostname))?.project).toBe(north.project)
    const moved = await verifyDomain(environment.deps, east, hostname)
    expect(moved.row).toMatchObject({ ownership: 'proven', proof: 'txt', wasTokenSeen: true, generation: 2n })
    expect((await environment.holder(hostname))?.project).toBe(east.project)
    await expect(getDomain(environment.deps, north, hostname)).rejects.toMatchObject({ code: 'not_found' })
    expect(await environment.history(north, former.id)).toContain('domain.moved')
    expect((await environment.timers(north)).map(({ id }) => id)).not.toContain(former.id)
  })

  test('does not move back by the token that its former holder left in DNS', async () => {
    const { hostname, row: former } = await held()
    const east = await environment.owner(`east-${count}`)
    const { row } = await addDomain(environment.deps, east, hostname)
    const both = txt(hostname, row.token, former.token)
    environment.says(hostname, [`${hostname} CNAME ${east.target}`, ...both])
    await verifyDomain(environment.deps, east, hostname)
    const again = await addDomain(environment.deps, north, hostname)
    expect(again.row.token).not.toBe(former.token)
    expect(again.row.staleTokens).toEqual([former.token])
    expect((await verifyDomain(environment.deps, north, hostname)).row.ownership).toBe('contested')
    expect((await environment.holder(hostname))?.project).toBe(east.project)
  })

  test('invalidates the tokens of all other waiting projects when it is taken, and they get new ones', async () => {
    const hostname = fresh()
    const east = await environment.owner(`east-${count}`)
    const early = await addDomain(environment.deps, east, hostname)
    cname(hostname, north)
    await addDomain(environment.deps, north, hostname)
    environment.says(hostname, [`${hostname} CNAME ${north.target}`, ...txt(hostname, early.row.token)])
    const { row, judgement } = await verifyDomain(environment.deps, east, hostname)
    expect(row).toMatchObject({ ownership: 'contested', staleTokens: [early.row.token] })
    expect(judgement?.troubles.map(({ code }) => code)).toContain('own.txt_stale')
    environment.says(hostname, [`${hostname} CNAME ${north.target}`, ...txt(hostname, row.token)])
    expect((await verifyDomain(environment.deps, east, hostname)).row.ownership).toBe('proven')
  })

  test('has one holder after fifty concurrent verifications, none of which fails with an error', async () => {
    const hostname = fresh()
    const two = [await environment.owner(`left-${count}`), await environment.owner(`right-${count}`)]
    const added = await Promise.all(two.map((owner) => addDomain(environment.deps, owner, hostname)))
    environment.says(hostname, txt(hostname, ...added.map(({ row }) => row.token)).concat(`${hostname} A 192.0.2.10`))
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, number) => verifyDomain(environment.deps, two[number % 2] ?? north, hostname)),
    )
    const owners = new Set(all.filter(({ row }) => row.ownership === 'proven').map(({ row }) => row.id))
    expect(owners.size).toBe(1)
    expect((await environment.holder(hostname))?.domain).toBe([...owners][0])
  })
})

describe('a hostname that is removed', () => {
  test('is free at once, and its left-over CNAME proves nothing for another project', async () => {
    const hostname = fresh()
    cname(hostname, north)
    await addDomain(environment.deps, north, hostname)
    await removeDomain(environment.deps, north, hostname)
    expect(await environment.holder(hostname)).toBeNull()
    const { row } = await addDomain(environment.deps, south, hostname)
    expect(row.ownership).toBe('unproven')
    expect((await verifyDomain(environment.deps, south, hostname)).row.ownership).toBe('unproven')
  })

  test('keeps its token when it is added again and no other project was verified', async () => {
    const hostname = fresh()
    const { row } = await addDomain(environment.deps, north, hostname)
    await removeDomain(environment.deps, north, hostname)
    expect((await addDomain(environment.deps, north, hostname)).row.token).toBe(row.token)
  })

  test('with its project leaves every hostname of the project free', async () => {
    const hostname = fresh()
    const gone = await environment.owner(`gone-${count}`)
    cname(hostname, gone)
    await addDomain(environment.deps, gone, hostname)
    await forgetProject(environment.deps, gone.project, 'operator')
    expect(await environment.holder(hostname)).toBeNull()
    expect(await listDomains(environment.deps, gone, { after: '', count: 10 })).toEqual([])
    expect(await environment.timers(gone)).toEqual([])
  })
})

test('protects the hostnames below it while it is verified, and the token overcomes that', async () => {
  const apex = `guarded-${(count += 1)}.com`
  const below = `shop.${apex}`
  environment.says(apex, [`${apex} A 192.0.2.10`])
  const { row } = await addDomain(environment.deps, north, apex)
  environment.says(apex, [`${apex} A 192.0.2.10`, ...txt(apex, row.token)])
  expect((await verifyDomain(environment.deps, north, apex)).row).toMatchObject({ ownership: 'proven', proof: 'txt' })
  cname(below, south)
  const added = await addDomain(environment.deps, south, below)
  expect(added.row.ownership).toBe('unproven')
  environment.says(below, [`${below} CNAME ${south.target}`, ...txt(below, added.row.token)])
  expect((await verifyDomain(environment.deps, south, below)).row.ownership).toBe('proven')
})

test('a CNAME that is older than its project proves nothing', async () => {
  const hostname = fresh()
  environment.says(hostname, [`${hostname} CNAME norht.petstore.example`])
  const { status } = await addDomain(environment.deps, north, hostname)
  expect(status.name).toBe('action_required')
  const squatter = await environment.owner('norht')
  const { row, judgement } = await addDomain(environment.deps, squatter, hostname)
  expect(row.ownership).toBe('unproven')
  expect(judgement?.troubles.map(({ code }) => code)).toContain('own.cname_older_than_project')
})

describe('the stored state', () => {
  test('after a check with the same result changes only in the time of the next check, without a history entry', async () => {
    const hostname = fresh()
    const quiet = await environment.owner(`quiet-${count}`)
    const { row } = await addDomain(environment.deps, quiet, hostname)
    environment.asked.length = 0
    for (let round = 0; round < 20; round++) {
      environment.clock.now += 5000
      await environment.looks(quiet)
    }
    expect(environment.asked.every(({ isFull }) => !isFull)).toBe(true)
    expect(await environment.history(quiet, row.id)).toEqual(['domain.added'])
    expect((await getDomain(environment.deps, quiet, hostname)).row.checkedAt).toBe(environment.clock.now)
  })

  test('after an insignificant change is enough to recognise it the next time', async () => {
    const hostname = fresh()
    const calm = await environment.owner(`calm-${count}`)
    environment.says(hostname, [`${hostname} A 203.0.113.1`, `_petstore.${hostname} TXT one`])
    await addDomain(environment.deps, calm, hostname)
    environment.says(hostname, [`${hostname} A 203.0.113.1`, `_petstore.${hostname} TXT two`])
    environment.asked.length = 0
    for (let round = 0; round < 5; round++) {
      environment.clock.now += 5000
      await environment.looks(calm)
    }
    expect(environment.asked.filter(({ isFull }) => isFull)).toHaveLength(1)
  })

  test('is not changed by a worker whose claim has ended', async () => {
    const hostname = fresh()
    const late = await environment.owner(`late-${count}`)
    await addDomain(environment.deps, late, hostname)
    const first = await environment.claim(late)
    await environment.claim(late)
    cname(hostname, late)
    const before = await getDomain(environment.deps, late, hostname)
    await domainWork(environment.deps).work(first)
    expect(await getDomain(environment.deps, late, hostname)).toEqual(before)
  })

  test('is that of a person who is faster than a worker in progress', async () => {
    const hostname = fresh()
    const keen = await environment.owner(`keen-${count}`)
    await addDomain(environment.deps, keen, hostname)
    const claimed = await environment.claim(keen)
    cname(hostname, keen)
    await verifyDomain(environment.deps, keen, hostname)
    environment.says(hostname, [])
    await domainWork(environment.deps).work(claimed)
    expect((await getDomain(environment.deps, keen, hostname)).row.ownership).toBe('proven')
  })

  test('brings the next check forward while a client is watching', async () => {
    const hostname = fresh()
    const seen = await environment.owner(`seen-${count}`)
    await addDomain(environment.deps, seen, hostname)
    environment.clock.now += 6 * 3_600_000
    await environment.looks(seen)
    expect((await environment.timers(seen))[0]?.seconds).toBeGreaterThan(50)
    await watch(environment.deps, seen.project, hostname)
    expect((await environment.timers(seen))[0]?.seconds).toBeLessThanOrEqual(2)
    await environment.looks(seen)
    expect((await getDomain(environment.deps, seen, hostname)).row.nextCheckAt).toBe(environment.clock.now + 2000)
  })
})

test('pauses the domain when a plan lapses, and resumes it when the plan is restored', async () => {
  const hostname = fresh()
  const poor = await environment.owner(`poor-${count}`)
  cname(hostname, poor)
  await addDomain(environment.deps, poor, hostname)
  await planChanged(environment.deps, poor.project, false)
  expect((await getDomain(environment.deps, poor, hostname)).status).toMatchObject({
    name: 'paused',
    code: 'plan.lapsed',
  })
  await planChanged(environment.deps, poor.project, true)
  expect((await getDomain(environment.deps, poor, hostname)).status.name).toBe('issuing')
  expect((await environment.holder(hostname))?.project).toBe(poor.project)
})

test('becomes dormant after thirty days without the record, and wakes on request', async () => {
  const hostname = fresh()
  const slow = await environment.owner(`slow-${count}`)
  await addDomain(environment.deps, slow, hostname)
  environment.clock.now += 30 * 86_400_000
  await environment.looks(slow)
  expect((await getDomain(environment.deps, slow, hostname)).status).toMatchObject({
    name: 'dormant',
    code: 'dns.no_record',
  })
  expect((await verifyDomain(environment.deps, slow, hostname)).status.name).toBe('pending_dns')
})
