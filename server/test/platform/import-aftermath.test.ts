// What happens to a reviewed import after its review: photos are fetched from a real HTTPS server, an undo leaves alone what
// has changed since, rows are judged again under locks, a worker that lost its claim writes nothing, and a week later it is
// over.

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPhotoHost, type PhotoHost } from '../../../testbed/harness/photo-host.ts'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { fetchPublic } from '../../src/foundation/http/fetch-public.io.ts'
import type { Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { importWork } from '../../src/imports/jobs.io.ts'
import * as animalRequests from '../../src/orders/pet-status-queries.ts'
import { setStatusesByOwner } from '../../src/orders/status-by-hand.io.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import type { RunningWork } from '../../src/program/work.ts'
import { inProjectOf, type InProject } from '../../src/projects/scope.io.ts'
import { claimTimer } from '../foundation/claim-timers.ts'
import { reserving } from '../orders/reservations.ts'
import { asProject } from '../v1/responses.ts'
import { judgeHere, readHere, reviewer, startReviewWork, type Details } from './import-review.ts'

const platform = await startTestPlatform()
const { database } = platform.test.service
const inProject = inProjectOf(database)
const visits = reserving(platform.test.database, database)
const errors: Error[] = []
const PATIENCE = { timeout: 60_000, interval: 50 }

/** How many requests are in progress, and the most there ever were. */
const load = { now: 0, most: 0 }
let host: PhotoHost
let work: RunningWork
beforeAll(async () => {
  const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  host = await startPhotoHost(['photos.test'], ({ url = '' }, response) => {
    load.now += 1
    load.most = Math.max(load.most, load.now)
    response.on('close', () => (load.now -= 1))
    if (url.startsWith('/gone')) response.writeHead(404).end()
    else if (url.startsWith('/text')) response.end('no photo')
    // Long enough for others to arrive meanwhile.
    else setTimeout(() => response.end(photo), 100)
  })
  work = await startReviewWork(platform, errors, {
    fetchPhoto: (address, limits) => fetchPublic(host.deps, address, limits),
  })
})
afterAll(() => host.close())

type Shop = { shop: PlatformOwner; wizard: ReturnType<typeof reviewer> }
const open = async (): Promise<Shop> => {
  const shop = await platform.owner()
  return { shop, wizard: reviewer(platform, shop) }
}
const applied = async ({ wizard }: Shop, file: string) => wizard.apply(await wizard.map(await wizard.read(file)))
const animal = async ({ shop, wizard }: Shop, id: number | null | undefined) =>
  (await shop.send('GET', wizard.at(`/animals/${id}`))).json as { status: string; photos: unknown[] }

const pets = 'Code,Name,Species,Status\nA1,Rex,Dog,available\nA2,Mia,Cat,available\nA3,Tom,Cat,available\n'

describe('photos that a file names by address', () => {
  const row = (name: string, ...photos: string[]) => `${name},Dog,${photos.join(' ')}\n`
  const url = (path: string) => `https://photos.test/${path}`

  test('are fetched, two at a time from a host; what is no photo is listed with its reason', async () => {
    const own = await open()
    const many = Array.from({ length: 6 }, (_, number) => row(`Rex ${number}`, url(`${number}.jpg`)))
    const bad = row('Mia', url('gone.jpg'), url('text.jpg'), 'https://10.0.0.1/a.jpg', url('mia.jpg'))
    const done = await applied(own, `Name,Species,Photos\n${many.join('')}${bad}`)
    await expect
      .poll(async () => (await own.wizard.show(done.id)).photos, PATIENCE)
      .toEqual({ pending: 0, added: 7, failed: 3 })
    expect(load.most).toBe(2)
    const rows = await own.wizard.rows(done)
    expect(rows.at(-1)?.photos.map(({ reason }) => reason)).toEqual([
      'The server answered 404.',
      'The file is neither JPEG, PNG nor WebP.',
      'The address is not public.',
      null,
    ])
    expect((await animal(own, rows[0]?.animalId)).photos).toHaveLength(1)
    expect((await animal(own, rows.at(-1)?.animalId)).photos).toHaveLength(1)

    const undone = await own.wizard.undo(done)
    expect(undone).toMatchObject({ state: 'undone', keptCount: 0 })
    expect(await photosOf(own.shop)).toBe(0)
  })

  test('are not added to an animal that has others, and an undo keeps an animal with others', async () => {
    const own = await open()
    const done = await applied(own, `Name,Species,Photos\n${row('Rex', url('rex.jpg'))}`)
    await expect.poll(async () => (await own.wizard.show(done.id)).photos?.added, PATIENCE).toBe(1)
    const [rex] = await own.wizard.rows(done)
    const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const sent = await own.shop.send('POST', own.wizard.at(`/animals/${rex?.animalId}/photos`), photo, {
      'Content-Type': 'image/png',
    })
    expect(sent.status).toBe(201)
    const undone = await own.wizard.undo(done)
    expect(undone.kept).toEqual([{ animalId: rex?.animalId, name: 'Rex', reason: 'changed' }])
    expect((await animal(own, rex?.animalId)).photos).toHaveLength(2)
  })
})

const photosOf = (shop: PlatformOwner) =>
  asProject(platform.test.database, shop.project, async (client) => {
    const { rows } = await client.query('select 1 from photos where project_id = $1', [shop.project])
    return rows.length
  })

test('an undo keeps animals that were requested, and lists those that were deleted', async () => {
  const own = await open()
  const done = await applied(own, pets)
  const [rex, mia, tom] = await own.wizard.rows(done)
  await visits.reserve(own.shop.project, BigInt(rex?.animalId ?? 0))
  expect((await own.shop.send('DELETE', own.wizard.at(`/animals/${mia?.animalId}`))).status).toBe(204)
  const undone = await own.wizard.undo(done)
  expect(undone.kept.toSorted((one, other) => one.animalId - other.animalId)).toEqual([
    { animalId: rex?.animalId, name: 'Rex', reason: 'requested' },
    { animalId: mia?.animalId, name: 'Mia', reason: 'deleted' },
  ])
  expect((await own.shop.send('GET', own.wizard.at(`/animals/${tom?.animalId}`))).status).toBe(404)
})

test('the status of an animal is set as a member would set it, and an undo sets it back', async () => {
  const own = await open()
  const first = await applied(own, pets)
  const [rex] = await own.wizard.rows(first)
  const second = await applied(own, 'Code,Name,Species,Status\nA1,Rex,Dog,Adopted\n')
  expect(second).toMatchObject({ state: 'succeeded', changed: 1 })
  expect((await animal(own, rex?.animalId)).status).toBe('sold')
  const events = (await own.shop.send('GET', own.wizard.at('/audit'))).text
  expect(events).toContain('animal_statuses_set')
  expect(await own.wizard.undo(second)).toMatchObject({ keptCount: 0 })
  expect((await animal(own, rex?.animalId)).status).toBe('available')
})

test('rows are judged again when they are applied: a request since the review stops the change of its status', async () => {
  const own = await open()
  const [rex] = await own.wizard.rows(await applied(own, pets))
  const reviewed = await own.wizard.map(
    await own.wizard.read('Code,Name,Species,Status\nA1,Rexi,Dog,sold\nA2,Mimi,Cat,\n'),
  )
  expect(reviewed.counts).toMatchObject({ update: 2, problem: 0 })
  await visits.reserve(own.shop.project, BigInt(rex?.animalId ?? 0))
  const again = await own.wizard.apply(reviewed)
  expect(again).toMatchObject({ state: 'reviewing', counts: { update: 1, problem: 1 } })
  expect(again.reason).toContain('row 2 has a problem now. Nothing was written.')
  expect(await own.wizard.exported()).not.toContain('Mimi')
  // The row without a problem is applied once its owner says so.
  expect(await own.wizard.apply(again, 'skip')).toMatchObject({ state: 'succeeded', changed: 1 })
  expect(await own.wizard.exported()).toContain('Mimi')
  expect((await animal(own, rex?.animalId)).status).not.toBe('sold')
})

describe('a worker', () => {
  // From here on every step is taken by hand.
  beforeAll(() => work.stop())
  const reviewing: NonNullable<Parameters<typeof importWork>[1]> = {
    requests: animalRequests,
    setStatuses: (db, by, ids, status) => setStatusesByOwner({ inProject: (_, run) => run(db) }, by, ids, status),
    readSheet: readHere,
    openRowJudge: judgeHere,
  }
  const worker = (scope: InProject = inProject) =>
    importWork({ database, inProject: scope, now: Date.now, plans: defaultRules }, reviewing)
  const claimed = async (id: string): Promise<Timer> => {
    const [due] = await database.run(claimTimer, 'import', id)
    if (!due) throw new Error('there is no timer')
    return due
  }
  const step = async (id: string) => worker().work(await claimed(id))

  /** Read, mapped and judged by hand; the last step is left to the test. */
  async function reviewed({ shop, wizard }: Shop): Promise<Details> {
    const at = (path = '') => wizard.at(`/imports${path}`)
    const made = await shop.send('POST', at(), { onBadLine: 'refuse', isReviewed: true, fileName: 'a.csv' })
    const { id } = made.json as Details
    await shop.send('PUT', at(`/${id}/parts/1`), Buffer.from(pets), { 'Content-Type': 'application/octet-stream' })
    await shop.send('POST', at(`/${id}/read`), { parts: 1 })
    await step(id)
    const { table, reading } = await wizard.show(id)
    const columns = table?.columns.map(({ index, field }) => ({ index, field })) ?? []
    await shop.send('PUT', at(`/${id}/mapping`), { columns, ...reading })
    await step(id)
    return wizard.show(id)
  }
  const age = (shop: PlatformOwner, id: string, column: 'touched_at' | 'finished_at') =>
    asProject(platform.test.database, shop.project, (client) =>
      client.query(`update imports set ${column} = ${column} - interval '8 days' where project_id = $1 and id = $2`, [
        shop.project,
        id,
      ]),
    )

  test('that lost its claim while it applied has written nothing, and the next one applies all of it once', async () => {
    const own = await open()
    const { id } = await reviewed(own)
    await own.shop.send('POST', own.wizard.at(`/imports/${id}/apply`), { onBadLine: 'refuse' })
    const dead = await claimed(id)
    // Another worker takes over before the first one commits.
    let next: Promise<Timer> | undefined
    const late: InProject = (project, run) =>
      inProject(project, async (db) => {
        const result = await run(async (statement, ...values) => {
          if (statement.name === 'remember-import-rows') await (next ??= claimed(id))
          return db(statement, ...values)
        })
        return result
      })
    await expect(worker(late).work(dead)).rejects.toThrow('another worker has taken')
    expect(await own.wizard.show(id)).toMatchObject({ state: 'running', added: 0 })
    expect(await own.wizard.exported()).not.toContain('Rex')
    await worker().work((await next) ?? dead)
    expect(await own.wizard.show(id)).toMatchObject({ state: 'succeeded', added: 3 })
    expect((await own.wizard.exported()).match(/Rex/g)).toHaveLength(1)
  })

  test('gives up a review that was not applied within a week', async () => {
    const own = await open()
    const { id } = await reviewed(own)
    expect(await step(id)).toBeGreaterThan(6 * 24 * 3600)
    expect((await own.wizard.show(id)).state).toBe('reviewing')
    await age(own.shop, id, 'touched_at')
    expect(await step(id)).toBeUndefined()
    expect(await own.wizard.show(id)).toMatchObject({
      state: 'failed',
      reason: 'The import was not applied within 7 days.',
    })
  })

  test('forgets the rows of an applied import after a week, and it cannot be undone any more', async () => {
    const own = await open()
    const { id } = await reviewed(own)
    await own.shop.send('POST', own.wizard.at(`/imports/${id}/apply`), { onBadLine: 'refuse' })
    await step(id)
    expect(await step(id)).toBeGreaterThan(6 * 24 * 3600)
    expect(await own.wizard.rows(await own.wizard.show(id))).toHaveLength(3)
    for (const column of ['touched_at', 'finished_at'] as const) await age(own.shop, id, column)
    const refused = await own.shop.send('POST', own.wizard.at(`/imports/${id}/undo`))
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('7 days')])
    expect(await step(id)).toBeUndefined()
    expect(await own.wizard.rows(await own.wizard.show(id))).toEqual([])
    expect(await own.wizard.exported()).toContain('Rex')
  })
})

test('no worker has reported an error', () => {
  // A photo may be removed by an undo while it is processed.
  expect(errors.filter(({ message }) => !message.startsWith('another worker has taken photo'))).toEqual([])
})
