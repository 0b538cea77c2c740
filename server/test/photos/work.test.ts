// Background work on photos: a worker may die at any point, two may work at once, and projects take turns. Whatever
// happens, a photo that was acknowledged becomes ready, the usage is the sum of what is stored, and nothing is left
// behind. What no photo has any more is removed after a week, and what was never one by the sweep.

import type { Photo } from '@petstore-platform/contract/platform/photos'
import { describe, expect, test } from 'vitest'
import { ObjectsUnavailable, type Objects } from '../../src/foundation/objects.ts'
import { runTimers, setTimer, type Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { uploadKey } from '../../src/photos/store/object-keys.ts'
import { photoWork } from '../../src/photos/photo-jobs.io.ts'
import { removeFilesLater } from '../../src/photos/photo-removal.io.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { photoTimer, sweepTimer } from '../../src/photos/photo-timers.ts'
import type { InProject } from '../../src/projects/scope.io.ts'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { add, addAnimal, at, photosOf, photoWorkshop, picture, send } from './environment.ts'

const platform = await startTestPlatform()
const shop = photoWorkshop(platform)
const DAY = 24 * 3600

const statesOf = async (owner: PlatformOwner, pet: string) => (await photosOf(owner, pet)).map(({ state }) => state)
const turn = (owner: PlatformOwner, pet: string, { id }: Photo, to: number) =>
  owner.send('PATCH', at(owner, `/animals/${pet}/photos/${id}`), { turn: to })
const remove = (owner: PlatformOwner, pet: string, { id }: Photo) =>
  owner.send('DELETE', at(owner, `/animals/${pet}/photos/${id}`))
/** The objects of the project that belong to no photo of it. */
async function orphansOf(owner: PlatformOwner, pets: readonly string[]): Promise<string[]> {
  const photos = (await Promise.all(pets.map((pet) => photosOf(owner, pet)))).flat()
  return (await shop.keys(owner)).filter(
    (key) => !photos.some(({ id, digest }) => key.includes(id) || key.includes(digest)),
  )
}

class Died extends Error {}

/** Dies at the given step: just before it, so that nothing of it has happened, or just after it. */
function dyingAt(step: number, isAfter: boolean) {
  let count = 0
  const dying =
    <A extends unknown[], T>(perform: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      count += 1
      const isLast = count === step
      if (isLast && !isAfter) throw new Died()
      const result = await perform(...given)
      if (isLast) throw new Died()
      return result
    }
  const { objects, inProject, processor } = shop
  const deps = {
    ...shop,
    objects: {
      putIfAbsent: dying((...given: Parameters<Objects['putIfAbsent']>) => objects.putIfAbsent(...given)),
      get: dying((...given: Parameters<Objects['get']>) => objects.get(...given)),
      remove: dying((...given: Parameters<Objects['remove']>) => objects.remove(...given)),
      list: dying((...given: Parameters<Objects['list']>) => objects.list(...given)),
    } satisfies Objects,
    inProject: dying(inProject as (...given: unknown[]) => Promise<unknown>) as unknown as InProject,
  }
  const dyingProcessor = {
    process: dying((...given: Parameters<typeof processor.process>) => processor.process(...given)),
  }
  return { work: photoWork(deps, dyingProcessor), steps: () => count }
}

describe('a worker that dies at any step', () => {
  test.for([
    ['before it', false],
    ['after it', true],
  ] as const)('%s leaves a photo that the next one makes ready', async ([, isAfter]) => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    const died: string[] = []
    for (let step = 1; ; step += 1) {
      const photo = await add(owner, pet, `${isAfter} ${step}`)
      const [due] = await shop.claim('photo')
      const { work, steps } = dyingAt(step, isAfter)
      const end = await work.work(due as Timer).catch((error: unknown) => error)
      if (steps() < step) {
        expect(end).toBeUndefined()
        await shop.clearTimers('photo')
        break
      }
      expect(end).toBeInstanceOf(Died)
      died.push(String(step))
      // The claim ends, and the next worker takes the photo.
      await setTimer(shop.database.run, photoTimer(owner.project, BigInt(pet), photo.id))
      await shop.workOff()
      expect((await photosOf(owner, pet)).every(({ state }) => state === 'ready')).toBe(true)
      const { used, sum } = await shop.usage(owner)
      expect(used).toBe(sum)
      expect(await orphansOf(owner, [pet])).toEqual([])
      expect((await shop.keys(owner)).filter((key) => key.startsWith('uploads/'))).toEqual([])
    }
    // Read, source, processing, four files, their sizes, the transaction, the removal.
    expect(died).toHaveLength(10)
  })

  test('before its bytes are stored would lose an acknowledged photo (negative control)', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    const photo = await add(owner, pet, 'row before bytes')
    await shop.objects.remove(owner.project, uploadKey(photo.id))
    await shop.workOff()
    expect(await statesOf(owner, pet)).toEqual(['failed'])
    expect(shop.errors.splice(0).map(String).join()).toContain('are gone')
  })

  test('slowly loses its claim, and then changes nothing', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    await add(owner, pet, 'slow')
    const [slow] = await shop.claim('photo')
    await shop.database.run({
      name: 'test-expire',
      text: `update due_directory set due_at = now() - interval '1 s', claimed_until = now() - interval '1 s'`,
    })
    const [fast] = await shop.claim('photo')
    await expect(shop.works.photo.work(slow as Timer)).rejects.toThrow('another worker')
    expect(await statesOf(owner, pet)).toEqual(['processing'])
    await shop.works.photo.work(fast as Timer)
    expect(await statesOf(owner, pet)).toEqual(['ready'])
    // It finds nothing left to do.
    await shop.works.photo.work(slow as Timer)
    await shop.clearTimers('photo')
  })
})

