import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heldPage, inPlainBytes, pageHeaders, createPageCache } from './page.ts'

const pageOf = (bytes: number) => heldPage({ status: 200, headers: [], body: Buffer.alloc(bytes) })

test('a page is fresh for its cache lifetime, counted from its request, and known after that', () => {
  let now = 1000
  const memory = createPageCache({ holdMs: 450, countMax: 10, bytesMax: 1_000_000, now: () => now })
  const page = pageOf(10)
  memory.put('a', page, 900)
  now = 1349
  expect(memory.fresh('a')).toBe(page)
  now = 1350
  expect([memory.fresh('a'), memory.last('a')]).toEqual([undefined, page])
  memory.put('a', page, now)
  memory.expire('a')
  expect([memory.fresh('a'), memory.last('a')]).toEqual([undefined, page])
  memory.drop('a')
  expect([memory.last('a'), memory.bytes]).toEqual([undefined, 0])
})

test('neither number nor bytes exceed their limits, and the newest pages stay', () => {
  const steps = fc.array(fc.record({ key: fc.nat(20).map(String), bytes: fc.nat(6000), isDropped: fc.boolean() }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (taken) => {
      const memory = createPageCache({ holdMs: 1, countMax: 5, bytesMax: 20_000, now: () => 0 })
      for (const { key, bytes, isDropped } of taken) {
        if (isDropped) memory.drop(key)
        else {
          memory.put(key, pageOf(bytes), 0)
          expect(memory.last(key)?.body.length).toBe(bytes)
        }
        const cached = Array.from({ length: 21 }, (_, index) => memory.last(String(index))).filter(Boolean)
        expect(cached.length).toBeLessThanOrEqual(5)
        expect(memory.bytes).toBeLessThanOrEqual(20_000)
        expect(memory.bytes).toBe(cached.reduce((sum, page) => sum + (page?.body.length ?? 0) + 2048, 0))
      }
    }),
  )
})

test('a page larger than the whole cache is not cached, and evicts no other', () => {
  const memory = createPageCache({ holdMs: 1, countMax: 5, bytesMax: 20_000, now: () => 0 })
  memory.put('small', pageOf(10), 0)
  memory.put('large', pageOf(30_000), 0)
  expect([memory.last('small')?.body.length, memory.last('large')]).toEqual([10, undefined])
})

test('only the headers of pages are kept, each once', () => {
  const raw = [
    'content-type',
    'text/html',
    'Set-Cookie',
    'a',
    'ETAG',
    'W/"1"',
    'ETag',
    'W/"2"',
    'Connection',
    'x',
    'vary',
    'y',
  ]
  expect(pageHeaders(raw)).toEqual(['Content-Type', 'text/html', 'ETag', 'W/"1"', 'Vary', 'y'])
})

test('a page has headers for each way in which it is sent', () => {
  const headers = ['Content-Type', 'text/html', 'Cache-Control', 'public', 'Content-Encoding', 'br', 'ETag', 'W/"1"']
  const page = heldPage({ status: 200, headers, body: Buffer.from('abc') })
  expect(page).toMatchObject({
    headers: [...headers, 'Content-Length', '3'],
    headersUnchanged: ['Cache-Control', 'public', 'ETag', 'W/"1"'],
    headersStale: [
      'Content-Type',
      'text/html',
      'Content-Encoding',
      'br',
      'Cache-Control',
      'no-store',
      'Content-Length',
      '3',
    ],
    etag: 'W/"1"',
    coding: 'br',
  })
  expect(inPlainBytes(page, Buffer.from('longer'))).toMatchObject({
    headers: ['Content-Type', 'text/html', 'Cache-Control', 'public', 'ETag', 'W/"1"', 'Content-Length', '6'],
    coding: undefined,
  })
})
