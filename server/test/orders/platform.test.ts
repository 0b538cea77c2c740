// Orders on `/platform/v1`: what members can read, who may approve or decline, the effect on
// the animal; and the animal's status set by hand.

import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { expectRefusal, linksOf } from '../v1/responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner, type PersonClient } from '../../../testbed/harness/platform.ts'
import { ben, reserving } from './reservations.ts'

type OrderBody = { id: number; petId: number; status: string; decidedBy: string | null; decidedAt: string | null }

const platform = await startTestPlatform()
const on = reserving(platform.test.database, platform.test.service.database)
const mia = await platform.owner()
const other = await platform.owner()

const pathOf = ({ slug }: PlatformOwner, rest = '') => `/projects/${slug}/orders${rest}`
const orderOf = ({ json }: Received) => json as OrderBody
const idsOf = ({ json }: Received) => (json as OrderBody[]).map(({ id }) => BigInt(id))

async function joins(owner: PlatformOwner, role: Role): Promise<PersonClient> {
  const person = await platform.signUp(role)
  const account = person.id as AccountId
  await on.inProject(owner.project, async (db) => {
    await insertMember(db, owner.project, account, role)
    await directory.addMember(db, account, owner.project)
  })
  return person
}

/** An animal and an order for it. */
async function held(owner = mia) {
  const petId = await on.addAnimal(owner.project)
  const { id } = await on.reserve(owner.project, petId)
  return { petId, id }
}

const setStatus = (by: Pick<PlatformOwner, 'send'>, petId: unknown, status: unknown, of = mia) =>
  by.send('PUT', `/projects/${of.slug}/animals/${String(petId)}/status`, { status })

describe('a reservation', () => {
  test('holds the animal for seven days, and is shown to members in full', async () => {
    const { petId, id } = await held()
    const answer = await mia.send('GET', pathOf(mia, `/${id}`))
    expect(answer.status).toBe(200)
    const { createdAt, expiresAt } = answer.json as { createdAt: string; expiresAt: string }
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 60 * 60 * 1000)
    expect(answer.text).toBe(
      `{"id":${id},"petId":${petId},"petName":"Rex","status":"placed",` +
        `"visitor":{"name":"${ben.name}","contact":"${ben.contact}"},"message":"${ben.message}",` +
        `"createdAt":"${createdAt}","expiresAt":"${expiresAt}","decidedAt":null,"notifiesVisitor":false,"decidedBy":null}`,
    )
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'pending',
      orders: [{ id, status: 'placed', hasTimer: true, isDecided: false }],
    })
    expect(await on.auditEvents(mia.project, id)).toEqual(['visitor order_placed'])
  })

  test.each(['pending', 'sold'] as const)('of an animal that is %s is refused as not_available', async (status) => {
    const petId = await on.addAnimal(mia.project, 'Rex', status)
    await expect(on.reserve(mia.project, petId)).rejects.toMatchObject({ code: 'not_available', status: 409 })
    expect(await on.look(mia.project, petId)).toEqual({ status, orders: [] })
  })

  test('of an animal of another project, or of none, is refused as not_found with the same message', async () => {
    const petId = await on.addAnimal(other.project)
    const missing = { code: 'not_found', message: 'No animal with this identifier.' }
    await expect(on.reserve(mia.project, petId)).rejects.toMatchObject(missing)
    await expect(on.reserve(mia.project, 9007199254740991n)).rejects.toMatchObject(missing)
    expect((await on.look(other.project, petId)).status).toBe('available')
  })

  test('without a name is refused, and holds nothing', async () => {
    const petId = await on.addAnimal(mia.project)
    await expect(on.reserve(mia.project, petId, { ...ben, name: ' ' })).rejects.toMatchObject({ code: 'invalid_field' })
    expect((await on.look(mia.project, petId)).status).toBe('available')
  })

  test('of one animal by many concurrent visitors succeeds for exactly one', async () => {
    const petId = await on.addAnimal(mia.project)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => on.reserve(mia.project, petId)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused).toHaveLength(19)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'not_available' })
    const { status, orders } = await on.look(mia.project, petId)
    expect([status, orders.length]).toEqual(['pending', 1])
  })

  test('is shown on /v1 without any data about the visitor', async () => {
    const { north } = platform.test
    const petId = await on.addAnimal(north.project)
    const { id } = await on.reserve(north.project, petId)
    const { text } = await north.get('/v1/store/orders?limit=1')
    expect(text).toMatch(
      new RegExp(
        `^\\[{"id":${id},"petId":${petId},"quantity":1,"shipDate":null,"status":"placed","complete":false,"createdAt":"[^"]+"}\\]$`,
      ),
    )
  })
})

