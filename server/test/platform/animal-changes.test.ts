// Many animals hidden, shown or moved to another category at once: the effect on them and their profiles, refusals, and
// concurrent changes without deadlocks.

import { ANIMALS_AT_ONCE_MAX } from '@petstore-platform/contract/platform/animal-statuses'
import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import type { PlatformOwner, Visitor } from '../../../testbed/harness/platform.ts'
import { reserving } from '../orders/reservations.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { startPeople } from './people.ts'

const people = await startPeople()
const on = reserving(people.test.database, people.test.service.database)
const mia = await people.owner()
const other = await people.owner()

const change = (by: Visitor, body: object, of = mia) => by.send('PATCH', `/projects/${of.slug}/animals`, body)

const animalOf = async (owner: PlatformOwner, id: bigint) =>
  (await owner.send('GET', `/projects/${owner.slug}/animals/${id}`)).json as {
    categoryId: number
    profile: typeof emptyProfile
  }

const eventsOf = (owner: PlatformOwner): Promise<object[]> =>
  asProject(people.test.database, owner.project, async (client) => {
    const { rows } = await client.query<object>(
      `select actor, subject, detail from audit where project_id = $1 and action = 'animals_changed' order by id`,
      [owner.project],
    )
    return rows
  })

test('animals are hidden and shown, with a profile and without one, and the others of the request are reported', async () => {
  const own = await people.owner()
  const [written, unwritten] = [await on.addAnimal(own.project), await on.addAnimal(own.project)]
  const foreign = await on.addAnimal(other.project)
  const path = `/projects/${own.slug}/animals/${written}/profile`
  const profile = { ...emptyProfile, headline: 'Sleeps all day', externalId: 'A-1' }
  expect((await own.send('PUT', path, profile)).status).toBe(200)

  const ids = [foreign, unwritten, written, -5n]
  expect((await change(own, { ids, isHidden: true }, own)).text).toBe(
    `{"changed":2,"unchanged":0,"missing":[${foreign},-5]}`,
  )
  expect((await animalOf(own, written)).profile).toEqual({ ...profile, isHidden: true, version: 2 })
  expect((await animalOf(own, unwritten)).profile).toEqual({ ...emptyProfile, isHidden: true, version: 1 })
  expect((await animalOf(other, foreign)).profile).toEqual(emptyProfile)
  // A form that was open meanwhile overwrites nothing.
  expectRefusal(await own.send('PUT', path, { ...profile, version: 1 }), 409, 'stale_version')

  const later = await on.addAnimal(own.project)
  expect((await change(own, { ids: [written, unwritten, later], isHidden: false }, own)).json).toMatchObject({
    changed: 2,
    unchanged: 1,
  })
  expect((await animalOf(own, written)).profile).toEqual({ ...profile, version: 3 })
  // Nothing is written about an animal that stays as it is.
  expect((await animalOf(own, later)).profile).toEqual(emptyProfile)
  expect(await eventsOf(own)).toEqual([
    { actor: own.id, subject: 'animals', detail: { count: 2, isHidden: true } },
    { actor: own.id, subject: 'animals', detail: { count: 2, isHidden: false } },
  ])
})

test('the category of animals changes, alone or together with whether they are hidden', async () => {
  const own = await people.owner()
  const [first, second] = [await on.addAnimal(own.project), await on.addAnimal(own.project)]
  expect((await change(own, { ids: [first], categoryId: 7 }, own)).text).toBe(
    '{"changed":1,"unchanged":0,"missing":[]}',
  )
  expect(await animalOf(own, first)).toMatchObject({ categoryId: 7, profile: { version: 0 } })
  expect((await change(own, { ids: [first, second], categoryId: 7, isHidden: true }, own)).json).toMatchObject({
    changed: 2,
    unchanged: 0,
  })
  for (const id of [first, second])
    expect(await animalOf(own, id)).toMatchObject({ categoryId: 7, profile: { isHidden: true, version: 1 } })
  expect((await change(own, { ids: [first, second], categoryId: 7, isHidden: true }, own)).json).toMatchObject({
    changed: 0,
    unchanged: 2,
  })
  expect((await eventsOf(own)).map((event) => 'detail' in event && event.detail)).toEqual([
    { count: 1, categoryId: '7' },
    { count: 2, isHidden: true, categoryId: '7' },
  ])
})

test('as many as the limit are changed in one request, and concurrent ones in another order do not block each other', async () => {
  const own = await people.owner()
  const ids = await asProject(people.test.database, own.project, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into pets (project_id, name, category_id, status)
       select $1, 'Rex ' || n, 1, 'available' from generate_series(1, $2::integer) as n returning id`,
      [own.project, ANIMALS_AT_ONCE_MAX],
    )
    return rows.map(({ id }) => BigInt(id))
  })
  for (const isHidden of [true, false, true]) {
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids].map((some, at) => change(own, { ids: some, isHidden, categoryId: at }, own)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  }
  const shown = await own.send('GET', `/projects/${own.slug}/animals?limit=1000`)
  const seen = (shown.json as { categoryId: number; profile: { isHidden: boolean } }[]).map((animal) =>
    [animal.categoryId, animal.profile.isHidden].join(),
  )
  expect([seen.length, new Set(seen).size]).toEqual([ANIMALS_AT_ONCE_MAX, 1])
  expect(seen[0]).toContain('true')
})

test.each([
  ['no animal', { ids: [], isHidden: true }, 'invalid_field'],
  ['an animal twice', { ids: [1, 2, 1], isHidden: true }, 'invalid_field'],
  ['an id that is text', { ids: ['1'], isHidden: true }, 'invalid_field'],
  ['too many', { ids: Array.from({ length: ANIMALS_AT_ONCE_MAX + 1 }, (_, n) => n), isHidden: true }, 'invalid_field'],
  ['no boolean', { ids: [1], isHidden: 'yes' }, 'invalid_field'],
  ['a category that is text', { ids: [1], categoryId: 'dogs' }, 'invalid_field'],
  ['no change', { ids: [1] }, 'missing_field'],
  ['no ids', { isHidden: true }, 'missing_field'],
  ['something else', { ids: [1], isHidden: true, name: 'Max' }, 'unknown_field'],
] as const)('%s is rejected', async (_, body, code) => {
  expectRefusal(await change(mia, body), 400, code)
})

test('animals are changed by admins, and a project of others is not found', async () => {
  const id = await on.addAnimal(mia.project)
  const { admin, viewer, stranger, nobody } = await people.everybody(mia)
  const body = { ids: [id], isHidden: true }
  expectRefusal(await change(viewer, body), 403, 'insufficient_role')
  expectRefusal(await change(stranger, body), 404, 'not_found', 'No project with this slug.')
  expectRefusal(await change(nobody, body), 401, 'not_signed_in')
  expect((await animalOf(mia, id)).profile).toEqual(emptyProfile)
  expect((await change(admin, body)).json).toMatchObject({ changed: 1 })
})