describe('a store that is unavailable', () => {
  /** The state of a photo after so many attempts, in all of which the store failed in this way, and one in which it works. */
  const stateAfter = async (attempts: number, failure: () => Error) => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    await add(owner, pet, `unavailable ${attempts} ${failure().name}`)
    const get = () => Promise.reject(failure())
    const failing = photoWork({ ...shop, objects: { ...shop.objects, get } }, shop.processor)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const [due] = await shop.claim('photo')
      await failing.work(due as Timer).catch(() => {})
      const text = `update due_directory set due_at = now(), claimed_until = null where kind = 'photo'`
      await shop.database.run({ name: 'test-due-again', text })
    }
    await shop.workOff()
    shop.errors.splice(0)
    return statesOf(owner, pet)
  }

  test('for any length of time costs no photo', async () => {
    expect(await stateAfter(25, () => new ObjectsUnavailable('gone'))).toEqual(['ready'])
  })

  test('would cost them if that counted as attempts (negative control)', async () => {
    expect(await stateAfter(25, () => new Error('gone'))).toEqual(['failed'])
  })
})

describe('the usage', () => {
  /** Random operations, each of which may find nothing to do. */
  async function walk(owner: PlatformOwner, steps: number, seed: number): Promise<string[]> {
    const pets = [await addAnimal(owner), await addAnimal(owner)]
    let state = seed
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    for (let step = 0; step < steps; step += 1) {
      const pet = pets[random(pets.length)] ?? ''
      const photos = await photosOf(owner, pet)
      const photo = photos[random(Math.max(1, photos.length))]
      const what = random(7)
      // Few different pictures, so that several photos share a digest.
      if (what < 3) await send(owner, pet, picture('x'.repeat(random(5))))
      else if (what === 3 && photo) await turn(owner, pet, photo, [90, 180, 270, 0][random(4)] ?? 0)
      else if (what === 4 && photo) await remove(owner, pet, photo)
      else if (what === 5) await shop.workOff()
      else if (what === 6 && random(4) === 0) {
        shop.processor.outcome = async () => ({ outcome: 'failed', reason: 'time' })
        await shop.workOff()
        shop.processor.outcome = undefined
      }
      const { used, sum } = await shop.usage(owner)
      expect(used).toBe(sum)
    }
    return pets
  }

  test('is the sum of the sizes after any operations, and every photo that is ready has its files', async () => {
    const owner = await platform.owner()
    const pets = await walk(owner, 150, 7)
    await shop.workOff()
    const keys = new Set(await shop.keys(owner))
    for (const pet of pets) {
      for (const { state, digest } of await photosOf(owner, pet)) {
        if (state === 'ready') expect(keys.has(`photos/${digest}/1-640.webp`)).toBe(true)
        expect(state).not.toBe('processing')
      }
    }
    // And after a week, and a sweep, nothing else is stored.
    await shop.later('photo_removal', 8 * DAY)
    await shop.workOff('photo_removal')
    expect(await orphansOf(owner, pets)).toEqual([])
    await shop.age(owner, 3 * DAY)
    await shop.later('photo_sweep', 8 * DAY)
    await shop.workOff('photo_sweep')
    expect(shop.errors.splice(0)).toEqual([])
  })

  test('that is changed outside of the transaction is found (negative control), corrected and reported', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    await add(owner, pet, 'counted')
    const text = `update project_usage set photo_bytes = photo_bytes + 5 where project_id = $1`
    await shop.inProject(owner.project, (db) => db({ name: 'test-drift', text }, owner.project))
    const { used, sum } = await shop.usage(owner)
    expect(used - sum).toBe(5)
    await shop.later('photo_sweep', 8 * DAY)
    await shop.workOff('photo_sweep')
    expect((await shop.usage(owner)).used).toBe(sum)
    expect(shop.errors.splice(0).map(String).join()).toContain('by -5 bytes')
    await shop.workOff()
  })
})

