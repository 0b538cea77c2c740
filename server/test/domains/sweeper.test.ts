// Background checks of domains, with the real worker: due domains are checked, many at once;
// what owners see follows DNS automatically; and a check that dies or fails is retried.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { addDomain, getDomain } from '../../src/domains/domains.io.ts'
import type { DomainDeps } from '../../src/domains/check.io.ts'
import { evidenceOf } from '../../../testbed/evidence/evidence.ts'
import { setTimer, runTimers } from '../../src/foundation/postgres/timer-leases.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { deleteProject } from '../../src/projects/projects.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import { startWork } from '../../src/program/work.ts'
import { measureStop } from '../../../testbed/experiments/sweeper/stop.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { DOMAIN_DUE, openEnvironment, type DomainOwner, type DomainsEnvironment } from './environment.ts'

let environment: DomainsEnvironment

beforeAll(async () => {
  environment = await openEnvironment({ at: Date.now() })
})
afterAll(() => environment.close())

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
    environment.says(hostname, [])
    const { row } = await addDomain(environment.deps, owner, hostname)
    await setTimer(environment.database.run, { kind: DOMAIN_DUE, project: owner.project, id: row.id })
  }
  return hostnames
}

async function working<T>(deps: DomainDeps, done: () => Promise<T>, errors: Error[] = []): Promise<T> {
  const worker = runTimers({
    run: environment.database.run,
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

test('all due domains are checked once each, many of them concurrently', async () => {
  const owner = await environment.owner('many', 'enterprise')
  const hostnames = await dueDomains(owner, 40)
  const seen: string[] = []
  let [underWay, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  const deps: DomainDeps = {
    ...environment.deps,
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
    until(async () => ((await environment.database.run(settled, owner.project))[0]?.count ?? 0) === hostnames.length),
  )
  expect(most).toBe(32)
  expect(seen.toSorted()).toEqual(hostnames.toSorted())
})

test('a domain becomes verified automatically once its record exists', async () => {
  const owner = await environment.owner('itself')
  const [hostname = ''] = await dueDomains(owner, 1)
  environment.says(hostname, [`${hostname} CNAME ${owner.target}`])
  await working(environment.deps, () =>
    until(async () => (await getDomain(environment.deps, owner, hostname)).row.ownership === 'proven'),
  )
})

test('a failed check is logged and retried', async () => {
  const owner = await environment.owner('fails')
  const [hostname = ''] = await dueDomains(owner, 1)
  const errors: Error[] = []
  let checks = 0
  const deps: DomainDeps = {
    ...environment.deps,
    observe: async (wanted, options) => {
      checks += 1
      if (checks === 1) throw new Error('no luck')
      return environment.deps.observe(wanted, options)
    },
  }
  environment.says(hostname, [`${hostname} CNAME ${owner.target}`])
  const isProven = async () => (await getDomain(environment.deps, owner, hostname)).row.ownership === 'proven'
  await working(deps, () => until(isProven), errors)
  expect(errors.map(({ message }) => message)).toEqual(['no luck'])
})

test('the hostnames of a deleted project are free after the next check at the latest', async () => {
  const owner = await environment.owner('ended')
  const [hostname = ''] = await dueDomains(owner, 1)
  environment.says(hostname, [`${hostname} CNAME ${owner.target}`])
  await environment.looks(owner)
  expect((await environment.holder(hostname))?.project).toBe(owner.project)
  await deleteProject(environment.deps.inProject, { ...owner, role: 'owner' })
  await environment.looks(owner)
  expect(await environment.holder(hostname)).toBeNull()
  expect(await environment.timers(owner)).toEqual([])
})

test('a worker that was suspended beyond its lease writes nothing when it continues', async () => {
  expect(await measureStop(await cloneDatabase(), { isBroken: false })).toMatchObject({ hasWritten: false })
})

test('a worker that does not check its claim writes stale results (negative control)', async () => {
  expect(await measureStop(await cloneDatabase(), { isBroken: true })).toMatchObject({ hasWritten: true })
})

test('the program checks domains as part of its background work', async () => {
  const owner = await environment.owner('whole')
  const [hostname = ''] = await dueDomains(owner, 1)
  environment.says(hostname, [`${hostname} CNAME ${owner.target}`])
  const config = parseConfig({ DATABASE_URL: environment.stored.appUrl, PLATFORM_HOST: 'petstore.example' })
  const errors: Error[] = []
  const work = await startWork(config, {
    observe: environment.deps.observe,
    pauseMs: 5,
    onError: (error) => void errors.push(error),
  })
  try {
    await until(async () => (await getDomain(environment.deps, owner, hostname)).row.ownership === 'proven')
  } finally {
    await work.stop()
  }
  expect(errors).toEqual([])
})
