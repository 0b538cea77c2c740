// Limits of an installation that overrides them: what is beyond one is refused with a sentence, or the oldest makes room;
// bytes are counted in the transaction that writes them, and a daily recount finds no drift.

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { limitTableOf } from '../../src/plans/limits-file.ts'
import { planRulesOf } from '../../src/plans/limits.ts'
import { runUpkeep } from '../../src/plans/upkeep.io.ts'
import { insert as insertAnimal } from '../../src/animals/animal-queries.ts'
import type { CountedRows } from '../../src/projects/plan-rules.ts'
import { inProjectOf, type InProject } from '../../src/projects/scope.io.ts'
import { countedRows, storedBytes } from '../../src/projects/stored-usage-queries.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { readCatalogue } from '../projects/database-catalogue.ts'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import { expectRefusal } from '../v1/responses.ts'
import { startTestPlatform, type PlatformOwner, type TestPlatform } from '../../../testbed/harness/platform.ts'
import { openSession } from '../../../testbed/harness/session.ts'

const LIMITS = JSON.stringify({
  unpaidProjects: 2,
  projectsPerDay: 3,
  openImports: 1,
  importBytes: 1000,
  storedBytes: 3000,
  auditEvents: 3,
  animals: 3,
  idempotencyKeys: 2,
  invitationsPerDay: 3,
  newAccountInvitationsPerDay: 2,
  endedKeyDays: 30,
})

let people: TestPlatform
let owner: PlatformOwner
let inProject: InProject
const errors: Error[] = []

beforeAll(async () => {
  people = await startTestPlatform({ env: { LIMITS } })
  owner = await people.owner()
  inProject = inProjectOf(people.test.service.database)
})

const upkeep = () =>
  runUpkeep(
    { inProject, plans: planRulesOf(limitTableOf(LIMITS, [])), onError: (error) => void errors.push(error) },
    owner.project,
  )

describe('projects of an account', () => {
  test('are limited while they are unpaid, and in a day', async () => {
    const person = await people.signUp()
    const create = (slug: string) => person.send('POST', '/projects', { slug, name: slug })
    const slugs = ['many-1', 'many-2'].map((slug) => `${slug}-${person.id.slice(-8)}`)
    for (const slug of slugs) expect((await create(slug)).status).toBe(201)
    const third = await create(`many-3-${person.id.slice(-8)}`)
    expectRefusal(third, 409, 'limit_reached')
    expect(third.text).toContain('at most 2 projects on the plan free')
    for (const slug of slugs) {
      // Node announces the length of a body only where a method usually has one.
      const length = { 'Content-Length': String(JSON.stringify({ slug }).length) }
      expect((await person.send('DELETE', `/projects/${slug}`, { slug }, length)).status).toBe(204)
    }
    expect(await create(`many-4-${person.id.slice(-8)}`)).toMatchObject({ status: 201 })
    const fourth = await create(`many-5-${person.id.slice(-8)}`)
    expectRefusal(fourth, 409, 'limit_reached')
    expect(fourth.text).toContain('at most 3 projects in a day')
  })
})

describe('bytes of a project', () => {
  const path = (rest: string) => `/projects/${owner.slug}${rest}`
  const stored = () => inProject(owner.project, (db) => storedBytes(db, owner.project))
  const part = (id: string, bytes: number) =>
    owner.send('PUT', path(`/imports/${id}/parts/1`), 'x'.repeat(bytes), { 'Content-Type': 'application/octet-stream' })

  test('are counted when they are written and deleted, without a drift', async () => {
    const made = await owner.send('POST', path('/imports'), { onBadLine: 'refuse' })
    expect(made.status).toBe(201)
    const { id } = made.json as { id: string }
    const before = await stored()
    expect((await part(id, 600)).status).toBeLessThan(300)
    expect(await stored()).toBe(before + 600)
    expect((await part(id, 700)).status).toBeLessThan(300)
    expect(await stored()).toBe(before + 700)
    const large = await part(id, 1001)
    expectRefusal(large, 403, 'plan_required')
    expect(large.text).toContain('1000 bytes in one import')
    expect(await stored()).toBe(before + 700)
    expectRefusal(await owner.send('POST', path('/imports'), { onBadLine: 'refuse' }), 409, 'limit_reached')
    await upkeep()
    expect(errors).toEqual([])
  })

  test('of a text beyond the plan are refused, and nothing of it is stored', async () => {
    const animal = await owner.send('POST', path('/animals'), { name: 'Rex', categoryId: 1, status: 'available' })
    expect(animal.status).toBe(201)
    const { id } = animal.json as { id: unknown }
    const before = await stored()
    const found = (await owner.send('GET', path(`/animals/${String(id)}`))).json as { profile: object }
    const put = (story: string) =>
      owner.send('PUT', path(`/animals/${String(id)}/profile`), { ...found.profile, story })
    const refused = await put('x'.repeat(5000))
    expectRefusal(refused, 403, 'plan_required')
    expect(refused.text).toContain('3000 bytes of imports, logos, deployments and texts')
    expect(await stored()).toBe(before)
    expect((await put('x'.repeat(500))).status).toBe(200)
    expect(await stored()).toBe(before + 500)
  })

  test('that are counted wrongly are reported and corrected (negative control)', async () => {
    const before = await stored()
    await inProject(owner.project, (db) => db(forget, owner.project))
    await upkeep()
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('bytes of imports')])
    expect(await stored()).toBe(before)
  })
})

