// The lifecycle of a domain on a real PostgreSQL: from Add to verified, to another project,
// to removed; and what each step writes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetProject, planChanged, watch } from '../../src/domains/advance.io.ts'
import { addDomain, getDomain, listDomains, removeDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import { openPlace, type DomainOwner, type DomainsEnvironment } from './environment.ts'

let place: DomainsEnvironment
let north: DomainOwner
let south: DomainOwner
let count = 0

beforeAll(async () => {
  place = await openPlace()
  north = await place.owner('north')
  south = await place.owner('south')
})
afterAll(() => place.close())

/** A hostname that no other test uses, without any record. */
function fresh(domain = 'example.com'): string {
  count += 1
  const hostname = `shop-${count}.${domain}`
  place.says(hostname, [])
  return hostname
}
const cname = (hostname: string, { target }: DomainOwner) => place.says(hostname, [`${hostname} CNAME ${target}`])
const txt = (hostname: string, ...tokens: string[]) => tokens.map((token) => `_petstore.${hostname} TXT ${token}`)

describe('a hostname that is added', () => {
  test('waits for its record, with the cause, the time of the next check and the instructions', async () => {
    const hostname = fresh()
    const { status, row, judgement } = await addDomain(place.deps, north, hostname)
    expect(status).toMatchObject({ name: 'pending_dns', code: 'dns.no_record', nextLookAt: place.clock.now + 5000 })
    expect(row).toMatchObject({ ownership: 'unproven', routing: 'missing', certificate: 'none' })
    expect(judgement?.records[0]).toMatchObject({ type: 'CNAME', value: north.target, action: 'add' })
    expect(await place.history(north, row.id)).toEqual(['domain.added'])
  })

  test('is verified as soon as the record exists, by the first check that finds it', async () => {
    const hostname = fresh()
    const solo = await place.owner('solo')
    const { row } = await addDomain(place.deps, solo, hostname)
    cname(hostname, solo)
    await place.looks(solo)
    const view = await getDomain(place.deps, solo, hostname)
    expect(view.status).toMatchObject({ name: 'issuing', code: 'step.certificate_queued' })
    expect(view.row).toMatchObject({ ownership: 'proven', proof: 'cname', routing: 'pointing', generation: 1n })
    expect(await place.history(solo, row.id)).toEqual(['domain.added', 'domain.dns_detected', 'domain.verified'])
    expect(await place.holder(hostname)).toEqual({ project: solo.project, domain: row.id })
  })

  test('is refused a second time, and can be verified repeatedly without harm', async () => {
    const hostname = fresh()
    cname(hostname, north)
    const { row } = await addDomain(place.deps, north, hostname)
    await expect(addDomain(place.deps, north, hostname)).rejects.toMatchObject({ code: 'domain_already_added' })
    for (let time = 0; time < 3; time++) {
      expect((await verifyDomain(place.deps, north, hostname)).row).toMatchObject({ generation: 1n })
    }
    expect(await place.history(north, row.id)).toHaveLength(3)
  })

  test('is not found by another project', async () => {
    const hostname = fresh()
    await addDomain(place.deps, north, hostname)
    for (const deed of [getDomain, verifyDomain, removeDomain]) {
      await expect(deed(place.deps, south, hostname)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('keeps its state while no nameserver can be queried', async () => {
    const hostname = fresh()
    cname(hostname, north)
    await addDomain(place.deps, north, hostname)
    place.says(hostname, 'silent')
    const { row } = await verifyDomain(place.deps, north, hostname)
    expect(row).toMatchObject({ ownership: 'proven', routing: 'pointing' })
  })
})

describe('a hostname that another project holds', () => {
  async function held() {
    const hostname = fresh()
    cname(hostname, north)
    const { row } = await addDomain(place.deps, north, hostname)
    return { hostname, row }
  }

  test('stays there when a second project adds it or points it at itself', async () => {
    const { hostname } = await held()
    const added = await addDomain(place.deps, south, hostname)
    expect(added.status).toMatchObject({ name: 'action_required', code: 'own.contested' })
    cname(hostname, south)
    expect((await verifyDomain(place.deps, south, hostname)).row.ownership).toBe('contested')
    expect((await place.holder(hostname))?.project).toBe(north.project)
  })

  test('moves by a fresh token when a person requests it, and never in the background', async () => {
    const { hostname, row: former } = await held()
    const east = await place.owner(`east-${count}`)
    const { row } = await addDomain(place.deps, east, hostname)
    place.says(hostname, [`${hostname} CNAME ${east.target}`, ...txt(hostname, row.token)])
    await place.looks(east)
    expect((await place.holder(hostname))?.project).toBe(north.project)
    const moved = await verifyDomain(place.deps, east, hostname)
    expect(moved.row).toMatchObject({ ownership: 'proven', proof: 'txt', wasTokenSeen: true, generation: 2n })
    expect((await place.holder(hostname))?.project).toBe(east.project)
    await expect(getDomain(place.deps, north, hostname)).rejects.toMatchObject({ code: 'not_found' })
    expect(await place.history(north, former.id)).toContain('domain.moved')
    expect((await place.timers(north)).map(({ id }) => id)).not.toContain(former.id)
  })

  test('does not move back by the token that its former holder left in DNS', async () => {
    const { hostname, row: former } = await held()
    const east = await place.owner(`east-${count}`)
    const { row } = await addDomain(place.deps, east, hostname)
    const both = txt(hostname, row.token, former.token)
    place.says(hostname, [`${hostname} CNAME ${east.target}`, ...both])
    await verifyDomain(place.deps, east, hostname)
    const again = await addDomain(place.deps, north, hostname)
    expect(again.row.token).not.toBe(former.token)
    expect(again.row.staleTokens).toEqual([former.token])
    expect((await verifyDomain(place.deps, north, hostname)).row.ownership).toBe('contested')
    expect((await place.holder(hostname))?.project).toBe(east.project)
  })

  test('invalidates the tokens of all other waiting projects when it is taken, and they get new ones', async () => {
    const hostname = fresh()
    const east = await place.owner(`east-${count}`)
    const early = await addDomain(place.deps, east, hostname)
    cname(hostname, north)
    await addDomain(place.deps, north, hostname)
    place.says(hostname, [`${hostname} CNAME ${north.target}`, ...txt(hostname, early.row.token)])
    const { row, judgement } = await verifyDomain(place.deps, east, hostname)
    expect(row).toMatchObject({ ownership: 'contested', staleTokens: [early.row.token] })
    expect(judgement?.troubles.map(({ code }) => code)).toContain('own.txt_stale')
    place.says(hostname, [`${hostname} CNAME ${north.target}`, ...txt(hostname, row.token)])
    expect((await verifyDomain(place.deps, east, hostname)).row.ownership).toBe('proven')
  })

  test('has one holder after fifty concurrent verifications, none of which fails with an error', async () => {
    const hostname = fresh()
    const two = [await place.owner(`left-${count}`), await place.owner(`right-${count}`)]
    const added = await Promise.all(two.map((owner) => addDomain(place.deps, owner, hostname)))
    place.says(hostname, txt(hostname, ...added.map(({ row }) => row.token)).concat(`${hostname} A 192.0.2.10`))
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, number) => verifyDomain(place.deps, two[number % 2] ?? north, hostname)),
    )
    const owners = new Set(all.filter(({ row }) => row.ownership === 'proven').map(({ row }) => row.id))
    expect(owners.size).toBe(1)
    expect((await place.holder(hostname))?.domain).toBe([...owners][0])
  })
})

describe('a hostname that is removed', () => {
  test('is free at once, and its left-over CNAME proves nothing for another project', async () => {
    const hostname = fresh()
    cname(hostname, north)
    await addDomain(place.deps, north, hostname)
    await removeDomain(place.deps, north, hostname)
    expect(await place.holder(hostname)).toBeNull()
    const { row } = await addDomain(place.deps, south, hostname)
    expect(row.ownership).toBe('unproven')
    expect((await verifyDomain(place.deps, south, hostname)).row.ownership).toBe('unproven')
  })

  test('keeps its token when it is added again and no other project was verified', async () => {
    const hostname = fresh()
    const { row } = await addDomain(place.deps, north, hostname)
    await removeDomain(place.deps, north, hostname)
    expect((await addDomain(place.deps, north, hostname)).row.token).toBe(row.token)
  })

  test('with its project leaves every hostname of the project free', async () => {
    const hostname = fresh()
    const gone = await place.owner(`gone-${count}`)
    cname(hostname, gone)
    await addDomain(place.deps, gone, hostname)
    await forgetProject(place.deps, gone.project, 'operator')
    expect(await place.holder(hostname)).toBeNull()
    expect(await listDomains(place.deps, gone, { after: '', count: 10 })).toEqual([])
    expect(await place.timers(gone)).toEqual([])
  })
})

test('protects the hostnames below it while it is verified, and the token overcomes that', async () => {
  const apex = `guarded-${(count += 1)}.com`
  const below = `shop.${apex}`
  place.says(apex, [`${apex} A 192.0.2.10`])
  const { row } = await addDomain(place.deps, north, apex)
  place.says(apex, [`${apex} A 192.0.2.10`, ...txt(apex, row.token)])
  expect((await verifyDomain(place.deps, north, apex)).row).toMatchObject({ ownership: 'proven', proof: 'txt' })
  cname(below, south)
  const added = await addDomain(place.deps, south, below)
  expect(added.row.ownership).toBe('unproven')
  place.says(below, [`${below} CNAME ${south.target}`, ...txt(below, added.row.token)])
  expect((await verifyDomain(place.deps, south, below)).row.ownership).toBe('proven')
})

test('a CNAME that is older than its project proves nothing', async () => {
  const hostname = fresh()
  place.says(hostname, [`${hostname} CNAME norht.petstore.example`])
  const { status } = await addDomain(place.deps, north, hostname)
  expect(status.name).toBe('action_required')
  const squatter = await place.owner('norht')
  const { row, judgement } = await addDomain(place.deps, squatter, hostname)
  expect(row.ownership).toBe('unproven')
  expect(judgement?.troubles.map(({ code }) => code)).toContain('own.cname_older_than_project')
})

describe('the stored state', () => {
  test('after a check with the same result changes only in the time of the next check, without a history entry', async () => {
    const hostname = fresh()
    const quiet = await place.owner(`quiet-${count}`)
    const { row } = await addDomain(place.deps, quiet, hostname)
    place.asked.length = 0
    for (let look = 0; look < 20; look++) {
      place.clock.now += 5000
      await place.looks(quiet)
    }
    expect(place.asked.every(({ isFull }) => !isFull)).toBe(true)
    expect(await place.history(quiet, row.id)).toEqual(['domain.added'])
    expect((await getDomain(place.deps, quiet, hostname)).row.lookedAt).toBe(place.clock.now)
  })

  test('after an insignificant change is enough to recognise it the next time', async () => {
    const hostname = fresh()
    const calm = await place.owner(`calm-${count}`)
    place.says(hostname, [`${hostname} A 203.0.113.1`, `_petstore.${hostname} TXT one`])
    await addDomain(place.deps, calm, hostname)
    place.says(hostname, [`${hostname} A 203.0.113.1`, `_petstore.${hostname} TXT two`])
    place.asked.length = 0
    for (let look = 0; look < 5; look++) {
      place.clock.now += 5000
      await place.looks(calm)
    }
    expect(place.asked.filter(({ isFull }) => isFull)).toHaveLength(1)
  })

  test('is not changed by a worker whose claim has ended', async () => {
    const hostname = fresh()
    const late = await place.owner(`late-${count}`)
    await addDomain(place.deps, late, hostname)
    const first = await place.claim(late)
    await place.claim(late)
    cname(hostname, late)
    const before = await getDomain(place.deps, late, hostname)
    await domainWork(place.deps).work(first)
    expect(await getDomain(place.deps, late, hostname)).toEqual(before)
  })

  test('is that of a person who is faster than a worker in progress', async () => {
    const hostname = fresh()
    const keen = await place.owner(`keen-${count}`)
    await addDomain(place.deps, keen, hostname)
    const claimed = await place.claim(keen)
    cname(hostname, keen)
    await verifyDomain(place.deps, keen, hostname)
    place.says(hostname, [])
    await domainWork(place.deps).work(claimed)
    expect((await getDomain(place.deps, keen, hostname)).row.ownership).toBe('proven')
  })

  test('brings the next check forward while a client is watching', async () => {
    const hostname = fresh()
    const seen = await place.owner(`seen-${count}`)
    await addDomain(place.deps, seen, hostname)
    place.clock.now += 6 * 3_600_000
    await place.looks(seen)
    expect((await place.timers(seen))[0]?.seconds).toBeGreaterThan(50)
    await watch(place.deps, seen.project, hostname)
    expect((await place.timers(seen))[0]?.seconds).toBeLessThanOrEqual(2)
    await place.looks(seen)
    expect((await getDomain(place.deps, seen, hostname)).row.nextLookAt).toBe(place.clock.now + 2000)
  })
})

test('pauses the domain when a plan lapses, and resumes it when the plan is restored', async () => {
  const hostname = fresh()
  const poor = await place.owner(`poor-${count}`)
  cname(hostname, poor)
  await addDomain(place.deps, poor, hostname)
  await planChanged(place.deps, poor.project, false)
  expect((await getDomain(place.deps, poor, hostname)).status).toMatchObject({ name: 'paused', code: 'plan.lapsed' })
  await planChanged(place.deps, poor.project, true)
  expect((await getDomain(place.deps, poor, hostname)).status.name).toBe('issuing')
  expect((await place.holder(hostname))?.project).toBe(poor.project)
})

test('becomes dormant after thirty days without the record, and wakes on request', async () => {
  const hostname = fresh()
  const slow = await place.owner(`slow-${count}`)
  await addDomain(place.deps, slow, hostname)
  place.clock.now += 30 * 86_400_000
  await place.looks(slow)
  expect((await getDomain(place.deps, slow, hostname)).status).toMatchObject({ name: 'dormant', code: 'dns.no_record' })
  expect((await verifyDomain(place.deps, slow, hostname)).status.name).toBe('pending_dns')
})
