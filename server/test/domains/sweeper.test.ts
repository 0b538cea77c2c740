// Background work on domains, with the true worker: what is due is looked at, many
// at once; what people see follows DNS by itself; and what dies or fails on the way
// is looked at again.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { addDomain, getDomain } from '../../src/domains/domains.io.ts'
import type { DomainDeps } from '../../src/domains/check.io.ts'
import { evidenceOf } from '../../src/domains/observing/evidence.fake.ts'
import { setTimer, runTimers } from '../../src/foundation/postgres/timers.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { deleteProject } from '../../src/projects/projects.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import { startWork } from '../../src/work.ts'
import { measureStop } from '../../../testbed/experiments/sweeper/stop.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { DOMAIN_DUE, openPlace, type DomainOwner, type DomainsEnvironment } from './environment.ts'

let place: DomainsEnvironment

beforeAll(async () => {
  place = await openPlace({ at: Date.now() })
})
afterAll(() => place.close())

const settled = statement<{ count: number }, [project: bigint]>(
  'test-domains-settled',
  `select count(*)::integer as count from due_directory where kind = 'domain' and project_id = $1 and due_at > now()`,
)

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 20_000; !(await isSo());) {
    if (performance.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Adds domains without records, and makes all of them due. */
async function dueDomains(owner: DomainOwner, count: number): Promise<string[]> {
  const hostnames = Array.from({ length: count }, (_, number) => `shop-${number}.${owner.slug}.com`)
  for (const hostname of hostnames) {
    place.says(hostname, [])
    const { row } = await addDomain(place.deps, owner, hostname)
    await setTimer(place.database.run, { kind: DOMAIN_DUE, project: owner.project, id: row.id })
  }
  return hostnames
}

async function working<T>(deps: DomainDeps, done: () => Promise<T>, errors: Error[] = []): Promise<T> {
  const worker = runTimers({
    run: place.database.run,
    kinds: { domain: domainWork(deps) },
    atOnce: 32,
    pauseMs: 5,
    onError: (error) => void errors.push(error),
  })
  try {
    return await done()
  } finally {
    await worker.stop()
  }
}

test('all that are due are looked at, each once, and many are under way at once', async () => {
  const owner = await place.owner('many', 'enterprise')
  const hostnames = await dueDomains(owner, 40)
  const seen: string[] = []
  let [underWay, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  const deps: DomainDeps = {
    ...place.deps,
    observe: async ({ hostname }, { now }) => {
      seen.push(hostname)
      most = Math.max(most, ++underWay)
      if (most === 32) gate.resolve()
      await gate.promise
      underWay -= 1
      return evidenceOf({ hostname, records: [], at: now })
    },
  }
  await working(deps, () =>
    until(async () => ((await place.database.run(settled, owner.project))[0]?.count ?? 0) === hostnames.length),
  )
  expect(most).toBe(32)
  expect(seen.toSorted()).toEqual(hostnames.toSorted())
})

test('a domain becomes verified by itself once its record is there', async () => {
  const owner = await place.owner('itself')
  const [hostname = ''] = await dueDomains(owner, 1)
  place.says(hostname, [`${hostname} CNAME ${owner.target}`])
  await working(place.deps, () =>
    until(async () => (await getDomain(place.deps, owner, hostname)).row.ownership === 'proven'),
  )
})

test('a look that fails is told, and comes again', async () => {
  const owner = await place.owner('fails')
  const [hostname = ''] = await dueDomains(owner, 1)
  const errors: Error[] = []
  let looks = 0
  const deps: DomainDeps = {
    ...place.deps,
    observe: async (wanted, options) => {
      looks += 1
      if (looks === 1) throw new Error('no luck')
      return place.deps.observe(wanted, options)
    },
  }
  place.says(hostname, [`${hostname} CNAME ${owner.target}`])
  const isProven = async () => (await getDomain(place.deps, owner, hostname)).row.ownership === 'proven'
  await working(deps, () => until(isProven), errors)
  expect(errors.map(({ message }) => message)).toEqual(['no luck'])
})

test('the names of a deleted project are free after the next look at the latest', async () => {
  const owner = await place.owner('ended')
  const [hostname = ''] = await dueDomains(owner, 1)
  place.says(hostname, [`${hostname} CNAME ${owner.target}`])
  await place.looks(owner)
  expect((await place.holder(hostname))?.project).toBe(owner.project)
  await deleteProject(place.deps.inProject, { ...owner, role: 'owner' })
  await place.looks(owner)
  expect(await place.holder(hostname)).toBeNull()
  expect(await place.timers(owner)).toEqual([])
})

test('a worker that was stopped beyond its lease writes nothing when it goes on', async () => {
  expect(await measureStop(await cloneDatabase(), { isBroken: false })).toMatchObject({ hasWritten: false })
})

test('the check can fail: a worker that does not ask for its claim writes what it saw before', async () => {
  expect(await measureStop(await cloneDatabase(), { isBroken: true })).toMatchObject({ hasWritten: true })
})

test('the program looks at domains as part of its work', async () => {
  const owner = await place.owner('whole')
  const [hostname = ''] = await dueDomains(owner, 1)
  place.says(hostname, [`${hostname} CNAME ${owner.target}`])
  const config = parseConfig({ DATABASE_URL: place.stored.appUrl, PLATFORM_HOST: 'petstore.example' })
  const errors: Error[] = []
  const work = await startWork(config, {
    observe: place.deps.observe,
    pauseMs: 5,
    onError: (error) => void errors.push(error),
  })
  try {
    await until(async () => (await getDomain(place.deps, owner, hostname)).row.ownership === 'proven')
  } finally {
    await work.stop()
  }
  expect(errors).toEqual([])
})
