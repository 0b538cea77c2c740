// API keys on `/platform/v1`: created, listed, rotated and revoked by people, within their
// plan; and used on `/v1`, which is their purpose.

import { scopes as allScopes } from '@petstore-platform/contract/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultRules } from '../../src/plans/limits.ts'
import { setPlan } from '../../src/plans/plans.io.ts'
import { trackKeyUses } from '../../src/projects/jobs.io.ts'
import { inProjectOf, inProjectsOf } from '../../src/projects/scope.io.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import { bytesOf, startPeople, type People } from './people.ts'
import type { PlatformJson, PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'

type KeyBody = {
  id: string
  label: string
  displayPrefix: string
  lastFour: string
  scopes: string[]
  createdBy: string | null
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  deprecatedCalls: number
}
type Fresh = KeyBody & { key: string }

const UNKNOWN = 'key_000000000000000000000000'
const HOUR = 3_600_000

let people: People
let mia: PlatformOwner
let other: PlatformOwner
/** The service's clock runs this far ahead, so that tests need not wait for a key to expire. */
let ahead = 0

beforeAll(async () => {
  people = await startPeople({ now: () => Date.now() + ahead })
  mia = await people.owner()
  other = await people.owner()
})

const pathOf = ({ slug }: PlatformOwner, rest = '') => `/projects/${slug}/keys${rest}`
const freshOf = ({ status, text }: Received): Fresh => {
  expect([status, text]).toEqual([201, expect.stringContaining('"key":"pets_live_')])
  return JSON.parse(text) as Fresh
}
const make = async (owner: PlatformOwner, body: PlatformJson = { label: 'test' }) =>
  freshOf(await owner.send('POST', pathOf(owner), body))
const rotate = (owner: PlatformOwner, id: string, body: PlatformJson = {}, by: Visitor = owner) =>
  by.send('POST', pathOf(owner, `/${id}/rotate`), body)
const list = async (owner: PlatformOwner) => (await owner.send('GET', pathOf(owner))).json as KeyBody[]
const ask = (key: string, path = '/v1/pets') =>
  exchange(people.test.origin, { path, headers: { Authorization: `Bearer ${key}` } })
const outcome = ({ status, text }: Received) =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`
const refusedWithin = async (key: string, ms: number) => {
  const until = Date.now() + ms
  let answer = await ask(key)
  while (answer.status === 200 && Date.now() < until) answer = await ask(key)
  return outcome(answer)
}
const auditEvents = ({ project }: PlatformOwner) =>
  asProject(people.test.database, project, async (client) => {
    const { rows } = await client.query<{ actor: string; action: string; subject: string; detail: object }>(
      `select actor, action, subject, detail from audit where project_id = $1 and action like 'key%' order by id`,
      [project],
    )
    return rows
  })

describe('creating a key', () => {
  test('returns one that works, shows it once, and records who created it', async () => {
    const owner = await people.owner()
    const { key, ...shown } = await make(owner, { label: 'Stock 🐾' })
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      label: 'Stock 🐾',
      displayPrefix: key.slice(0, 14),
      lastFour: key.slice(-4),
      scopes: [...allScopes],
      createdBy: owner.id,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      deprecatedCalls: 0,
    })
    expect((await ask(key)).status).toBe(200)
    const again = await owner.send('GET', pathOf(owner))
    expect(again.json).toEqual([shown])
    expect(`${again.text}${people.test.logs.join('')}`).not.toContain(key.slice(14, 44))
    expect(await auditEvents(owner)).toEqual([
      {
        actor: owner.id,
        action: 'key_created',
        subject: shown.id,
        detail: { label: 'Stock 🐾', scopes: [...allScopes] },
      },
    ])
  })

  test('gives it the requested scopes and no others', async () => {
    const { key, scopes } = await make(mia, { label: 'narrow', scopes: ['orders:read'] })
    expect(scopes).toEqual(['orders:read'])
    expect(outcome(await ask(key))).toBe('403 insufficient_scope')
    expect((await ask(key, '/v1/store/orders')).status).toBe(200)
  })

  test('sets the requested expiry', async () => {
    const expiresAt = new Date(Date.now() + HOUR).toISOString()
    const { key, ...shown } = await make(mia, { label: 'ends', expiresAt })
    expect(shown.expiresAt).toBe(expiresAt)
    expect((await ask(key)).status).toBe(200)
    ahead = HOUR
    expect(outcome(await ask(key))).toBe('401 expired_api_key')
    ahead = 0
    expect((await make(mia, { label: 'never ends', expiresAt: null })).expiresAt).toBeNull()
  })

  test.each([
    ['no label', {}, 'missing_field'],
    ['an empty label', { label: '' }, 'invalid_field'],
    ['a label of white space', { label: '  ' }, 'invalid_field'],
    ['a label of 101 characters', { label: 'x'.repeat(101) }, 'invalid_field'],
    ['no scope', { label: 'a', scopes: [] }, 'invalid_field'],
    ['an unknown scope', { label: 'a', scopes: ['pets:fly'] }, 'invalid_field'],
    ['a scope twice', { label: 'a', scopes: ['pets:read', 'pets:read'] }, 'invalid_field'],
    ['scopes that are no list', { label: 'a', scopes: 'pets:read' }, 'invalid_field'],
    ['a time that is over', { label: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'invalid_field'],
    ['a day', { label: 'a', expiresAt: '2099-01-01' }, 'invalid_field'],
    ['a day that there is not', { label: 'a', expiresAt: '2099-02-30T00:00:00Z' }, 'invalid_field'],
    ['a number for a time', { label: 'a', expiresAt: 5 }, 'invalid_field'],
    ['an unknown field', { label: 'a', role: 'owner' }, 'unknown_field'],
  ] as const)('is refused with %s', async (_, body, code) => {
    expectRefusal(await mia.send('POST', pathOf(mia), body), 400, code)
  })
})

describe('the list of keys', () => {
  test('has the active keys first, each group newest first', async () => {
    const owner = await people.owner()
    const made: Fresh[] = []
    for (const label of ['a', 'b', 'c', 'd']) made.push(await make(owner, { label }))
    await owner.send('DELETE', pathOf(owner, `/${made[3]?.id}`))
    await rotate(owner, made[1]?.id ?? '', { overlapSeconds: 0 })
    const found = await list(owner)
    expect(found.map(({ label, revokedAt, expiresAt }) => [label, revokedAt !== null, expiresAt !== null])).toEqual([
      ['b', false, false],
      ['c', false, false],
      ['a', false, false],
      ['d', true, false],
      ['b', false, true],
    ])
  })
})

describe('rotating a key', () => {
  test('returns a new key with the same label and scopes; both work until the overlap ends', async () => {
    const owner = await people.owner()
    const before = await make(owner, { label: 'turning', scopes: ['pets:read'] })
    const answer = await rotate(owner, before.id, { overlapSeconds: 600 })
    const { old, ...after } = { ...freshOf(answer), ...(answer.json as { old: KeyBody }) }
    expect(after).toMatchObject({ label: 'turning', scopes: ['pets:read'], expiresAt: null })
    expect(after.id).not.toBe(before.id)
    expect(old).toMatchObject({ id: before.id, revokedAt: null })
    const left = Date.parse(old.expiresAt ?? '') - Date.now()
    expect(left).toBeGreaterThan(590_000)
    expect(left).toBeLessThanOrEqual(600_000)

    expect([(await ask(before.key)).status, (await ask(after.key)).status]).toEqual([200, 200])
    ahead = 600_000
    expect([outcome(await ask(before.key)), outcome(await ask(after.key))]).toEqual(['401 expired_api_key', '200'])
    ahead = 0
    expect((await auditEvents(owner)).at(-1)).toEqual({
      actor: owner.id,
      action: 'key_rotated',
      subject: before.id,
      detail: { label: 'turning', newKey: after.id, overlapSeconds: 600 },
    })
  })

  test('has an overlap of 24 hours by default', async () => {
    const { id } = await make(mia)
    const { old } = (await rotate(mia, id)).json as { old: KeyBody }
    const left = Date.parse(old.expiresAt ?? '') - Date.now()
    expect(Math.abs(left - 24 * HOUR)).toBeLessThan(10_000)
  })

  test.each([
    ['a negative overlap', { overlapSeconds: -1 }, 'invalid_field'],
    ['more than 30 days', { overlapSeconds: 2_592_001 }, 'invalid_field'],
    ['half a second', { overlapSeconds: 0.5 }, 'invalid_field'],
    ['a text', { overlapSeconds: '60' }, 'invalid_field'],
    ['an unknown field', { label: 'new' }, 'unknown_field'],
    ['no body', undefined, 'missing_body'],
  ] as const)('is refused with %s', async (_, body, code) => {
    const { id } = await make(await people.owner())
    expectRefusal(await mia.send('POST', pathOf(mia, `/${id}/rotate`), body), 400, code)
  })

  test('that is no longer active is refused', async () => {
    const [revoked, expired] = [await make(other), await make(other)]
    await other.send('DELETE', pathOf(other, `/${revoked.id}`))
    await rotate(other, expired.id, { overlapSeconds: 0 })
    expectRefusal(await rotate(other, revoked.id), 404, 'not_found')
    expectRefusal(await rotate(other, expired.id), 404, 'not_found')
  })
})

describe('revoking a key', () => {
  test('ends it within a second, is recorded once, and keeps the first time', async () => {
    const owner = await people.owner()
    const { id, key } = await make(owner, { label: 'leaked' })
    expect((await ask(key)).status).toBe(200)
    expect((await owner.send('DELETE', pathOf(owner, `/${id}`))).status).toBe(204)
    expect(await refusedWithin(key, 1000)).toBe('401 revoked_api_key')
    const [first] = await list(owner)
    expect((await owner.send('DELETE', pathOf(owner, `/${id}`))).status).toBe(204)
    expect(await list(owner)).toEqual([first])
    expect((await auditEvents(owner)).slice(1)).toEqual([
      { actor: owner.id, action: 'key_revoked', subject: id, detail: { label: 'leaked' } },
    ])
  })
})

describe('the plan', () => {
  const most = defaultRules.limitsOf('free').keys
  const full = async () => {
    const owner = await people.owner()
    const keys: Fresh[] = []
    for (let count = 0; count < most; count++) keys.push(await make(owner))
    return { owner, keys }
  }
  const sentence = `The plan 'free' includes ${most} API keys; ${most} are in use.`

  test('limits the number of keys, until one is revoked or the plan is a larger one', async () => {
    const { owner, keys } = await full()
    expectRefusal(await owner.send('POST', pathOf(owner), { label: 'more' }), 403, 'plan_required', sentence)
    expect(await list(owner)).toHaveLength(most)
    await owner.send('DELETE', pathOf(owner, `/${keys[0]?.id}`))
    await make(owner)
    expectRefusal(await owner.send('POST', pathOf(owner), { label: 'more' }), 403, 'plan_required')
    await setPlan({ inProject: inProjectOf(people.test.service.database) }, owner.project, 'pro', 'operator')
    await make(owner)
  })

  test('is enforced for concurrent requests', async () => {
    const owner = await people.owner()
    for (let count = 0; count < most - 2; count++) await make(owner)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => owner.send('POST', pathOf(owner), { label: 'at once' })),
    )
    expect(answers.map(outcome).sort()).toEqual(['201', '201', ...Array<string>(4).fill('403 plan_required')])
  })

  test('lets a key be replaced when it is full, but not the same one repeatedly', async () => {
    const { owner, keys } = await full()
    const id = keys[0]?.id ?? ''
    expect((await rotate(owner, id)).status).toBe(201)
    expectRefusal(await rotate(owner, id), 403, 'plan_required')
    expect((await rotate(owner, keys[1]?.id ?? '')).status).toBe(201)
  })

  test('leaves a key as it was when its replacement is refused', async () => {
    const { owner, keys } = await full()
    const id = keys[0]?.id ?? ''
    await rotate(owner, id, { overlapSeconds: 3600 })
    const before = (await list(owner)).find((key) => key.id === id)
    expectRefusal(await rotate(owner, id, { overlapSeconds: 0 }), 403, 'plan_required')
    expect((await list(owner)).find((key) => key.id === id)).toEqual(before)
  })
})

describe('calls of deprecated operations', () => {
  const callsOf = async (owner: PlatformOwner, id: string) =>
    (await list(owner)).find((key) => key.id === id)?.deprecatedCalls

  test('are counted for the key that made them, whatever their outcome, and no others are', async () => {
    const owner = await people.owner()
    const [old, modern] = [await make(owner), await make(owner)]
    for (const path of ['/v1/pets/1', '/v1/pets/2', '/v1/pets/no-number']) await ask(old.key, path)
    await ask(old.key)
    await ask(modern.key)
    // The service writes every five seconds.
    const until = Date.now() + 20_000
    while ((await callsOf(owner, old.id)) !== 3 && Date.now() < until) await ask(modern.key)
    expect([await callsOf(owner, old.id), await callsOf(owner, modern.id)]).toEqual([3, 0])
  })

  test('of several processes are added up, each once, even after a failed write', async () => {
    const owner = await people.owner()
    const { id } = await make(owner)
    const caller = { project: owner.project, keyId: id, scopes: [] }
    const inProjects = inProjectsOf(people.test.service.database)
    let isDown = false
    const tracker = () =>
      trackKeyUses({
        inProjects: (projects, work) => (isDown ? Promise.reject(new Error('down')) : inProjects(projects, work)),
        now: Date.now,
      })
    const [one, two] = [tracker(), tracker()]
    const written = async () => {
      await one.write()
      await two.write()
      return callsOf(owner, id)
    }
    one.note(caller, true)
    two.note(caller, true)
    one.note(caller)
    expect(await written()).toBe(2)
    expect(await written()).toBe(2)

    isDown = true
    one.note(caller, true)
    await expect(one.write()).rejects.toThrow('down')
    one.note(caller, true)
    isDown = false
    expect(await written()).toBe(4)
  })
})

describe('access to keys', () => {
  const refused = '403 insufficient_role'
  const cases: [
    string,
    (owner: PlatformOwner, id: string) => [string, string, PlatformJson?],
    Record<string, string>,
  ][] = [
    ['list the keys', (owner) => ['GET', pathOf(owner)], { viewer: '200', admin: '200', owner: '200' }],
    ['make a key', (owner) => ['POST', pathOf(owner), { label: 'x' }], { viewer: refused, admin: '201', owner: '201' }],
    [
      'rotate a key',
      (owner, id) => ['POST', pathOf(owner, `/${id}/rotate`), {}],
      { viewer: refused, admin: '201', owner: '201' },
    ],
    [
      'revoke a key',
      (owner, id) => ['DELETE', pathOf(owner, `/${id}`)],
      { viewer: refused, admin: '204', owner: '204' },
    ],
  ]
  test.each(cases)('only a role that allows it may %s', async (_, request, allowed) => {
    const owner = await people.owner()
    const { id } = await make(owner)
    const everybody = await people.everybody(owner)
    const expected = { ...allowed, stranger: '404 not_found', nobody: '401 not_signed_in' }
    const found: Record<string, string> = {}
    for (const [who, visitor] of Object.entries(everybody))
      found[who] = outcome(await visitor.send(...request(owner, id)))
    expect(found).toEqual(expected)
  })

  test.each([
    ['rotating', (id: string) => ['POST', `/${id}/rotate`, {}] as const],
    ['revoking', (id: string) => ['DELETE', `/${id}`] as const],
  ])(
    '%s a key of another project is byte for byte like one that does not exist, and it stays active',
    async (_, request) => {
      const foreign = await make(other)
      const own = async (id: string) => {
        const [method, rest, body] = request(id)
        return mia.send(method, pathOf(mia, rest), body)
      }
      const answer = await own(foreign.id)
      expect(answer.status).toBe(404)
      expect(bytesOf(answer)).toBe(bytesOf(await own(UNKNOWN)))
      expect((await ask(foreign.key)).status).toBe(200)
      expect((await list(other)).find(({ id }) => id === foreign.id)).toMatchObject({
        revokedAt: null,
        expiresAt: null,
      })
    },
  )

  test('an API key can do nothing here, not even to itself', async () => {
    const { id, key } = await make(await people.owner())
    const authorization = { Authorization: `Bearer ${key}` }
    const requests = [
      ['GET', pathOf(mia)],
      ['POST', pathOf(mia), { label: 'more' }],
      ['POST', pathOf(mia, `/${id}/rotate`), {}],
      ['DELETE', pathOf(mia, `/${id}`)],
    ] as const
    for (const [method, path, body] of requests) {
      expectRefusal(await people.anyone.send(method, path, body, authorization), 401, 'not_signed_in')
    }
    expect((await ask(key)).status).toBe(200)
  })

  test('the keys of another project are byte for byte like those of none', async () => {
    const foreign = await mia.send('GET', pathOf(other))
    expect(foreign.status).toBe(404)
    expect(bytesOf(foreign)).toBe(bytesOf(await mia.send('GET', '/projects/there-is-none/keys')))
  })
})

describe('the active keys of a member', () => {
  const change = (owner: PlatformOwner, { id }: { id: string }, body: PlatformJson) =>
    owner.send('PATCH', `/projects/${owner.slug}/members/${id}`, body)
  const remove = (by: Visitor, { slug }: PlatformOwner, { id }: { id: string }, query = '') =>
    by.send('DELETE', `/projects/${slug}/members/${id}${query}`)
  const madeBy = async (owner: PlatformOwner, person: Visitor) =>
    freshOf(await person.send('POST', pathOf(owner), { label: 'Stock system' }))

  test('need a choice before the member is removed or may no longer create any; there is no default', async () => {
    const owner = await people.owner()
    const tom = await people.joins(owner, 'admin')
    const { key } = await madeBy(owner, tom)
    for (const answer of [await remove(owner, owner, tom), await change(owner, tom, { role: 'viewer' })])
      expectRefusal(answer, 409, 'key_choice_required')
    expectRefusal(await remove(owner, owner, tom, '?keys=maybe'), 400, 'invalid_parameter')
    expectRefusal(await change(owner, tom, { role: 'viewer', keys: 'maybe' }), 400, 'invalid_field')
    expect((await ask(key)).status).toBe(200)
    // An owner creates keys as well as an admin does.
    expect((await change(owner, tom, { role: 'owner' })).status).toBe(200)
  })

  test('are revoked with the member, each with an audit event', async () => {
    const owner = await people.owner()
    const tom = await people.joins(owner, 'admin')
    const [first, second, own] = [await madeBy(owner, tom), await madeBy(owner, tom), await make(owner)]
    expect((await remove(owner, owner, tom, '?keys=revoke')).status).toBe(204)
    await expect.poll(async () => (await ask(first.key)).status, { timeout: 30_000 }).toBe(401)
    expect((await ask(own.key)).status).toBe(200)
    const revoked = (await auditEvents(owner)).filter(({ action }) => action === 'key_revoked')
    expect(revoked.map(({ actor, subject }) => `${actor} ${subject}`).toSorted()).toEqual(
      [first, second].map(({ id }) => `${owner.id} ${id}`).toSorted(),
    )
  })

  test('stay valid if that is the choice, and still name the person', async () => {
    const owner = await people.owner()
    const tom = await people.joins(owner, 'admin')
    const { id, key } = await madeBy(owner, tom)
    expect((await change(owner, tom, { role: 'viewer', keys: 'keep' })).status).toBe(200)
    // A viewer does not revoke keys, not even those of their own.
    expectRefusal(await remove(tom, owner, tom, '?keys=revoke'), 403, 'insufficient_role')
    expect((await remove(tom, owner, tom, '?keys=keep')).status).toBe(204)
    expect((await ask(key)).status).toBe(200)
    expect((await list(owner)).find((one) => one.id === id)).toMatchObject({ createdBy: tom.id, revokedAt: null })
  })

  test('need no choice once they are revoked', async () => {
    const owner = await people.owner()
    const tom = await people.joins(owner, 'admin')
    const { id } = await madeBy(owner, tom)
    await owner.send('DELETE', pathOf(owner, `/${id}`))
    expect((await remove(owner, owner, tom)).status).toBe(204)
  })
})