describe('rows of a project', () => {
  const animal = { name: 'Rex', categoryId: 1, status: 'available' }
  const counted = (of: PlatformOwner, kind: CountedRows) =>
    inProject(of.project, (db) => countedRows(db, of.project, kind))

  async function newShop() {
    const shop = await people.owner()
    const made = await shop.send('POST', `/projects/${shop.slug}/keys`, { label: 'till', scopes: ['pets:write'] })
    const { key } = made.json as { key: string }
    const create = (headers: Record<string, string> = {}) =>
      exchange(people.test.origin, {
        method: 'POST',
        path: '/v1/pets',
        body: JSON.stringify(animal),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      })
    return { shop, create, at: (rest: string) => `/projects/${shop.slug}${rest}` }
  }

  test('are as many animals as the plan includes, whichever way they are added', async () => {
    const { shop, create, at } = await newShop()
    const first = await create()
    expect(first.status).toBe(201)
    expect((await shop.send('POST', at('/animals'), animal)).status).toBe(201)
    const { id } = first.json as { id: number }
    expect((await shop.send('POST', at(`/animals/${id}/duplicate`))).status).toBe(201)
    const answers = [
      await create(),
      await create({ 'Idempotency-Key': 'one' }),
      await shop.send('POST', at('/animals'), animal),
      await shop.send('POST', at(`/animals/${id}/duplicate`)),
    ]
    for (const answer of answers) {
      expectRefusal(answer, 403, 'plan_required')
      expect(answer.text).toContain("The plan 'free' includes 3 animals")
    }
    expect(await counted(shop, 'animals')).toBe(3)
    expect(await counted(shop, 'idempotencyKeys')).toBe(0)
    expect((await shop.send('DELETE', at(`/animals/${id}`))).status).toBe(204)
    expect((await create()).status).toBe(201)
    expectRefusal(await create(), 403, 'plan_required')
  })

  test('that are asked for together are added up to the limit', async () => {
    const { shop, create } = await newShop()
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 403)).toHaveLength(5)
    expect(await counted(shop, 'animals')).toBe(3)
  })

  test('include as many idempotency keys as the plan, of which each is counted once', async () => {
    const { shop, create } = await newShop()
    const keyed = (key: string) => create({ 'Idempotency-Key': key })
    for (const key of ['one', 'one', 'two']) expect((await keyed(key)).status).toBe(201)
    const third = await keyed('three')
    expectRefusal(third, 403, 'plan_required')
    expect(third.text).toContain('2 requests with an Idempotency-Key in 24 hours')
    expect(await counted(shop, 'animals')).toBe(2)
  })

  test('are not waited for: two transactions add an animal each before either commits', async () => {
    const shop = await people.owner()
    const add = (then: () => Promise<unknown>) =>
      inProject(shop.project, async (db) => {
        await insertAnimal(db, shop.project, { name: 'Rex', categoryId: 1n, status: 'available' })
        await then()
      })
    await add(() => add(() => add(async () => {})))
    expect(await counted(shop, 'animals')).toBe(3)
  })

  test('that are counted wrongly are reported and corrected (negative control)', async () => {
    const before = await counted(owner, 'animals')
    await inProject(owner.project, (db) => db(forgetAnimal, owner.project))
    errors.length = 0
    await upkeep()
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('animals, but')])
    expect(await counted(owner, 'animals')).toBe(before)
  })
})