describe('listOrders', () => {
  let own: PlatformOwner
  let ids: bigint[]
  beforeAll(async () => {
    own = await platform.owner()
    ids = []
    for (let n = 0; n < 5; n++) ids.push((await held(own)).id)
    for (const id of ids.slice(0, 3)) await own.send('POST', pathOf(own, `/${id}/decline`))
  })

  test('is newest first, and paged by limit, cursor and Link', async () => {
    const first = await own.send('GET', pathOf(own, '?limit=3'))
    expect(idsOf(first)).toEqual(ids.toReversed().slice(0, 3))
    const next = new URL(linksOf(first)['next'] ?? '')
    expect(next.href.startsWith(`https://api.petstore.example/platform/v1${pathOf(own)}?limit=3&cursor=`)).toBe(true)
    const second = await own.send('GET', pathOf(own, next.search))
    expect(idsOf(second)).toEqual(ids.toReversed().slice(3))
    expect(linksOf(second)['next']).toBeUndefined()
  })

  test('is filtered by status, over several pages', async () => {
    const declined = ids.slice(0, 3).toReversed()
    expect(idsOf(await own.send('GET', pathOf(own, '?status=declined')))).toEqual(declined)
    expect(idsOf(await own.send('GET', pathOf(own, '?status=placed')))).toEqual(ids.slice(3).toReversed())
    expect(idsOf(await own.send('GET', pathOf(own, '?status=expired')))).toEqual([])
    const first = await own.send('GET', pathOf(own, '?status=declined&limit=2'))
    const next = new URL(linksOf(first)['next'] ?? '')
    expect(next.searchParams.get('status')).toBe('declined')
    expect([...idsOf(first), ...idsOf(await own.send('GET', pathOf(own, next.search)))]).toEqual(declined)
  })

  test.each([
    ['status=shipped', 'invalid_parameter'],
    ['limit=0', 'invalid_parameter'],
    ['petId=1', 'unknown_parameter'],
    ['cursor=nonsense', 'invalid_cursor'],
  ] as const)('refuses %s as %s', async (query, code) => {
    expectRefusal(await own.send('GET', pathOf(own, `?${query}`)), 400, code)
  })

  test("shows the project's own orders only", async () => {
    const stranger = await platform.owner()
    expect((await stranger.send('GET', pathOf(stranger))).text).toBe('[]')
    expectRefusal(await stranger.send('GET', pathOf(own)), 404, 'not_found', 'No project with this slug.')
  })
})

describe('approveOrder and declineOrder', () => {
  test.each([
    ['approve', 'approved', 'sold'],
    ['decline', 'declined', 'available'],
  ])(
    '%s: the order is %s, the animal %s, the timer is cleared, and an audit event names the actor',
    async (way, status, animal) => {
      const { petId, id } = await held()
      const answer = await mia.send('POST', pathOf(mia, `/${id}/${way}`))
      expect([answer.status, orderOf(answer)]).toMatchObject([200, { status, petId: Number(petId), decidedBy: mia.id }])
      expect(Date.parse(orderOf(answer).decidedAt ?? '')).not.toBeNaN()
      expect((await mia.send('GET', pathOf(mia, `/${id}`))).text).toBe(answer.text)
      expect(await on.look(mia.project, petId)).toMatchObject({
        status: animal,
        orders: [{ status, decidedBy: mia.id, isDecided: true, hasTimer: false }],
      })
      expect(await on.auditEvents(mia.project, id)).toEqual(['visitor order_placed', `${mia.id} order_${status}`])
    },
  )

  test.each([
    ['approve', 'approve', 'This order has already been approved.'],
    ['approve', 'decline', 'This order has already been approved.'],
    ['decline', 'approve', 'This order has already been declined.'],
    ['decline', 'decline', 'This order has already been declined.'],
  ])('after %s, %s is refused as wrong_state and changes nothing', async (first, second, words) => {
    const { petId, id } = await held()
    await mia.send('POST', pathOf(mia, `/${id}/${first}`))
    const before = await on.look(mia.project, petId)
    expectRefusal(await mia.send('POST', pathOf(mia, `/${id}/${second}`)), 409, 'wrong_state', words)
    expect(await on.look(mia.project, petId)).toEqual(before)
    expect(await on.auditEvents(mia.project, id)).toHaveLength(2)
  })

  test('of two concurrent decisions exactly one succeeds', async () => {
    const { petId, id } = await held()
    const answers = await Promise.all(
      ['approve', 'decline', 'approve', 'decline'].map((way) => mia.send('POST', pathOf(mia, `/${id}/${way}`))),
    )
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '409', '409', '409'])
    const { status, orders } = await on.look(mia.project, petId)
    expect(status).toBe(orders[0]?.status === 'approved' ? 'sold' : 'available')
  })

  test('an animal that was freed can be reserved again, and one that was sold cannot', async () => {
    const { petId, id } = await held()
    await mia.send('POST', pathOf(mia, `/${id}/decline`))
    const { id: second } = await on.reserve(mia.project, petId)
    await mia.send('POST', pathOf(mia, `/${second}/approve`))
    await expect(on.reserve(mia.project, petId)).rejects.toMatchObject({ code: 'not_available' })
    expect((await on.look(mia.project, petId)).orders.map(({ status }) => status)).toEqual(['declined', 'approved'])
  })
})

