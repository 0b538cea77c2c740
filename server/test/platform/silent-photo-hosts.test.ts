// Imports whose photos are on hosts that never answer: they delay no job of another project, such hosts are given up, and an
// import yields to others while its photos are fetched.

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPhotoHost, type PhotoHost } from '../../../testbed/harness/photo-host.ts'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { fetchPublic } from '../../src/foundation/http/fetch-public.io.ts'
import * as directory from '../../src/projects/directory.io.ts'
import type { RunningWork } from '../../src/program/work.ts'
import { reserving } from '../orders/reservations.ts'
import { deploying } from '../sites/deployments.ts'
import { reviewer, startReviewWork, type Details } from './import-review.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }
const GOOD = 'photos.test'
const SLOW = 'slow.test'
/** One for each project of the account. */
const SILENT = Array.from({ length: 5 }, (_, number) => `silent-${number}.test`)

const platform = await startTestPlatform()
const visits = reserving(platform.test.database, platform.test.service.database)
const sites = deploying(platform)

/** `host/path` of each request, in order. */
const requests: string[] = []
const requestsAt = (host: string) => requests.filter((one) => one.startsWith(`${host}/`))
let fetchesFromSlow = 0
const gate = Promise.withResolvers<void>()
let host: PhotoHost
let work: RunningWork
beforeAll(async () => {
  const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  host = await startPhotoHost([GOOD, SLOW, ...SILENT], ({ headers, url = '' }, response) => {
    requests.push(`${headers.host}${url}`)
    if (headers.host !== GOOD) return
    if (url.startsWith('/gated')) void gate.promise.then(() => response.end(photo))
    else response.end(photo)
  })
  work = await startReviewWork(platform, [], {
    fetchPhoto: (address, limits) => {
      const isSlow = new URL(address).host === SLOW
      if (isSlow) fetchesFromSlow += 1
      // Those from silent hosts outlast the test.
      return fetchPublic(host.deps, address, { ...limits, milliseconds: isSlow ? 300 : 3_600_000 })
    },
  })
})
afterAll(async () => {
  host.close()
  await work?.stop()
})

/** An applied import of one animal for each address. */
async function importOf(shop: PlatformOwner, addresses: readonly string[]): Promise<Details> {
  const wizard = reviewer(platform, shop)
  const rows = addresses.map((address, number) => `Rex ${number},Dog,https://${address}\n`)
  return wizard.apply(await wizard.map(await wizard.read(`Name,Species,Photos\n${rows.join('')}`)))
}
const photosOf = async (shop: PlatformOwner, { id }: Details) => (await reviewer(platform, shop).show(id)).photos
const many = (hostname: string, count: number, path = '') =>
  Array.from({ length: count }, (_, number) => `${hostname}/${path}${number}.jpg`)

async function projectsOfOneAccount(): Promise<PlatformOwner[]> {
  const first = await platform.owner()
  const shops = [first]
  for (let number = 1; number < SILENT.length; number += 1) {
    const slug = `${first.slug}-${number}`
    expect((await first.send('POST', '/projects', { slug, name: slug })).status).toBe(201)
    const project = await directory.findSlug(platform.test.service.database.run, slug)
    if (project !== undefined) shops.push({ ...first, slug, project })
  }
  return shops
}

test('imports of all projects of an account whose photo hosts never answer delay no job of another project', async () => {
  const shops = await projectsOfOneAccount()
  const attack = (number: number) => importOf(shops[number] as PlatformOwner, many(SILENT[number] ?? '', 40))
  const waiting = () => SILENT.flatMap(requestsAt).length
  const imports: Details[] = []
  for (let number = 0; number < 4; number += 1) imports.push(await attack(number))
  await expect.poll(waiting, PATIENCE).toBe(2 * 4)

  const other = await platform.owner()
  const published = await sites.deploy(other)
  const pet = await visits.addAnimal(other.project)
  const { id } = await visits.reserve(other.project, pet)
  await visits.age(other.project, id)
  expect(await sites.finished(other, published.id)).toMatchObject({ state: 'succeeded' })
  await expect
    .poll(async () => (await visits.look(other.project, pet)).orders, PATIENCE)
    .toMatchObject([{ id, stage: 'expired' }])

  imports.push(await attack(4))
  await expect.poll(waiting, PATIENCE).toBe(2 * 5)
  const imported = await importOf(other, many(GOOD, 1))
  await expect.poll(() => photosOf(other, imported), PATIENCE).toEqual({ pending: 0, added: 1, failed: 0 })

  for (const [number, shop] of shops.entries()) {
    const pending = await photosOf(shop, imports[number] as Details)
    expect(pending).toEqual({ pending: 40, added: 0, failed: 0 })
  }
})

test('a host that took too long three times is given up; photos of other hosts are fetched', async () => {
  const shop = await platform.owner()
  const done = await importOf(shop, [...many(SLOW, 18), ...many(GOOD, 1)])
  await expect.poll(() => photosOf(shop, done), PATIENCE).toEqual({ pending: 0, added: 1, failed: 18 })
  // Two at a time: the fourth had begun when the third was late.
  expect([3, 4]).toContain(fetchesFromSlow)
  const reasons = (await reviewer(platform, shop).rows(done)).flatMap(({ photos }) =>
    photos.map(({ reason }) => reason),
  )
  const late = 'The server takes too long.'
  const given = 'The server took too long 3 times. This photo was not fetched; add it to the animal by hand.'
  expect(reasons.filter((reason) => reason === late)).toHaveLength(fetchesFromSlow)
  expect(reasons.filter((reason) => reason === given)).toHaveLength(18 - fetchesFromSlow)
})

test('an import yields to another one of its project after a few rows', async () => {
  const shop = await platform.owner()
  const first = await importOf(shop, many(GOOD, 12, 'gated-one-'))
  const second = await importOf(shop, many(GOOD, 12, 'gated-two-'))
  gate.resolve()
  for (const one of [first, second]) {
    await expect.poll(() => photosOf(shop, one), PATIENCE).toEqual({ pending: 0, added: 12, failed: 0 })
  }
  const order = requestsAt(GOOD)
  const oneOf = (path: string) => (address: string) => address.includes(path)
  expect(order.findIndex(oneOf('two'))).toBeLessThan(order.findLastIndex(oneOf('one')))
})
