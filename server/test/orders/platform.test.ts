// Orders on `/platform/v1`: what visitors ask and members can read, and who may decide.

import { beforeAll, describe, expect, test } from 'vitest'
import { eraseVisitor, place, withdraw } from '../../src/orders/advance.io.ts'
import { findBySecret } from '../../src/orders/order-queries.ts'
import { expectRefusal, linksOf } from '../v1/responses.ts'
import { type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { ben } from './reservations.ts'
import {
  setUpOrders,
  platform,
  on,
  mia,
  other,
  pathOf,
  orderOf,
  idsOf,
  joins,
  asked,
  setStatus,
  move,
} from './platform-orders.ts'

setUpOrders()

describe('a request', () => {
  test('changes nothing that visitors see, and is shown to members in full', async () => {
    const { petId, id } = await asked()
    const answer = await mia.send('GET', pathOf(mia, `/${id}`))
    expect(answer.status).toBe(200)
    const { createdAt, expiresAt } = answer.json as { createdAt: string; expiresAt: string }
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 60 * 60 * 1000)
    expect(answer.text).toBe(
      `{"id":${id},"petId":${petId},"petCategoryId":1,"petName":"Rex","petStatus":"available","portrait":null,` +
        `"cover":null,"status":"placed","stage":"new",` +
        `"moves":["contacted","visit_set","approved","handed_over","declined","withdrawn"],"position":1,` +
        `"queueLength":1,"isHolding":false,"heldUntil":null,"mayHold":true,"visit":null,"decline":null,` +
        `"visitor":{"name":"${ben.name}","contact":"${ben.contact}","phone":""},"isConfirmed":false,"message":"${ben.message}",` +
        `"answers":[],"notes":0,"createdAt":"${createdAt}","expiresAt":"${expiresAt}","decidedAt":null,` +
        `"notifiesVisitor":false,"decidedBy":null,"undoUntil":null,"erased":null}`,
    )
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'available',
      orders: [{ id, status: 'placed', isHolding: false, hasTimer: true, isDecided: false }],
    })
    expect(await on.auditEvents(mia.project, id)).toEqual(['visitor order_placed'])
  })

  test('of an animal that is reserved joins the queue, and of one that is sold is refused', async () => {
    const reserved = await on.addAnimal(mia.project, 'Rex', 'pending')
    const rows = [await on.reserve(mia.project, reserved), await on.reserve(mia.project, reserved)]
    expect(rows.map(({ position }) => position)).toEqual([1, 2])
    const sold = await on.addAnimal(mia.project, 'Rex', 'sold')
    await expect(on.reserve(mia.project, sold)).rejects.toMatchObject({ code: 'not_available', status: 409 })
    expect(await on.look(mia.project, sold)).toEqual({ status: 'sold', orders: [] })
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

  test('of one animal by many concurrent visitors succeeds for twenty, and holds for one if the rule says so', async () => {
    const own = await platform.owner()
    await on.setRule(own.project, 'on_first_request')
    const petId = await on.addAnimal(own.project)
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => on.reserve(own.project, petId)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused).toHaveLength(5)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'queue_full' })
    const { status, orders } = await on.look(own.project, petId)
    expect([status, orders.length, orders.filter(({ isHolding }) => isHolding)]).toMatchObject([
      'pending',
      20,
      [{ id: orders[0]?.id }],
    ])
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
    for (let n = 0; n < 5; n++) ids.push((await asked(own)).id)
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

  test('is filtered by stage and by animal, also together, over several pages', async () => {
    await own.send('POST', pathOf(own, `/${ids[3]}/move`), { fact: 'contacted' })
    const list = async (query: string) => idsOf(await own.send('GET', pathOf(own, `?${query}`)))
    const declined = ids.slice(0, 3).toReversed()
    expect(await list('stage=open')).toEqual(ids.slice(3).toReversed())
    expect(await list('stage=ended')).toEqual(declined)
    expect(await list('stage=talking')).toEqual([ids[3]])
    expect(await list('stage=talking&status=declined')).toEqual([])
    const [first] = (await own.send('GET', pathOf(own, `/${ids[0]}`))).text.match(/"petId":\d+/) ?? []
    const animal = first?.replace(/\D/g, '')
    expect(await list(`animal=${animal}`)).toEqual([ids[0]])
    expect(await list(`animal=${animal}&stage=open`)).toEqual([])
    expect(await list('animal=9007199254740991')).toEqual([])
    const page = await own.send('GET', pathOf(own, '?stage=ended&limit=2'))
    const next = new URL(linksOf(page)['next'] ?? '')
    expect(next.searchParams.get('stage')).toBe('ended')
    expect([...idsOf(page), ...(await list(next.search.slice(1)))]).toEqual(declined)
    expectRefusal(
      await own.send('GET', pathOf(own, next.search.replace('stage=ended', 'stage=open'))),
      400,
      'invalid_cursor',
    )
  })

  test.each([
    ['stage=sold', 'invalid_parameter'],
    ['animal=x', 'invalid_parameter'],
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

describe('visitors', () => {
  test('withdraw for good, and their data is erased with the notes about them', async () => {
    const deps = { inProject: on.inProject }
    const { petId, id } = await asked()
    await mia.send('POST', pathOf(mia, `/${id}/hold`), {})
    await mia.send('POST', pathOf(mia, `/${id}/notes`), { text: 'Called.' })
    expect([await withdraw(deps, mia.project, id), await withdraw(deps, mia.project, id)]).toEqual([true, false])
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'available',
      orders: [{ stage: 'withdrawn', decidedBy: 'visitor' }],
    })
    expectRefusal(await mia.send('POST', pathOf(mia, `/${id}/undo`)), 409, 'wrong_state')
    await eraseVisitor(deps, mia.project, id)
    expect((await mia.send('GET', pathOf(mia, `/${id}`))).json).toMatchObject({
      visitor: { name: '', contact: '' },
      message: '',
      notes: 0,
    })
  })

  test('are found by the digest of their secret alone', async () => {
    const petId = await on.addAnimal(mia.project)
    const secretDigest = Buffer.alloc(32, 7)
    const deps = { inProject: on.inProject }
    const { id } = await place(deps, mia.project, {
      petId,
      ...ben,
      secretDigest,
      language: 'de',
      confirmedAt: new Date(),
    })
    const found = await on.inProject(mia.project, (db) => findBySecret(db, mia.project, secretDigest))
    expect(found).toMatchObject({ id, stage: 'new', language: 'de', petName: 'Rex' })
    expect(found?.confirmedAt).toBeInstanceOf(Date)
    const none = await on.inProject(mia.project, (db) => findBySecret(db, mia.project, Buffer.alloc(32, 8)))
    expect(none).toBeUndefined()
  })
})

describe('an order or animal of another project', () => {
  const ways = [
    ['GET', ''],
    ['POST', '/approve'],
    ['POST', '/decline'],
    ['POST', '/undo'],
    ['DELETE', '/hold'],
    ['GET', '/notes'],
  ] as const

  test.each(ways)('%s %s is answered like an order that never existed', async (method, way) => {
    const { petId, id } = await asked(other)
    const foreign = await mia.send(method, pathOf(mia, `/${id}${way}`))
    expectRefusal(foreign, 404, 'not_found', 'No order with this identifier.')
    for (const none of ['9007199254740991', '0', '-1', 'nonsense', '01', '9223372036854775808']) {
      expect((await mia.send(method, pathOf(mia, `/${none}${way}`))).text).toBe(foreign.text)
    }
    expect(await on.look(other.project, petId)).toMatchObject({ status: 'available', orders: [{ status: 'placed' }] })
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
    const { petId, id } = await asked()
    expect((await viewer.send('GET', pathOf(mia))).status).toBe(200)
    expect((await viewer.send('GET', pathOf(mia, `/${id}`))).status).toBe(200)
    for (const way of ['approve', 'decline']) {
      expectRefusal(await viewer.send('POST', pathOf(mia, `/${id}/${way}`)), 403, 'insufficient_role')
    }
    expectRefusal(await setStatus(viewer, petId, 'sold'), 403, 'insufficient_role')
    expectRefusal(await move(id, 'contacted', viewer), 403, 'insufficient_role')
    expectRefusal(await viewer.send('POST', pathOf(mia, `/${id}/notes`), { text: 'x' }), 403, 'insufficient_role')
    expect(await on.look(mia.project, petId)).toMatchObject({ status: 'available', orders: [{ status: 'placed' }] })
    expect((await setStatus(admin, petId, 'pending')).status).toBe(200)
    expect(orderOf(await admin.send('POST', pathOf(mia, `/${id}/approve`))).decidedBy).toBe(admin.id)
  })

  test('reveals nothing to people who are not members, or not signed in', async () => {
    const { petId, id } = await asked()
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
    expect((await on.look(mia.project, petId)).status).toBe('available')
  })
})
