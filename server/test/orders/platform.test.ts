// Orders on `/platform/v1`: what members can read, who may move a request and hold its animal, the
// effect on the animal and the other requests; and the animal's status set by hand.

import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { eraseVisitor, move as moveTo, place, undo, withdraw } from '../../src/orders/advance.io.ts'
import { insertNote } from '../../src/orders/note-queries.ts'
import { findBySecret } from '../../src/orders/order-queries.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { expectRefusal, linksOf } from '../v1/responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner, type PersonClient } from '../../../testbed/harness/platform.ts'
import { ben, reserving } from './reservations.ts'

type OrderBody = {
  id: number
  petId: number
  status: string
  stage: string
  moves: string[]
  position: number | null
  isHolding: boolean
  mayHold: boolean
  heldUntil: string | null
  notes: number
  decidedBy: string | null
  decidedAt: string | null
  undoUntil: string | null
}

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

/** An animal and a request for it. */
async function asked(owner = mia) {
  const petId = await on.addAnimal(owner.project)
  const { id } = await on.reserve(owner.project, petId)
  return { petId, id }
}

const setStatus = (by: Pick<PlatformOwner, 'send'>, petId: unknown, status: unknown, of = mia) =>
  by.send('PUT', `/projects/${of.slug}/animals/${String(petId)}/status`, { status })

const move = (id: unknown, fact: string, by: Pick<PlatformOwner, 'send'> = mia) =>
  by.send('POST', pathOf(mia, `/${String(id)}/move`), { fact })
const visit = { at: '2026-11-21T10:00:00+01:00', place: 'At the shelter' }

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
        `"queueLength":1,"isHolding":false,"heldUntil":null,"mayHold":true,"visit":null,` +
        `"visitor":{"name":"${ben.name}","contact":"${ben.contact}"},"isConfirmed":false,"message":"${ben.message}",` +
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

