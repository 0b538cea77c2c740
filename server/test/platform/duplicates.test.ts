// Duplicates of animals on `/platform/v1`: everything that was written about the animal, and nothing that belongs to it
// alone; added like any animal, by the members who may add one.

import { emptyProfile, ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { reserve } from '../../src/orders/reservations.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { add as addPhoto, addAnimal, at, codeOf } from '../photos/environment.ts'
import { filledProfile } from './filled-profile.ts'
import { startPeople } from './people.ts'

const people = await startPeople()
const owner = await people.owner()
const { admin, viewer, stranger, nobody } = await people.everybody(owner)

const duplicate = (id: string, by: Visitor = owner, of: PlatformOwner = owner) =>
  by.send('POST', at(of, `/animals/${id}/duplicate`))
const idIn = (text: string) => /"id":(\d+)/.exec(text)?.[1] ?? ''
type Details = { name: string; status: string; categoryId: number; profile: ProfileChange; photos: unknown[] }
const detailsOf = async (id: string) => (await owner.send('GET', at(owner, `/animals/${id}`))).json as Details

test('a duplicate has everything that was written about the animal, and nothing that belongs to it alone', async () => {
  // So that a field that is copied differs from one that is left out.
  const fields = Object.keys(ProfileChange.properties) as (keyof ProfileChange)[]
  expect(fields.filter((field) => field !== 'version' && filledProfile[field] === emptyProfile[field])).toEqual([])

  const id = await addAnimal(owner, 'Mimi')
  expect((await owner.send('PUT', at(owner, `/animals/${id}/profile`), filledProfile)).status).toBe(200)
  await addPhoto(owner, id, 'mimi')
  const inProject = inProjectOf(people.test.service.database)
  const ben = { name: 'Ben', contact: 'ben@visitor.example', message: '' }
  const request = await reserve({ inProject }, owner.project, { petId: BigInt(id), ...ben })
  expect((await owner.send('POST', at(owner, `/orders/${request.id}/approve`))).status).toBe(200)

  const made = await duplicate(id)
  expect(made.status).toBe(201)
  const copy = idIn(made.text)
  expect(made.text).toMatch(/^{"id":\d+,"name":"Mimi","categoryId":1,"status":"available","createdAt":"[^"]+"}$/)
  expect(copy).not.toBe(id)
  expect(await detailsOf(copy)).toMatchObject({
    name: 'Mimi',
    status: 'available',
    profile: { ...filledProfile, version: 1, isHidden: true, isFeatured: false, externalId: '', chipNumber: '' },
    photos: [],
  })
  const orders = (await owner.send('GET', at(owner, '/orders'))).json as { petId: number }[]
  expect(orders.map(({ petId }) => String(petId))).toEqual([id])
  // What it was made from is as it was.
  const source = await detailsOf(id)
  expect([source.status, source.profile, source.photos.length]).toEqual([
    'pending',
    { ...filledProfile, version: 1 },
    1,
  ])
})

test('an animal that is on the site is hidden as a duplicate, with and without a profile', async () => {
  const plain = await addAnimal(owner, 'Plain')
  const copy = await detailsOf(idIn((await duplicate(plain)).text))
  expect(copy.profile).toEqual({ ...emptyProfile, version: 1, isHidden: true })
  const shown = await addAnimal(owner, 'Shown')
  await owner.send('PUT', at(owner, `/animals/${shown}/profile`), { ...filledProfile, isHidden: false, externalId: '' })
  expect((await detailsOf(idIn((await duplicate(shown)).text))).profile.isHidden).toBe(true)
})

test('a litter is made of one animal, each of them once in the audit trail', async () => {
  const id = await addAnimal(owner, 'Kitten')
  await owner.send('PUT', at(owner, `/animals/${id}/profile`), { ...filledProfile, externalId: 'LITTER-2' })
  const made = await Promise.all(Array.from({ length: 4 }, () => duplicate(id, admin)))
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const ids = made.map(({ text }) => idIn(text))
  expect(new Set(ids).size).toBe(4)
  type Event = { action: string; subject: string; detail: object }
  const trail = (await owner.send('GET', at(owner, '/audit?limit=100'))).json as Event[]
  const events = trail.filter(({ subject }) => ids.includes(subject))
  expect(events.map(({ action, detail }) => ({ action, detail }))).toEqual(
    ids.map(() => ({ action: 'animal_created', detail: { name: 'Kitten', copyOf: id } })),
  )
})

test('members who may add an animal may duplicate one, and no one else', async () => {
  const id = await addAnimal(owner, 'Guarded')
  const statuses = await Promise.all(
    [admin, viewer, stranger, nobody].map(async (by) => (await duplicate(id, by)).status),
  )
  expect(statuses).toEqual([201, 403, 404, 401])
})

test('an animal that is not there cannot be duplicated', async () => {
  const gone = await addAnimal(owner, 'Gone')
  await owner.send('DELETE', at(owner, `/animals/${gone}`))
  for (const id of [gone, '9007199254740991', 'nonsense']) {
    const answer = await duplicate(id)
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  }
})