describe('an order or animal of another project', () => {
  const ways = [
    ['GET', ''],
    ['POST', '/approve'],
    ['POST', '/decline'],
  ] as const

  test.each(ways)('%s %s is answered like an order that never existed', async (method, way) => {
    const { petId, id } = await held(other)
    const foreign = await mia.send(method, pathOf(mia, `/${id}${way}`))
    expectRefusal(foreign, 404, 'not_found', 'No order with this identifier.')
    for (const none of ['9007199254740991', '0', '-1', 'nonsense', '01', '9223372036854775808']) {
      expect((await mia.send(method, pathOf(mia, `/${none}${way}`))).text).toBe(foreign.text)
    }
    expect(await on.look(other.project, petId)).toMatchObject({ status: 'pending', orders: [{ status: 'placed' }] })
  })

  test('has no status to set, like an animal that never existed', async () => {
    const petId = await on.addAnimal(other.project)
    const foreign = await setStatus(mia, petId, 'sold')
    expectRefusal(foreign, 404, 'not_found', 'No animal with this identifier.')
    for (const none of ['9007199254740991', '0', 'nonsense', '9223372036854775808']) {
      expect((await setStatus(mia, none, 'sold')).text).toBe(foreign.text)
    }
    expect((await on.look(other.project, petId)).status).toBe('available')
  })
})

describe('access to orders', () => {
  test('lets a viewer read and decide nothing, and an admin decide', async () => {
    const [viewer, admin] = [await joins(mia, 'viewer'), await joins(mia, 'admin')]
    const { petId, id } = await held()
    expect((await viewer.send('GET', pathOf(mia))).status).toBe(200)
    expect((await viewer.send('GET', pathOf(mia, `/${id}`))).status).toBe(200)
    for (const way of ['approve', 'decline']) {
      expectRefusal(await viewer.send('POST', pathOf(mia, `/${id}/${way}`)), 403, 'insufficient_role')
    }
    expectRefusal(await setStatus(viewer, petId, 'sold'), 403, 'insufficient_role')
    expect(await on.look(mia.project, petId)).toMatchObject({ status: 'pending', orders: [{ status: 'placed' }] })
    expect((await setStatus(admin, petId, 'pending')).status).toBe(200)
    expect(orderOf(await admin.send('POST', pathOf(mia, `/${id}/approve`))).decidedBy).toBe(admin.id)
  })

  test('reveals nothing to people who are not members, or not signed in', async () => {
    const { petId, id } = await held()
    for (const [method, path] of [
      ['GET', pathOf(mia)],
      ['GET', pathOf(mia, `/${id}`)],
      ['POST', pathOf(mia, `/${id}/approve`)],
      ['POST', pathOf(mia, `/${id}/decline`)],
    ] as const) {
      expectRefusal(await other.send(method, path), 404, 'not_found', 'No project with this slug.')
      expectRefusal(await platform.anyone.send(method, path), 401, 'not_signed_in')
    }
    expectRefusal(await setStatus(other, petId, 'sold'), 404, 'not_found', 'No project with this slug.')
    expectRefusal(await setStatus(platform.anyone, petId, 'sold'), 401, 'not_signed_in')
    expect((await on.look(mia.project, petId)).status).toBe('pending')
  })
})

describe('setAnimalStatus', () => {
  test.each([
    ['available', 'declined'],
    ['sold', 'declined'],
    ['pending', 'placed'],
  ])('%s leaves an open order %s', async (status, order) => {
    const { petId, id } = await held()
    const answer = await setStatus(mia, petId, status)
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { id: Number(petId), name: 'Rex', categoryId: 1, status, createdAt: expect.any(String) as string },
    ])
    const isDecided = order !== 'placed'
    expect(await on.look(mia.project, petId)).toEqual({
      status,
      orders: [{ id, status: order, isDecided, decidedBy: isDecided ? mia.id : null, hasTimer: !isDecided }],
    })
  })

  test.each([
    ['available', 'pending'],
    ['available', 'sold'],
    ['pending', 'available'],
    ['sold', 'available'],
    ['sold', 'pending'],
  ] as const)('changes %s to %s without an order, and records an audit event', async (from, to) => {
    const petId = await on.addAnimal(mia.project, 'Rex', from)
    expect((await setStatus(mia, petId, to)).json).toMatchObject({ status: to })
    expect((await on.look(mia.project, petId)).status).toBe(to)
    expect(await on.auditEvents(mia.project, petId)).toEqual([`${mia.id} animal_status_set`])
  })

  test('records no audit event when nothing changes', async () => {
    const petId = await on.addAnimal(mia.project, 'Rex', 'sold')
    expect((await setStatus(mia, petId, 'sold')).status).toBe(200)
    expect(await on.auditEvents(mia.project, petId)).toEqual([])
  })

  test.each([
    [{ status: 'gone' }, 'invalid_field'],
    [{ status: null }, 'invalid_field'],
    [{}, 'missing_field'],
    [{ status: 'sold', name: 'Max' }, 'unknown_field'],
  ] as const)('refuses %j as %s', async (body, code) => {
    const petId = await on.addAnimal(mia.project)
    const answer = await mia.send('PUT', `/projects/${mia.slug}/animals/${petId}/status`, body)
    expectRefusal(answer, 400, code)
    expect((await on.look(mia.project, petId)).status).toBe('available')
  })
})