describe('an account invites so many people in a day', () => {
  const invite = (by: PlatformOwner, slug = by.slug) =>
    by.send('POST', `/projects/${slug}/invitations`, { email: `${randomUUID()}@petstore.example`, role: 'viewer' })
  const limit = async (answer: Promise<Received>, count: number) => {
    const over = await answer
    expectRefusal(over, 429, 'rate_limited')
    expect(over.text).toContain(`More than ${count} invitations in 86400 s for this account`)
    expect(over.headers['retry-after']).toBeDefined()
  }

  test('from all of its projects together, and fewer while it is new', async () => {
    const shop = await people.owner()
    const slug = `second-${shop.slug}`
    expect((await shop.send('POST', '/projects', { slug, name: slug })).status).toBe(201)
    const own = await Promise.all([invite(shop), invite(shop, slug), invite(shop), invite(shop, slug)])
    expect(own.filter(({ status }) => status === 201)).toHaveLength(2)
    await limit(invite(shop, slug), 2)
    const week = `update accounts set created_at = now() - interval '7 days' where id = $1`
    await asOwner(people.test.database, (client) => client.query(week, [shop.id]))
    expect((await invite(shop)).status).toBe(201)
    await limit(invite(shop, slug), 3)
  })

  test('and one that is refused does not count', async () => {
    const shop = await people.owner()
    const refused = () =>
      shop.send('POST', `/projects/${shop.slug}/invitations`, { email: 'friend@petstore.example', role: 'owner' })
    // Without mail no link makes an owner.
    for (const _ of [1, 2, 3]) expectRefusal(await refused(), 409, 'mail_unavailable')
    expect([(await invite(shop)).status, (await invite(shop)).status]).toEqual([201, 201])
  })
})

describe('what is old', () => {
  test('makes room: events beyond those that are kept, but none of the last day', async () => {
    const count = async () => (await inProject(owner.project, (db) => db(countAudit, owner.project)))[0]?.count
    const recent = await count()
    await inProject(owner.project, (db) => db(addOldEvents, owner.project))
    await upkeep()
    expect(await count()).toBe(recent)
  })

  test('is removed: keys that ended long ago, and none that is valid', async () => {
    const made = await owner.send('POST', `/projects/${owner.slug}/keys`, { label: 'till', scopes: ['pets:read'] })
    expect(made.status).toBe(201)
    await inProject(owner.project, (db) => db(addEndedKey, owner.project))
    await upkeep()
    const listed = (await owner.send('GET', `/projects/${owner.slug}/keys`)).json as { label: string }[]
    expect(listed.map(({ label }) => label)).toEqual(['till'])
  })
})

describe('a deleted project', () => {
  const upkeepOf = ({ project }: PlatformOwner) =>
    runUpkeep(
      { inProject, plans: planRulesOf(limitTableOf(LIMITS, [])), onError: (error) => void errors.push(error) },
      project,
    )
  const left = ({ project }: PlatformOwner) =>
    asOwner(people.test.database, async (client) => {
      const { tables } = await readCatalogue(client)
      await client.query(`select set_config('petstore.projects', '{${project}}', false)`)
      const counts: string[] = []
      for (const { name, hasProject } of tables) {
        if (!hasProject) continue
        const { rows } = await client.query(`select 1 from ${name} where project_id = ${project} limit 1`)
        if (rows.length > 0) counts.push(name.replace('public.', ''))
      }
      return counts.sort()
    })
  const deletedAgo = ({ project }: PlatformOwner, days: number) =>
    inProject(project, (db) => db(deleteAgo, project, days))

  test('leaves nothing but its slug, once it was deleted long enough ago', async () => {
    const shop = await people.owner()
    const at = `/projects/${shop.slug}`
    for (const name of ['Rex', 'Mia']) await shop.send('POST', `${at}/animals`, { name, categoryId: 1 })
    await shop.send('POST', `${at}/keys`, { label: 'till', scopes: ['pets:read'] })
    await shop.send('POST', `${at}/invitations`, { email: 'friend@petstore.example', role: 'viewer' })
    await shop.send('POST', `${at}/imports`, { onBadLine: 'refuse' })
    // A project that exists is never erased, nor one that was deleted a moment ago (negative control).
    expect(await upkeepOf(shop)).toBe('kept')
    await deletedAgo(shop, 6)
    expect(await upkeepOf(shop)).toBe('kept')
    expect(await left(shop)).toEqual(expect.arrayContaining(['api_keys', 'audit', 'imports', 'invitations', 'pets']))
    await deletedAgo(shop, 8)
    expect(await upkeepOf(shop)).toBe('erased')
    // The event of the erasure, and the timer that called it. A tombstone outlives what it is about: it is what a restore must
    // not revive.
    const leftovers = ['audit', 'due_directory', 'slug_directory', 'tombstone_directory']
    expect(await left(shop)).toEqual(leftovers)
  })

  test('leaves nothing of its domains, and is erased when they no longer hold a name', async () => {
    const [shop, holding] = [await people.owner(), await people.owner()]
    for (const [{ project }, removedAt] of [[shop, new Date()] as const, [holding, null] as const]) {
      await inProject(project, async (db) => {
        await db(addDomain, project, removedAt)
        await db(addDomainEvent, project)
        await db(addDomainSettings, project)
      })
    }
    await deletedAgo(shop, 8)
    await deletedAgo(holding, 8)
    expect([await upkeepOf(shop), await upkeepOf(holding)]).toEqual(['erased', 'waits'])
    const ofDomains = async (of: PlatformOwner) => (await left(of)).filter((name) => name.startsWith('domain'))
    expect(await ofDomains(shop)).toEqual([])
    expect(await ofDomains(holding)).toEqual(['domain_events', 'domain_settings', 'domains'])
  })

  test('is erased alone: a statement for another project deletes nothing', async () => {
    const [shop, other] = [await people.owner(), await people.owner()]
    await deletedAgo(shop, 8)
    const removed = await inProject(other.project, (db) => db(eraseOther, shop.project))
    expect(removed).toEqual([{ removed: null }])
  })
})

