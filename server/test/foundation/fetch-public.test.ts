// Files fetched from addresses that a stranger chose, from a real HTTPS server on loopback: public addresses only, the
// address that was judged and no other, every redirect judged again, and no more bytes and time than allowed.

import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPhotoHost, type PhotoHost } from '../../../testbed/harness/photo-host.ts'
import { fetchPublic, type FetchDeps } from '../../src/foundation/http/fetch-public.io.ts'

const HOST = 'photos.test'
const LIMITS = { bytesMax: 1000, milliseconds: 60_000 }

let host: PhotoHost
const requests: string[] = []
beforeAll(async () => {
  host = await startPhotoHost([HOST, 'other.test'], (request, response) => {
    requests.push(`${request.headers.host}${request.url}`)
    pages[request.url ?? '']?.(request, response)
  })
})
afterAll(() => host.close())

const bytes =
  (length: number): RequestListener =>
  (_, response) =>
    void response.end(Buffer.alloc(length, 'a'))
const to =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end()

const pages: Readonly<Record<string, RequestListener>> = {
  '/small': bytes(1000),
  '/large': bytes(1001),
  '/endless': (_, response) => {
    const more = () => {
      if (!response.destroyed) response.write(Buffer.alloc(500), () => setImmediate(more))
    }
    more()
  },
  '/silent': () => undefined,
  '/slow': (_, response) => void response.write('a'),
  '/gone': (_, response) => void response.writeHead(404).end(),
  '/to-small': to('/small'),
  '/to-other': to('https://other.test/small'),
  '/to-private': to('https://private.test/small'),
  '/to-loopback': to('https://127.0.0.1/small'),
  '/to-http': to(`http://${HOST}/small`),
  '/to-port': to(`https://${HOST}:8443/small`),
  '/round': to('/round'),
}

const fetched = async (address: string, changes: Partial<FetchDeps> = {}, limits = LIMITS) => {
  const answer = await fetchPublic({ ...host.deps, ...changes }, address, limits)
  return 'failure' in answer ? answer.failure : answer.bytes.length
}
const at = (path: string) => `https://${HOST}${path}`

test('a file is fetched, directly and by redirects to other hosts', async () => {
  expect(await fetched(at('/small'))).toBe(1000)
  expect(await fetched(at('/to-small'))).toBe(1000)
  expect(await fetched(at('/to-other'))).toBe(1000)
  expect(requests).toContain('other.test/small')
})

test('an address that is not public is not contacted, however it is spelled or reached', async () => {
  const before = requests.length
  host.names.set('private.test', [['10.0.0.1', '192.168.1.1', '169.254.169.254']])
  const onlyPublic = { allowedNetworks: [] }
  expect(await fetched(at('/small'), onlyPublic)).toBe('The address is not public.')
  expect(await fetched('https://private.test/small')).toBe('The address is not public.')
  for (const spelled of [
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '127.1',
    '10.0.0.1',
    '[::ffff:127.0.0.1]',
    '0',
  ]) {
    expect([spelled, await fetched(`https://${spelled}/small`, onlyPublic)]).toEqual([
      spelled,
      'The address is not public.',
    ])
  }
  expect(requests).toHaveLength(before)
  expect(await fetched(at('/to-private'))).toBe('The address is not public.')
  expect(await fetched('https://nowhere.test/small')).toBe('The address does not exist.')
})

test('the address that was judged is contacted, although the name has another one a moment later', async () => {
  host.names.set(HOST, [['127.0.0.1'], ['10.0.0.1']])
  const before = host.asked.length
  expect(await fetched(at('/small'))).toBe(1000)
  expect(host.asked.slice(before)).toEqual([HOST])
  // The next fetch asks again, and is refused.
  expect(await fetched(at('/small'))).toBe('The address is not public.')
  host.names.set(HOST, [['10.0.0.1', '127.0.0.1']])
  expect(await fetched(at('/small'))).toBe(1000)
  host.names.set(HOST, [['127.0.0.1']])
})

test('a redirect leads neither to http, nor to another port, nor on for ever', async () => {
  expect(await fetched(at('/to-http'))).toBe('Only https addresses without a port are fetched.')
  expect(await fetched(at('/to-port'))).toBe('Only https addresses without a port are fetched.')
  expect(await fetched(at('/round'))).toBe('The server redirects too often.')
  expect(await fetched(at('/gone'))).toBe('The server answered 404.')
})

test('a file that is larger than allowed is not read to its end', async () => {
  expect(await fetched(at('/large'))).toBe('The file is too large.')
  expect(await fetched(at('/endless'))).toBe('The file is too large.')
})

test('a server that takes too long is left', async () => {
  const limits = { ...LIMITS, milliseconds: 500 }
  expect(await fetched(at('/silent'), {}, limits)).toBe('The server takes too long.')
  expect(await fetched(at('/slow'), {}, limits)).toBe('The server takes too long.')
})

test('a name whose servers take too long is distinguished from one that does not exist', async () => {
  const silent = async () => ({ outcome: { kind: 'silence', why: 'timeout' } as const, ms: 1 })
  const dns = { ...host.deps.dns, ask: silent }
  expect(await fetchPublic({ ...host.deps, dns }, at('/small'), LIMITS)).toEqual({
    failure: 'The name server of the address takes too long.',
    isLate: true,
  })
})

test('a certificate that is not trusted, or of another name, is refused (negative control)', async () => {
  expect(await fetched(at('/small'), { roots: undefined })).toBe('The server cannot be reached securely.')
  host.names.set('stranger.test', [['127.0.0.1']])
  expect(await fetched('https://stranger.test/small')).toBe('The server cannot be reached securely.')
})
