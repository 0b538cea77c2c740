// Photos at edges: held apart from pages, fetched once, confirmed again within the hour, and sent while the control
// plane is away.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../src/foundation/time.ts'
import {
  https,
  place,
  startControl,
  startVisitedEdge,
  temporaryFolder,
  until,
  type ScriptedPage,
  type VisitedControl,
} from './environment.ts'

const path = `/photos/${'ab'.repeat(32)}/1-640.webp`
const photo: ScriptedPage = {
  headers: {
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=604800, s-maxage=3600, immutable',
    etag: '"a-photo"',
  },
  body: 'the bytes of a photo',
}
const gone: ScriptedPage = { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not found' }
const visit = https('shop.example', path)
const askedFor = (control: VisitedControl) => control.asked.filter(({ target }) => target === path).length

/** Clocks that a test moves. */
function movable() {
  let later = 0
  return { monotonic: () => performance.now() + later, pass: (ms: number) => void (later += ms) }
}

test('a photo is fetched once, however many visitors want it, and later sent without a question', async () => {
  const { edge, control } = await place()
  control.serve(() => photo)
  const found = await Promise.all(Array.from({ length: 20 }, () => edge.visit(visit)))
  expect(new Set(found.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 the bytes of a photo']))
  const one = await edge.visit({ ...visit, path: `${path}?from=a-friend`, headers: { 'Accept-Encoding': 'br' } })
  expect([one.status, one.headers['content-encoding'], one.headers.etag, Number(one.headers.age) < 60]).toEqual([
    200,
    undefined,
    '"a-photo"',
    true,
  ])
  expect((await edge.visit({ ...visit, headers: { 'If-None-Match': '"a-photo"' } })).status).toBe(304)
  expect(askedFor(control)).toBe(1)
  expect(control.asked.find(({ target }) => target === path)?.headers['accept-encoding']).toBe('identity')
})

test('after half an hour it is confirmed in the background, and visitors do not wait', async () => {
  const clock = movable()
  const { edge, control } = await place({ monotonic: clock.monotonic })
  control.serve(() => photo)
  await edge.visit(visit)
  clock.pass(29 * MINUTE)
  await edge.visit(visit)
  expect(askedFor(control)).toBe(1)
  clock.pass(2 * MINUTE)
  const answer = Promise.withResolvers<ScriptedPage>()
  control.serve(() => answer.promise)
  const held = await edge.visit(visit)
  expect([held.status, held.headers.age]).toEqual([200, String(31 * 60)])
  answer.resolve(photo)
  const renewed = await until(
    () => edge.visit(visit),
    ({ headers }) => Number(headers.age) < 60,
  )
  expect([renewed.status, Number(renewed.headers.age) < 60, askedFor(control)]).toEqual([200, true, 2])
})

/** Three edges that hold a photo; then it is deleted, and time passes. The statuses that visitors get afterwards. */
async function deletedFor(ms: number, options: { photoConfirmMs?: number } = {}) {
  const clock = movable()
  const control = await startControl()
  control.put('shop.example', { kind: 'site', slug: 'north' })
  control.serve(() => photo)
  const edges = [
    await startVisitedEdge(control, { monotonic: clock.monotonic, ...options }),
    await startVisitedEdge(control, { monotonic: clock.monotonic, ...options }),
    await startVisitedEdge(control, { monotonic: clock.monotonic, ...options }),
  ]
  for (const edge of edges) {
    const first = await until(
      () => edge.visit(visit),
      ({ status }) => status === 200,
    )
    expect(first.status).toBe(200)
  }
  control.serve(() => gone)
  clock.pass(ms)
  return {
    edges,
    statuses: await Promise.all(edges.map(async (edge) => (await edge.visit(visit)).status)),
  }
}

test('a deleted photo is gone from three edges within the hour, from memory and disk', async () => {
  const { edges, statuses } = await deletedFor(HOUR)
  expect(statuses).toEqual([404, 404, 404])
  for (const edge of edges) {
    const left = await until(
      () => readdir(join(edge.directory, 'photos')),
      (files) => files.length === 0,
    )
    expect(left).toEqual([])
  }
})

test('a photo that is visited in the meantime is gone earlier', async () => {
  const { edges, statuses } = await deletedFor(31 * MINUTE)
  expect(statuses).toEqual([200, 200, 200])
  for (const edge of edges) {
    const later = await until(
      () => edge.visit(visit),
      ({ status }) => status === 404,
    )
    expect(later.status).toBe(404)
  }
})

test('without confirmation a deleted photo would stay (negative control)', async () => {
  const { statuses } = await deletedFor(100 * HOUR, { photoConfirmMs: Number.POSITIVE_INFINITY })
  expect(statuses).toEqual([200, 200, 200])
})

test('while the control plane is away a photo is sent as not cacheable, also after a restart', async () => {
  const clock = movable()
  const directory = await temporaryFolder()
  const { edge, control } = await place({ directory, monotonic: clock.monotonic })
  control.serve(() => photo)
  await edge.visit(visit)
  await control.shut()
  clock.pass(2 * HOUR)
  const stale = await edge.visit(visit)
  expect([stale.status, stale.text, stale.headers['cache-control']]).toEqual([200, 'the bytes of a photo', 'no-store'])
  expect((await edge.visit(https('shop.example', path.replace('640', '320')))).status).toBe(503)
  await edge.stop()
  const again = await startVisitedEdge(control, { directory })
  const restarted = await again.visit(visit)
  expect([restarted.status, restarted.text]).toEqual([200, 'the bytes of a photo'])
  await control.reopen()
  const fresh = await until(
    () => again.visit(visit),
    ({ headers }) => headers['cache-control'] !== 'no-store',
  )
  expect(fresh.headers['cache-control']).toContain('s-maxage=3600')
})