describe('two workers', () => {
  /** How often each of the photos was processed, once that is enough. */
  const runTwo = async (count: number, run: Db, isEnough: (times: readonly number[]) => boolean) => {
    const owner = await platform.owner()
    const pets = await Promise.all(Array.from({ length: Math.ceil(count / 20) }, () => addAnimal(owner)))
    for (let index = 0; index < count; index += 1) {
      await add(owner, pets[Math.floor(index / 20)] ?? '', `two ${owner.slug} ${index}`)
    }
    const before = new Map(shop.processor.processed)
    const times = () => [...shop.processor.processed].map(([of, all]) => all - (before.get(of) ?? 0)).filter(Boolean)
    const options = { run, kinds: { photo: shop.works.photo }, atOnce: 2, pauseMs: 5 } as const
    const workers = [runTimers({ ...options, onError: shop.onError }), runTimers({ ...options, onError: shop.onError })]
    try {
      await expect.poll(() => isEnough(times()), { timeout: 60_000 }).toBe(true)
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()))
      await shop.clearTimers('photo')
    }
    return { times: times(), states: (await Promise.all(pets.map((pet) => statesOf(owner, pet)))).flat() }
  }

  test('process each photo once', async () => {
    const { times, states } = await runTwo(40, shop.database.run, ({ length }) => length === 40)
    expect(times).toEqual(Array.from({ length: 40 }, () => 1))
    expect(states).toEqual(Array.from({ length: 40 }, () => 'ready'))
    expect(shop.errors.splice(0)).toEqual([])
  })

  test('that do not claim process some twice (negative control)', async () => {
    // Claims the timers that are due, and lets them be claimed again at once.
    const unclaimed: Db = async (statement, ...values) => {
      const rows = await shop.database.run(statement, ...values)
      if (statement.name === 'claim-timers') {
        const text = `update due_directory set due_at = now(), claimed_until = null where kind = 'photo'`
        await shop.database.run({ name: 'test-unclaim', text })
      }
      return rows
    }
    const { times } = await runTwo(40, unclaimed, (each) => Math.max(0, ...each) > 1)
    expect(Math.max(...times)).toBeGreaterThan(1)
    shop.errors.splice(0)
  })
})

describe('projects take turns', () => {
  /** The places at which the photos of the other projects were processed, of three with many photos and two with one. */
  const placesOf = async (takesTurns: boolean): Promise<number[]> => {
    const many = [await platform.owner(), await platform.owner(), await platform.owner()]
    for (const owner of many) {
      const pet = await addAnimal(owner)
      for (let index = 0; index < 12; index += 1) await add(owner, pet, `${owner.slug} ${index}`)
    }
    const others = [await platform.owner(), await platform.owner()]
    for (const owner of others) await add(owner, await addAnimal(owner), owner.slug)
    const order: bigint[] = []
    const work = {
      ...shop.works.photo,
      work: (due: Timer) => {
        order.push(due.project)
        return shop.works.photo.work(due)
      },
    }
    const worker = runTimers({
      run: takesTurns ? shop.database.run : withoutTurns,
      kinds: { photo: work },
      atOnce: 2,
      pauseMs: 5,
      onError: shop.onError,
    })
    try {
      await expect.poll(() => order.length, { timeout: 60_000 }).toBe(38)
    } finally {
      await worker.stop()
      await shop.clearTimers('photo')
    }
    return others.map(({ project }) => order.indexOf(project))
  }

  /** Claims the oldest, whichever project had a turn. */
  const withoutTurns: Db = (statement, ...values) => {
    const claims = statement.name === 'claim-timers'
    return shop.database.run(statement, ...((claims ? [...values.slice(0, 3), []] : values) as typeof values))
  }

  test('so that the photo of another waits for a few, however many there are', async () => {
    for (const place of await placesOf(true)) expect(place).toBeLessThanOrEqual(8)
  })

  test('and without turns it waits for most of them (negative control)', async () => {
    for (const place of await placesOf(false)) expect(place).toBeGreaterThan(12)
  })
})

