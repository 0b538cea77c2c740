// Moves of a request on `/platform/v1`, by which it holds its animal or not, and their effect on the animal and the other
// requests; and notes about it.

import { describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { move as moveTo, undo } from '../../src/orders/advance.io.ts'
import { insertNote } from '../../src/orders/note-queries.ts'
import { expectRefusal } from '../v1/responses.ts'
import { setUpOrders, platform, on, mia, pathOf, orderOf, asked, setStatus, move, visit } from './platform-orders.ts'

setUpOrders()

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
    const later = { ...visit, at: '2031-05-04T11:30:00Z' }
    expect((await mia.send('POST', path, { fact: 'visit_set', visit: later })).json).toMatchObject({ visit: later })
    for (const body of [
      { fact: 'visit_set' },
      { fact: 'contacted', visit },
      { fact: 'visit_set', visit: { ...visit, at: 'tomorrow' } },
      { fact: 'visit_set', visit: { ...visit, place: 'a\nb' } },
      { fact: 'visit_set', visit: { at: visit.at } },
      { fact: 'visit_set', visit: { ...visit, at: new Date(Date.now() - 3_600_000).toISOString() } },
      { fact: 'silent' },
    ]) {
      expectRefusal(await mia.send('POST', path, body), 400, 'invalid_field')
    }
  })

  test('a request is declined with a reason and a sentence without addresses, which only then are recorded', async () => {
    const { id } = await asked()
    const path = pathOf(mia, `/${id}/move`)
    const decline = { reason: 'not_a_match', text: 'Please ask again for a calmer dog.' }
    for (const body of [
      { fact: 'contacted', decline },
      { fact: 'declined', decline: { ...decline, reason: 'full moon' } },
      { fact: 'declined', decline: { reason: 'other' } },
      { fact: 'declined', decline: { ...decline, text: 'x'.repeat(301) } },
    ]) {
      expectRefusal(await mia.send('POST', path, body), 400, 'invalid_field')
    }
    const linked = { fact: 'declined', decline: { ...decline, text: 'See paws.shop' } }
    expectRefusal(await mia.send('POST', path, linked), 409, 'address_in_name')
    expect(orderOf(await mia.send('GET', pathOf(mia, `/${id}`)))).toMatchObject({ stage: 'new', decline: null })
    const declined = await mia.send('POST', path, { fact: 'declined', decline })
    expect(orderOf(declined)).toMatchObject({ stage: 'declined', decline })
    expect(orderOf(await move(id, 'reopened'))).toMatchObject({ stage: 'new', decline: null })
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
    declined: () => ({ fact: 'declined', decline: { reason: 'other', text: 'Sorry.' } }),
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