describe('moves', () => {
  test('through all stages to a home, as /v1 shows it at every step', async () => {
    const { north } = platform.test
    const shop = { ...mia, slug: 'north', project: north.project }
    const petId = await on.addAnimal(north.project)
    const { id } = await on.reserve(north.project, petId)
    const deps = { inProject: on.inProject }
    const member = { project: shop.project, account: mia.id as AccountId }
    const seen: [string, string, unknown][] = []
    const look = async () => {
      const [order] = (await north.get('/v1/store/orders?limit=1')).json as Record<string, unknown>[]
      const { status } = await on.look(north.project, petId)
      seen.push([String(order?.['status']), status, order?.['shipDate'] !== null])
    }
    await look()
    for (const fact of ['contacted', 'visit_set', 'approved', 'handed_over'] as const) {
      await moveTo(deps, member, id, { fact, visit: undefined })
      await look()
    }
    await undo(deps, member, id)
    await look()
    expect(seen).toEqual([
      ['placed', 'available', false],
      ['placed', 'available', false],
      ['placed', 'available', false],
      ['approved', 'pending', false],
      ['delivered', 'sold', true],
      ['approved', 'pending', false],
    ])
  })

  test('approve: the animal is held for seven days, and not sold', async () => {
    const { petId, id } = await asked()
    const answer = await mia.send('POST', pathOf(mia, `/${id}/approve`))
    expect([answer.status, orderOf(answer)]).toMatchObject([
      200,
      { status: 'approved', stage: 'approved', petId: Number(petId), decidedBy: mia.id, isHolding: true },
    ])
    const days =
      (Date.parse(orderOf(answer).heldUntil ?? '') - Date.parse(orderOf(answer).decidedAt ?? '')) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    expect((await mia.send('GET', pathOf(mia, `/${id}`))).text).toBe(answer.text)
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'pending',
      orders: [{ status: 'approved', decidedBy: mia.id, isDecided: true, hasTimer: true }],
    })
    expect(await on.auditEvents(mia.project, id)).toEqual([
      'visitor order_placed',
      `${mia.id} order_approved`,
      `${mia.id} order_held`,
    ])
  })

  test('decline: the animal is free, and the timer is cleared', async () => {
    const { petId, id } = await asked()
    await mia.send('POST', pathOf(mia, `/${id}/hold`), {})
    expect((await on.look(mia.project, petId)).status).toBe('pending')
    const answer = await mia.send('POST', pathOf(mia, `/${id}/decline`))
    expect(orderOf(answer)).toMatchObject({ status: 'declined', stage: 'declined', position: null, isHolding: false })
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'available',
      orders: [{ status: 'declined', decidedBy: mia.id, isDecided: true, hasTimer: false }],
    })
  })

  test.each([
    ['approved', 'approved', 'This request has already been approved.'],
    ['declined', 'approved', 'This request has already been declined.'],
    ['declined', 'declined', 'This request has already been declined.'],
    ['withdrawn', 'reopened', 'The visitor has withdrawn this request.'],
    ['handed_over', 'declined', 'The animal has already been handed over.'],
  ])('after %s, %s is refused as wrong_state and changes nothing', async (first, second, words) => {
    const { petId, id } = await asked()
    expect((await move(id, first)).status).toBe(200)
    const before = await on.dump(mia.project, petId)
    expectRefusal(await move(id, second), 409, 'wrong_state', words)
    expect(await on.dump(mia.project, petId)).toBe(before)
  })

  test('handed over: the animal is sold, and the other requests are closed, not declined', async () => {
    const { petId, id } = await asked()
    const { id: second } = await on.reserve(mia.project, petId)
    const answer = await move(second, 'handed_over')
    expect(orderOf(answer)).toMatchObject({ stage: 'completed', status: 'delivered' })
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'sold',
      orders: [
        { stage: 'closed', status: 'declined' },
        { stage: 'completed', status: 'delivered' },
      ],
    })
    expect((await on.auditEvents(mia.project, id)).at(-1)).toBe(`${mia.id} order_closed`)
    expect(orderOf(await mia.send('GET', pathOf(mia, `/${id}`))).moves).toEqual([])
    await expect(on.reserve(mia.project, petId)).rejects.toMatchObject({ code: 'not_available' })
  })

  test('a visit has a time and a place, and can be changed; other facts have none', async () => {
    const { id } = await asked()
    const path = pathOf(mia, `/${id}/move`)
    expect((await mia.send('POST', path, { fact: 'visit_set', visit })).json).toMatchObject({ stage: 'visit', visit })
    const later = { ...visit, at: '2026-11-22T11:30:00Z' }
    expect((await mia.send('POST', path, { fact: 'visit_set', visit: later })).json).toMatchObject({ visit: later })
    for (const body of [
      { fact: 'visit_set' },
      { fact: 'contacted', visit },
      { fact: 'visit_set', visit: { ...visit, at: 'tomorrow' } },
      { fact: 'visit_set', visit: { ...visit, place: 'a\nb' } },
      { fact: 'visit_set', visit: { at: visit.at } },
      { fact: 'silent' },
    ]) {
      expectRefusal(await mia.send('POST', path, body), 400, 'invalid_field')
    }
  })

  test('an ended request is reopened where it was, for thirty days', async () => {
    const { id } = await asked()
    await move(id, 'contacted')
    expect(orderOf(await move(id, 'declined')).moves).toEqual(['reopened'])
    expect(orderOf(await move(id, 'reopened'))).toMatchObject({ stage: 'talking', decidedAt: null, position: 1 })
    await move(id, 'declined')
    await on.age(mia.project, id, 30 * 86_400 + 1, 'decided_at')
    expect(orderOf(await mia.send('GET', pathOf(mia, `/${id}`))).moves).toEqual([])
    expectRefusal(await move(id, 'reopened'), 409, 'wrong_state')
  })

  test('of two concurrent decisions the first wins, or both in turn, and the animal matches', async () => {
    const { petId, id } = await asked()
    await Promise.all(['approve', 'decline', 'approve'].map((way) => mia.send('POST', pathOf(mia, `/${id}/${way}`))))
    const { status, orders } = await on.look(mia.project, petId)
    expect(orders[0]?.stage).toBe('declined')
    expect(status).toBe('available')
  })
})

