// The status of an animal that is set by hand, and its effect on the requests for it.

import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../v1/responses.ts'
import { setUpOrders, on, mia, pathOf, asked, setStatus } from './platform-orders.ts'

setUpOrders()

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
