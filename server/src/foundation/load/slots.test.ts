import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Slots, SlotsByPlace, type Release } from './slots.io.ts'

const WORK = 'work of no user'

/** Slots, and who was given one, in order. Releasing is by user, the oldest slot first. */
function recorded(count: number) {
  const slots = new Slots<string>(count)
  const given: string[] = []
  const taken: { user: string; release: Release }[] = []
  const take = async (user: string, waitMs?: number) => {
    const release = await slots.take(user === WORK ? undefined : user, waitMs)
    if (!release) return false
    given.push(user)
    taken.push({ user, release })
    return true
  }
  const release = async (user: string) => {
    await turn()
    const index = taken.findIndex((one) => one.user === user)
    taken.splice(index, 1)[0]?.release()
    await turn()
  }
  return { slots, given, take, release }
}

test('a slot that is free is given at once', async () => {
  const { slots, given, take } = recorded(2)
  await Promise.all([take('north'), take('north')])
  expect(given).toEqual(['north', 'north'])
  expect(slots.takeNow('south')).toBeUndefined()
})

test('of those who wait, the user that occupies the fewest is next', async () => {
  const { given, take, release } = recorded(3)
  for (const user of ['north', 'north', 'north', 'north', 'north', 'south', 'south', 'east']) void take(user)
  for (let released = 0; released < 3; released += 1) await release('north')
  // South and East come before North, which came before them; South has one when its second is due.
  expect(given).toEqual(['north', 'north', 'north', 'south', 'east', 'north'])
})

test('users that occupy equally many take turns, however many pieces of work one of them has', async () => {
  const { given, take, release } = recorded(1)
  for (const user of ['north', 'north', 'north', 'north', 'south', 'south', 'east']) void take(user)
  for (const user of ['north', 'north', 'south', 'east', 'north', 'south']) await release(user)
  expect(given).toEqual(['north', 'north', 'south', 'east', 'north', 'south', 'north'])
})

test('work of no user comes before a user that occupies slots, in the order of arrival', async () => {
  const { given, take, release } = recorded(2)
  for (const user of ['north', 'north', 'north', WORK, WORK]) void take(user)
  await release('north')
  await release(WORK)
  await release(WORK)
  expect(given).toEqual(['north', 'north', WORK, WORK, 'north'])
})

test('pieces of work of no user do not take turns as one: each is as good as a user that occupies none', async () => {
  const { given, take, release } = recorded(1)
  for (const user of ['north', WORK, WORK, WORK, 'south', 'east']) void take(user)
  for (const user of ['north', WORK, WORK, WORK, 'south']) await release(user)
  expect(given).toEqual(['north', WORK, WORK, WORK, 'south', 'east'])
})

test('a caller that has waited too long gets no slot, and takes none later', async () => {
  const { slots, given, take, release } = recorded(1)
  await take('north')
  expect(await take('south', 1)).toBe(false)
  expect(await take('south', 0)).toBe(false)
  await release('north')
  expect(slots.isUnused).toBe(true)
  await take('east', 0)
  expect(given).toEqual(['north', 'east'])
})

test('a caller that gives up costs the others of its user no turn', async () => {
  const { given, take, release } = recorded(1)
  await take('north')
  const late = take('south', 1)
  void take('south')
  expect(await late).toBe(false)
  await release('north')
  expect(given).toEqual(['north', 'south'])
})

/** Pieces of work that end when they are let go; returns the most that were in progress at once. */
async function mostOf(count: number): Promise<{ most: number; done: number }> {
  const slots = new Slots(count)
  const seen = { now: 0, most: 0, done: 0 }
  const work = async () => {
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    await turn()
    seen.now -= 1
    seen.done += 1
    if (seen.done % 3 === 0) throw new Error('some fail')
  }
  await Promise.allSettled(Array.from({ length: 7 }, () => slots.run(work)))
  return { most: seen.most, done: seen.done }
}

test('no more work is in progress than there are slots, and all of it is done, whether it fails or not', async () => {
  expect(await mostOf(2)).toEqual({ most: 2, done: 7 })
})

test('all at once without a bound (negative control)', async () => {
  expect(await mostOf(Infinity)).toEqual({ most: 7, done: 7 })
})

test('places have slots of their own, whose users take turns; what waits too long is not done', async () => {
  const places = new SlotsByPlace<bigint>(1)
  const done: string[] = []
  const ask = async (place: string, user: bigint, name: string, waitMs = Infinity) => {
    const release = await places.take(place, user, waitMs)
    if (!release) return undefined
    done.push(name)
    await turn()
    return release()
  }
  const first = await places.take('a', 1n, Infinity)
  const all = ['one', 'two', 'three'].map((name) => ask('a', 1n, name))
  const late = ask('a', 2n, 'late', 1)
  all.push(ask('a', 2n, 'of another'))
  await ask('b', 2n, 'elsewhere')
  await late
  first?.()
  await Promise.all(all)
  expect(done).toEqual(['elsewhere', 'one', 'of another', 'two', 'three'])
})

test('a place that is not used has all of its slots again', async () => {
  const places = new SlotsByPlace<bigint>(2)
  for (let round = 0; round < 2; round += 1) {
    const releases = await Promise.all([1n, 2n].map((user) => places.take('a', user, 0)))
    expect(await places.take('a', 3n, 0)).toBeUndefined()
    for (const release of releases) release?.()
  }
})
