// An isolated edge keeps serving visitors: the pages that it has, within the time limit,
// also across its own restart, and without losing a submitted form.

import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { htmlPage, https, place, startVisitedEdge, temporaryFolder, until } from './environment.ts'

describe('an edge without its control plane', () => {
  const isStale = (found: { headers: { 'cache-control'?: string | undefined } }) =>
    found.headers['cache-control'] === 'no-store'

  test('sends the pages that it has, as not cacheable, and an error page for others', async () => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example', '/a/1'))
    await control.shut()
    const stale = await until(() => edge.visit(https('shop.example', '/a/1')), isStale)
    expect([
      stale.status,
      stale.text,
      stale.headers['cache-control'],
      stale.headers.etag,
      stale.headers.warning,
    ]).toEqual([200, 'The site north at /a/1', 'no-store', undefined, undefined])
    expect(stale.headers['strict-transport-security']).toBe('max-age=31536000')
    const none = await edge.visit(https('shop.example', '/a/2'))
    expect([none.status, none.headers['cache-control'], none.headers['retry-after']]).toEqual([503, 'no-store', '1'])
    expect((await edge.visit({ host: 'www.shop.example' })).headers.location).toBe('https://shop.example/')
    expect((await edge.visit({ host: 'nobody.example' })).status).toBe(421)

    await control.reopen()
    const fresh = await until(
      () => edge.visit(https('shop.example', '/a/1')),
      (found) => !isStale(found),
    )
    expect([fresh.status, fresh.headers.etag]).toEqual([200, 'W/"22"'])
  })

  test('has no copy of a choice of animals to print', async () => {
    const { edge, control } = await place()
    const sheets = https('shop.example', '/print?animals=1,2')
    expect((await edge.visit(sheets)).status).toBe(200)
    await edge.visit(https('shop.example', '/a/1'))
    await control.shut()
    await until(() => edge.visit(https('shop.example', '/a/1')), isStale)
    expect((await edge.visit(sheets)).status).toBe(503)
  })

  test('does so after a restart as well', async () => {
    const { edge, control } = await place()
    const bytes = brotliCompressSync('A page that is compressed')
    control.serve(({ target }) => ({
      ...htmlPage(target),
      headers: { ...htmlPage(target).headers, 'content-encoding': 'br' },
      body: bytes,
    }))
    await edge.visit({ ...https('shop.example', '/a/1?from=a-friend'), headers: { 'Accept-Encoding': 'br' } })
    await edge.stop()
    await control.shut()

    const again = await startVisitedEdge(control, { directory: edge.directory })
    const packed = await again.visit({ ...https('shop.example', '/a/1'), headers: { 'Accept-Encoding': 'br' } })
    expect([packed.status, packed.headers['content-encoding'], packed.headers['cache-control']]).toEqual([
      200,
      'br',
      'no-store',
    ])
    const plain = await again.visit(https('shop.example', '/a/1'))
    expect([plain.status, plain.headers['content-encoding'], plain.text]).toEqual([
      200,
      undefined,
      'A page that is compressed',
    ])
    expect((await again.visit(https('other.example', '/a/1'))).status).toBe(503)
    const sent = { ...https('shop.example', '/a/1'), method: 'POST', body: 'x=1' }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await again.visit({ ...sent, headers: form })).status).toBe(503)
  })

  test('does not send a copy on disk that was damaged or swapped', async () => {
    const { edge, control } = await place()
    for (const path of ['/a/1', '/a/2']) await edge.visit(https('shop.example', path))
    await edge.visit(https('other.example', '/a/3'))
    await edge.stop()
    await control.shut()
    const folder = join(edge.directory, 'pages')
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
    )
    expect(files.length).toBe(3)
    const fileOf = (text: string) =>
      files.find(({ bytes }) => bytes.includes(text)) ?? { name: '', bytes: Buffer.alloc(0) }
    const [first, second, third] = ['/a/1', '/a/2', '/a/3'].map(fileOf)
    if (!first || !second || !third) throw new Error('a copy is missing')
    const flipped = Buffer.from(first.bytes)
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
    await writeFile(join(folder, first.name), flipped)
    await writeFile(join(folder, second.name), third.bytes)

    const again = await startVisitedEdge(control, { directory: edge.directory })
    expect((await again.visit(https('shop.example', '/a/1'))).status).toBe(503)
    expect((await again.visit(https('shop.example', '/a/2'))).status).toBe(503)
    expect((await again.visit(https('other.example', '/a/3'))).status).toBe(200)
  })

  test('keeps no copy of a page that is gone', async () => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example', '/a/1'))
    control.serve(() => ({ ...htmlPage('Gone'), status: 404 }))
    await until(
      () => edge.visit(https('shop.example', '/a/1')),
      ({ status }) => status === 404,
    )
    await control.shut()
    const left = await until(
      () => edge.visit(https('shop.example', '/a/1')),
      ({ status }) => status !== 404,
    )
    expect(left.status).toBe(503)
  })

  test('makes visitors wait two seconds at most while it hangs, and soon not at all', async () => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example', '/a/1'))
    control.serve(() => 'hang')
    const waits: number[] = []
    for (const path of ['/a/2', '/a/3', '/a/4']) {
      const startedAt = performance.now()
      expect((await edge.visit(https('shop.example', path))).status).toBe(503)
      waits.push(performance.now() - startedAt)
    }
    expect(Math.max(...waits)).toBeLessThan(2500)
    const startedAt = performance.now()
    expect(isStale(await edge.visit(https('shop.example', '/a/1')))).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(1500)
  })

  test.each([500, 503, 401])('sends what it has when the control plane responds %d', async (status) => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example', '/a/1'))
    control.serve(() => ({ status, body: 'an error of the control plane' }))
    const stale = await until(() => edge.visit(https('shop.example', '/a/1')), isStale)
    expect([stale.status, stale.text]).toEqual([200, 'The site north at /a/1'])
  })

  test('serves nothing after the time limit, until it is connected again', async () => {
    const hour = 3_600_000
    let now = Date.now()
    const directory = await temporaryFolder()
    const { edge, control } = await place({ directory, now: () => now })
    await edge.visit(https('shop.example'))
    await edge.stop()
    await control.shut()
    const later = await startVisitedEdge(control, { directory, now: () => now })
    now += 71 * hour
    expect((await later.visit(https('shop.example'))).status).toBe(200)
    now += 2 * hour
    for (const visit of [https('shop.example'), { host: 'www.shop.example' }, { host: 'east.petstore.test' }]) {
      expect([visit.host, (await later.visit(visit)).status]).toEqual([visit.host, 503])
    }
    await control.reopen()
    const back = await until(
      () => later.visit(https('shop.example')),
      ({ status }) => status === 200,
    )
    expect(back.status).toBe(200)
  })
})