describe('holds', () => {
  test('one request at a time holds an animal, and the others may not', async () => {
    const { petId, id } = await asked()
    const { id: second } = await on.reserve(mia.project, petId)
    const held = await mia.send('POST', pathOf(mia, `/${id}/hold`), { days: 14 })
    expect(orderOf(held)).toMatchObject({ isHolding: true, mayHold: true, petStatus: 'pending', stage: 'new' })
    expect(Date.parse(orderOf(held).heldUntil ?? '') - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    expect(orderOf(await mia.send('GET', pathOf(mia, `/${second}`)))).toMatchObject({ mayHold: false, position: 2 })
    expectRefusal(await mia.send('POST', pathOf(mia, `/${second}/hold`), {}), 409, 'wrong_state')
    expect(orderOf(await mia.send('DELETE', pathOf(mia, `/${id}/hold`)))).toMatchObject({ isHolding: false })
    expect(await on.look(mia.project, petId)).toMatchObject({ status: 'available', orders: [{}, {}] })
    expectRefusal(await mia.send('DELETE', pathOf(mia, `/${id}/hold`)), 409, 'wrong_state')
    expect((await mia.send('POST', pathOf(mia, `/${second}/hold`), {})).status).toBe(200)
    expect(await on.auditEvents(mia.project, id)).toEqual([
      'visitor order_placed',
      `${mia.id} order_held`,
      `${mia.id} order_released`,
    ])
  })

  test.each([{ days: 0 }, { days: 31 }, { days: '7' }])('refuses %j', async (body) => {
    const { id } = await asked()
    expectRefusal(await mia.send('POST', pathOf(mia, `/${id}/hold`), body), 400, 'invalid_field')
  })

  test('follow the rule of the project', async () => {
    const own = await platform.owner()
    const path = `/projects/${own.slug}/request-settings`
    const defaults = { holdRule: 'on_approval', holdDays: 7, showsRequestCount: false }
    expect((await own.send('GET', path)).json).toEqual(defaults)
    const wanted = { holdRule: 'on_visit', holdDays: 3, showsRequestCount: true }
    expect((await own.send('PUT', path, wanted)).json).toEqual(wanted)
    expect((await own.send('GET', path)).json).toEqual(wanted)
    const { petId, id } = await asked(own)
    const moved = await own.send('POST', pathOf(own, `/${id}/move`), { fact: 'visit_set', visit })
    expect(orderOf(moved)).toMatchObject({ isHolding: true })
    expect(Date.parse(orderOf(moved).heldUntil ?? '') - Date.now()).toBeLessThan(3.01 * 86_400_000)
    expect((await on.look(own.project, petId)).status).toBe('pending')
    expect((await own.send('PUT', path, defaults)).json).toEqual(defaults)
    for (const wrong of [
      { ...wanted, holdRule: 'never' },
      { ...wanted, holdDays: 31 },
    ]) {
      expectRefusal(await own.send('PUT', path, wrong), 400, 'invalid_field')
    }
  })
})

describe('undoOrder', () => {
  const undoOf = (id: unknown) => mia.send('POST', pathOf(mia, `/${String(id)}/undo`))
  const steps = {
    contacted: () => ({ fact: 'contacted' }),
    visit_set: () => ({ fact: 'visit_set', visit }),
    approved: () => ({ fact: 'approved' }),
    handed_over: () => ({ fact: 'handed_over' }),
    declined: () => ({ fact: 'declined' }),
    withdrawn: () => ({ fact: 'withdrawn' }),
  }

  test.each(Object.entries(steps))(
    'restores every byte after %s, with the requests that it closed',
    async (_, body) => {
      const { petId, id } = await asked()
      const { id: second } = await on.reserve(mia.project, petId)
      await on.reserve(mia.project, petId)
      await mia.send('POST', pathOf(mia, `/${second}/hold`), {})
      await on.forgetUndo(mia.project, petId)
      const before = await on.dump(mia.project, petId)
      const moved = await mia.send('POST', pathOf(mia, `/${id}/move`), body())
      expect(moved.status).toBe(200)
      expect(Date.parse(orderOf(moved).undoUntil ?? '') - Date.now()).toBeLessThanOrEqual(60_000)
      expect(await on.dump(mia.project, petId)).not.toBe(before)
      expect(orderOf(await undoOf(id))).toMatchObject({ stage: 'new', undoUntil: null })
      expect(await on.dump(mia.project, petId)).toBe(before)
      expect((await on.auditEvents(mia.project, id)).at(-1)).toBe(`${mia.id} order_undone`)
      expectRefusal(await undoOf(id), 409, 'wrong_state')
    },
  )

  test('restores a hold, and the end of one', async () => {
    const { petId, id } = await asked()
    const before = await on.dump(mia.project, petId)
    await mia.send('POST', pathOf(mia, `/${id}/hold`), {})
    await undoOf(id)
    expect(await on.dump(mia.project, petId)).toBe(before)
    await mia.send('POST', pathOf(mia, `/${id}/hold`), {})
    await on.forgetUndo(mia.project, petId)
    const held = await on.dump(mia.project, petId)
    await mia.send('DELETE', pathOf(mia, `/${id}/hold`))
    await undoOf(id)
    expect(await on.dump(mia.project, petId)).toBe(held)
  })

  test('is too late after a minute, or once the animal has changed', async () => {
    const { petId, id } = await asked()
    await move(id, 'approved')
    await on.age(mia.project, id, 0, 'undo_until')
    expectRefusal(await undoOf(id), 409, 'wrong_state')
    await move(id, 'declined')
    await setStatus(mia, petId, 'sold')
    expectRefusal(await undoOf(id), 409, 'wrong_state')
  })
})

describe('notes', () => {
  test('are numbered, listed oldest first, and counted', async () => {
    const { id } = await asked()
    const path = pathOf(mia, `/${id}/notes`)
    for (const text of ['Called twice.', ' Has a garden.\r\nAnd a cat. ']) {
      expect((await mia.send('POST', path, { text })).status).toBe(201)
    }
    expect((await mia.send('GET', path)).json).toMatchObject([
      { number: 1, author: mia.id, text: 'Called twice.' },
      { number: 2, author: mia.id, text: 'Has a garden.\nAnd a cat.' },
    ])
    expect(orderOf(await mia.send('GET', pathOf(mia, `/${id}`))).notes).toBe(2)
    expect(await on.auditEvents(mia.project, id)).toContain(`${mia.id} order_noted`)
    for (const text of ['', '   ', 'a\u0000b', 'x'.repeat(2001)]) {
      expectRefusal(await mia.send('POST', path, { text }), 400, 'invalid_field')
    }
  })

  test('are 200 at most', async () => {
    const { id } = await asked()
    await on.inProject(mia.project, async (db) => {
      for (let n = 0; n < 200; n++) await insertNote(db, mia.project, id, mia.id, 'Called.')
    })
    expectRefusal(await mia.send('POST', pathOf(mia, `/${id}/notes`), { text: 'x' }), 409, 'limit_reached')
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

describe('setAnimalStatus', () => {
  test.each([
    ['available', 'new', false],
    ['pending', 'new', true],
    ['sold', 'closed', false],
  ])('%s leaves an open request that holds the animal %s, and holding: %s', async (status, stage, isHolding) => {
    const { petId, id } = await asked()
    await mia.send('POST', pathOf(mia, `/${id}/hold`), {})
    const answer = await setStatus(mia, petId, status)
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { id: Number(petId), name: 'Rex', categoryId: 1, status, createdAt: expect.any(String) as string },
    ])
    expect(await on.look(mia.project, petId)).toMatchObject({ status, orders: [{ id, stage, isHolding }] })
  })

  test('sold, with the person who took the animal, completes one request and closes the others', async () => {
    const { petId, id } = await asked()
    const { id: second } = await on.reserve(mia.project, petId)
    const path = `/projects/${mia.slug}/animals/${petId}/status`
    expectRefusal(await mia.send('PUT', path, { status: 'pending', orderId: Number(second) }), 400, 'invalid_field')
    const { id: foreign } = await asked()
    expectRefusal(await mia.send('PUT', path, { status: 'sold', orderId: Number(foreign) }), 409, 'wrong_state')
    const before = await on.dump(mia.project, petId)
    expect((await mia.send('PUT', path, { status: 'sold', orderId: Number(second) })).json).toMatchObject({
      status: 'sold',
    })
    expect(await on.look(mia.project, petId)).toMatchObject({
      status: 'sold',
      orders: [
        { id, stage: 'closed' },
        { id: second, stage: 'completed' },
      ],
    })
    expect((await mia.send('POST', pathOf(mia, `/${second}/undo`))).status).toBe(200)
    expect(await on.dump(mia.project, petId)).toBe(before)
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
    expect(await on.auditEvents(mia.project, petId, 'animal')).toEqual([`${mia.id} animal_status_set`])
  })

  test('records no audit event when nothing changes', async () => {
    const petId = await on.addAnimal(mia.project, 'Rex', 'sold')
    expect((await setStatus(mia, petId, 'sold')).status).toBe(200)
    expect(await on.auditEvents(mia.project, petId, 'animal')).toEqual([])
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