test('an account has at most 50 sessions: the oldest ends', async () => {
  const person = await people.signUp()
  const { run } = people.test.service.database
  const [hash] = await run(findPassword, person.id)
  for (let n = 0; n < 52; n++) await openSession(run, person.id as AccountId, hash?.password ?? '')
  expect((await run(countSessions, person.id))[0]?.count).toBe(50)
  expect((await person.send('GET', '/account')).status).toBe(401)
})

const forget = statement<never, [project: bigint]>(
  'test-forget-bytes',
  `update stored_usage set bytes = bytes - 1 where project_id = $1 and kind = 'imports'`,
)
const forgetAnimal = statement<never, [project: bigint]>(
  'test-forget-animal',
  `update row_counts set rows = rows - 1 where project_id = $1 and kind = 'animals'`,
)
const deleteAgo = statement<never, [project: bigint, days: number]>(
  'test-delete-ago',
  `update projects set deleted_at = now() - make_interval(days => $2) where project_id = $1`,
)
const addDomain = statement<never, [project: bigint, removedAt: Date | null]>(
  'test-add-domain',
  `insert into domains (project_id, id, hostname, ownership, token, token_generation, next_look_at, removed_at)
   values ($1, 'dom_000000000000000000000001', 'www.' || $1::bigint || '.example', case when $2::timestamptz is null then 'unproven' else 'released' end,
     repeat('t', 26), 1, now(), $2)`,
)
const addDomainEvent = statement<never, [project: bigint]>(
  'test-add-domain-event',
  `insert into domain_events (project_id, domain_id, number, kind)
   values ($1, 'dom_000000000000000000000001', 1, 'domain.added')`,
)
const addDomainSettings = statement<never, [project: bigint]>(
  'test-add-domain-settings',
  `insert into domain_settings (project_id, primary_id)
   values ($1, 'dom_000000000000000000000001')`,
)
const eraseOther = statement<{ removed: number | null }, [project: bigint]>(
  'test-erase-other',
  `select erase_deleted_project($1, 7, 1000) as removed`,
)
const countAudit = statement<{ count: number }, [project: bigint]>(
  'test-count-audit',
  `select count(*)::integer as count from audit where project_id = $1`,
)
const addOldEvents = statement<never, [project: bigint]>(
  'test-add-old-events',
  `insert into audit (project_id, id, at, actor, action, subject)
   select $1, -g, now() - interval '2 days', 'petstore', 'project_created', 'x' from generate_series(1, 20) g`,
)
const addEndedKey = statement<never, [project: bigint]>(
  'test-add-ended-key',
  `insert into api_keys (project_id, id, label, display_prefix, last_four, digest, scopes, revoked_at)
   values ($1, 'key_0000000000000001', 'old', 'x', 'x', sha256('old'), '{pets:read}', now() - interval '31 days')`,
)
const findPassword = statement<{ password: string }, [id: string]>(
  'test-find-password',
  `select password from accounts where id = $1`,
)
const countSessions = statement<{ count: number }, [id: string]>(
  'test-count-sessions',
  `select count(*)::integer as count from sessions where account_id = $1`,
)