describe('files that no photo has', () => {
  test('are removed a week after it was deleted, unless another photo has the same', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    const [one, twin, other] = [
      await add(owner, pet, 'same'),
      await add(owner, pet, 'same'),
      await add(owner, pet, 'other'),
    ]
    await shop.workOff()
    expect(one.digest).toBe(twin.digest)
    await remove(owner, pet, one)
    await remove(owner, pet, other)
    const has = async (photo: Photo) => (await shop.keys(owner)).some((key) => key.includes(photo.digest))
    await shop.later('photo_removal', 6 * DAY)
    await shop.workOff('photo_removal')
    // Not by the sweep either, which comes in between.
    await shop.age(owner, 30 * DAY)
    await shop.later('photo_sweep', 8 * DAY)
    await shop.workOff('photo_sweep')
    expect([await has(other), await has(twin)]).toEqual([true, true])
    await shop.later('photo_removal', DAY)
    await shop.workOff('photo_removal')
    expect([await has(other), await has(twin)]).toEqual([false, true])
    await remove(owner, pet, twin)
    await shop.later('photo_removal', 8 * DAY)
    await shop.workOff('photo_removal')
    expect(await shop.keys(owner)).toEqual([])
  })

  test('are removed at once when as many were deleted in a week as the plan includes', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    const [one, two, turned] = [
      await add(owner, pet, 'one'),
      await add(owner, pet, 'two'),
      await add(owner, pet, 'three'),
    ]
    await shop.workOff()
    const has = async (photo: Photo) => (await shop.keys(owner)).some((key) => key.includes(photo.digest))
    await remove(owner, pet, one)
    await shop.workOff('photo_removal')
    expect(await has(one)).toBe(true)
    const bytes = defaultRules.most('free', 'photoBytes')
    await shop.inProject(owner.project, (db) => removeFilesLater(shop, db, owner.project, [{ digest: 'many', bytes }]))
    await remove(owner, pet, two)
    await turn(owner, pet, turned, 90)
    await shop.workOff()
    await shop.workOff('photo_removal')
    expect([await has(one), await has(two), await has(turned)]).toEqual([true, false, false])
  })

  test('are kept while a photo is made of them', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    const [one, twin] = [await add(owner, pet, 'turned'), await add(owner, pet, 'turned')]
    await shop.workOff()
    await remove(owner, pet, twin)
    await turn(owner, pet, one, 90)
    await shop.later('photo_removal', 8 * DAY)
    await shop.workOff('photo_removal')
    await shop.workOff()
    expect(await photosOf(owner, pet)).toMatchObject([{ state: 'ready', turn: 90 }])
  })

  test('and uploads that became none are swept after two days, and those of a deleted project after a week', async () => {
    const owner = await platform.owner()
    const pet = await addAnimal(owner)
    await add(owner, pet, 'kept')
    await shop.workOff()
    const kept = await shop.keys(owner)
    const left = ['uploads/pho_000000000000000000000000', `photos/${'0'.repeat(64)}/1-320.webp`]
    for (const key of left) await shop.objects.putIfAbsent(owner.project, key, Buffer.from('left behind'))
    const sweep = async () => {
      await setTimer(shop.database.run, sweepTimer(owner.project))
      await shop.workOff('photo_sweep')
      return shop.keys(owner)
    }
    expect(await sweep()).toEqual([...kept, ...left].toSorted())
    await shop.age(owner, 2 * DAY + 60)
    expect(await sweep()).toEqual(kept)

    expect(
      (await owner.send('DELETE', at(owner, ''), JSON.stringify({ slug: owner.slug }), jsonOf(owner.slug))).status,
    ).toBe(204)
    expect(await sweep()).toEqual(kept)
    const text = `update projects set deleted_at = deleted_at - interval '8 days' where project_id = $1`
    await shop.inProject(owner.project, (db) => db({ name: 'test-delete', text }, owner.project))
    expect(await sweep()).toEqual([])
    expect(await shop.usage(owner)).toEqual({ used: 0, sum: 0 })
  })
})

const jsonOf = (slug: string) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(JSON.stringify({ slug }))),
})
