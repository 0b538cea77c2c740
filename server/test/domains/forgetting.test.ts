// What is left of a domain after its removal: for 30 days its token and its history, then only what decides who may hold
// its name. The clock of the domains is behind that of PostgreSQL by as many days as have passed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDomain, getDomain, removeDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { DAY } from '../../src/foundation/time.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { runUpkeep } from '../../src/plans/upkeep.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { openEnvironment, type DomainOwner, type DomainsEnvironment } from './environment.ts'

let environment: DomainsEnvironment
beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

const daysAgo = (days: number) => void (environment.clock.now = Date.now() - days * DAY)

const cname = (hostname: string, { target }: DomainOwner) => `${hostname} CNAME ${target}`

/** Added and removed so many days ago; its id. */
async function removed(owner: DomainOwner, hostname: string, days: number): Promise<string> {
  daysAgo(days)
  environment.says(hostname, [cname(hostname, owner)])
  const { row } = await addDomain(environment.deps, owner, hostname)
  await removeDomain(environment.deps, owner, hostname)
  return row.id
}

const upkeep = async ({ project }: DomainOwner, days = defaultRules.other.removedDomainDays) => {
  const plans = { ...defaultRules, other: { ...defaultRules.other, removedDomainDays: days } }
  const errors: Error[] = []
  await runUpkeep(
    { inProject: environment.deps.inProject, plans, onError: (error) => void errors.push(error) },
    project,
  )
  expect(errors).toEqual([])
}

type Rows = { domains: string[]; events: string[]; checks: string[]; alerts: number }

const leftRows = statement<Rows, [project: ProjectId]>(
  'test-left-of-domains',
  `select array(select hostname from domains where project_id = $1 order by hostname) as domains,
     array(select distinct domain_id from domain_events where project_id = $1 order by domain_id) as events,
     array(select domain_id from domain_looks where project_id = $1 order by domain_id) as checks,
     (select count(*)::integer from domain_mails where project_id = $1)
       + (select count(*)::integer from mailed_domains where project_id = $1) as alerts`,
)
const left = ({ project }: DomainOwner) => environment.deps.inProject(project, (db) => db(leftRows, project))

const addAlert = statement<never, [project: ProjectId, domain: string]>(
  'test-add-alert',
  `with mail as (
     insert into domain_mails (project_id, id, kind, cause, opened_at)
     values ($1, 'dma_000000000000000000000001', 'domain_alert', 'dns.no_record', now() - interval '31 days')
     returning id
   )
   insert into mailed_domains (project_id, mail_id, domain_id, at)
   select $1, id, $2, now() - interval '31 days' from mail`,
)

test('a domain that was removed long enough ago leaves nothing but who held its name', async () => {
  const owner = await environment.owner('forgetful')
  const old = await removed(owner, 'old.forgetful.example', 31)
  const recent = await removed(owner, 'recent.forgetful.example', 29)
  environment.says('kept.forgetful.example', [cname('kept.forgetful.example', owner)])
  daysAgo(40)
  const { row: kept } = await addDomain(environment.deps, owner, 'kept.forgetful.example')
  await environment.deps.inProject(owner.project, (db) => db(addAlert, owner.project, old))
  await upkeep(owner, 32)
  expect(await left(owner)).toMatchObject([{ alerts: 2, events: [old, recent, kept.id].toSorted() }])

  await upkeep(owner)
  const ids = [recent, kept.id].toSorted()
  expect(await left(owner)).toEqual([
    { domains: ['kept.forgetful.example', 'recent.forgetful.example'], events: ids, checks: ids, alerts: 0 },
  ])
  expect(await environment.holder('kept.forgetful.example')).toMatchObject({ project: owner.project })
  expect(await environment.database.run(holders, 'old.forgetful.example')).toEqual([{ project: owner.project }])
})

const holders = statement<{ project: bigint }, [hostname: string]>(
  'test-holders',
  `select project_id as project from holder_directory where hostname = $1`,
)

test('of the domains that a project removed only as many are kept as its plan has, and all of the last day', async () => {
  const owner = await environment.owner('adds-and-removes')
  const most = defaultRules.most('pro', 'customDomains')
  const names = Array.from({ length: most + 3 }, (_, number) => `n${String(number).padStart(2, '0')}.loop.example`)
  for (const hostname of names) await removed(owner, hostname, 2)
  await upkeep(owner)
  const [kept] = await left(owner)
  expect(kept?.domains.length).toBe(most)

  for (const hostname of names) await removed(owner, hostname, 0)
  await upkeep(owner)
  expect((await left(owner))[0]?.domains).toEqual(names)
})

test('upkeep of one project forgets no domain of another', async () => {
  const owner = await environment.owner('neighbour')
  const other = await environment.owner('stranger')
  await removed(owner, 'www.neighbour.example', 31)
  const { inProject } = environment.deps
  const ask = (asking: DomainOwner) => inProject(asking.project, (db) => db(forgetOthers, owner.project))
  expect(await ask(other)).toEqual([{ removed: 0 }])
  // Negative control: the project itself does.
  expect(await ask(owner)).not.toEqual([{ removed: 0 }])
})

const forgetOthers = statement<{ removed: number }, [project: ProjectId]>(
  'test-forget-others',
  `select forget_removed_domains($1, 30, 10, 1000) as removed`,
)

test('a record that a forgotten domain left behind serves only its own project', async () => {
  const owner = await environment.owner('leaves-a-cname')
  const attacker = await environment.owner('wants-the-name')
  const hostname = 'www.left-behind.example'
  await removed(owner, hostname, 31)
  await upkeep(owner)

  daysAgo(0)
  await addDomain(environment.deps, attacker, hostname)
  await verifyDomain(environment.deps, attacker, hostname)
  expect(await environment.holder(hostname)).toBeNull()

  await addDomain(environment.deps, owner, hostname)
  expect(await environment.holder(hostname)).toMatchObject({ project: owner.project })
})

test('the token of a forgotten domain proves nothing, and the one that replaces it does', async () => {
  const former = await environment.owner('former')
  const holder = await environment.owner('holder')
  const hostname = 'www.token-left.example'
  daysAgo(31)
  environment.says(hostname, [])
  const { row: before } = await addDomain(environment.deps, former, hostname)
  await removeDomain(environment.deps, former, hostname)
  const leftBehind = `_petstore.${hostname} TXT ${before.token}`
  environment.says(hostname, [cname(hostname, holder), leftBehind])
  await addDomain(environment.deps, holder, hostname)
  await upkeep(former)

  daysAgo(0)
  const { row: after } = await addDomain(environment.deps, former, hostname)
  expect(after.token).not.toBe(before.token)
  await verifyDomain(environment.deps, former, hostname)
  expect(await environment.holder(hostname)).toMatchObject({ project: holder.project })

  environment.says(hostname, [`_petstore.${hostname} TXT ${after.token}`])
  await verifyDomain(environment.deps, former, hostname)
  expect(await environment.holder(hostname)).toMatchObject({ project: former.project })
})

test('a name that is added again before keeps its token', async () => {
  const owner = await environment.owner('comes-back')
  const hostname = 'www.comes-back.example'
  daysAgo(29)
  environment.says(hostname, [])
  const { row } = await addDomain(environment.deps, owner, hostname)
  await removeDomain(environment.deps, owner, hostname)
  await upkeep(owner)
  await addDomain(environment.deps, owner, hostname)
  expect((await getDomain(environment.deps, owner, hostname)).row.token).toBe(row.token)
})
