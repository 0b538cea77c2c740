// Servers that may be at an address in place of ours, tested by real requests.

import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webRoles, type WebRoleName } from '../web.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ webTls: true })
})
afterAll(() => world.close())

type Seen = { status: number; location: string; server: string; body: string } | string

function get(role: WebRoleName, path = '/.well-known/petstore-probe/x', isTls = false): Promise<Seen> {
  const { address } = webRoles[role]
  const port = isTls ? world.web.tlsPort : world.web.port
  return new Promise((done) => {
    let hasBegun = false
    const pending = (isTls ? requestTls : request)(
      {
        host: address,
        port,
        path,
        headers: { host: 'shop.willow-street.test' },
        rejectUnauthorized: false,
        signal: AbortSignal.timeout(400),
      },
      (response) => {
        hasBegun = true
        let body = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          body += part
          if (body.length > 1_000_000) response.destroy()
        })
        response.on('error', () => undefined)
        response.on('close', () => {
          const { location = '', server = '' } = response.headers
          done({ status: response.statusCode ?? 0, location, server: String(server), body: body.slice(0, 500) })
        })
      },
    )
    // After a response has begun, only its end counts.
    pending.on('error', (error: NodeJS.ErrnoException) => void (hasBegun || done(error.code ?? error.name)))
    pending.end()
  })
}

test('every role has an address of its own in the network of the web servers', () => {
  const addresses = Object.values(webRoles).map(({ address }) => address)
  expect(new Set(addresses).size).toBe(addresses.length)
  expect(addresses.every((address) => address.startsWith('127.0.80.'))).toBe(true)
  expect(world.web.addressOf('other')).toBe('127.0.80.10')
})

test.each([
  ['other', { status: 200, server: 'nginx/1.24.0' }],
  ['parking', { status: 200, body: expect.stringContaining('domain is parked') }],
  ['forwarding', { status: 301, location: 'https://www.elsewhere.test/' }],
  ['refusing', 'ECONNREFUSED'],
  ['ours', 'ECONNREFUSED'],
  ['silent', 'ABORT_ERR'],
  ['resetting', 'ECONNRESET'],
  ['noise', 'HPE_INVALID_CONSTANT'],
  ['login', { status: 401 }],
  ['forbidden', { status: 403 }],
  ['browser-check', { status: 403, server: 'cloudflare' }],
  ['cloudflare-522', { status: 522, server: 'cloudflare' }],
  ['cloudflare-1014', { status: 403, body: expect.stringContaining('Error 1014') }],
  ['cloudflare-1000', { status: 403, body: expect.stringContaining('Error 1000') }],
  ['cloudflare-flexible', { status: 301, location: 'https://shop.willow-street.test/.well-known/petstore-probe/x' }],
  ['redirect-303', { status: 303 }],
  ['redirect-port', { location: 'http://shop.willow-street.test:8080/.well-known/petstore-probe/x' }],
  ['redirect-loop', { location: '/.well-known/petstore-probe/x' }],
  ['redirect-many', { location: '/.well-known/petstore-probe/x?hop=1' }],
  ['redirect-nowhere', { status: 302, location: '' }],
  ['drip', { status: 200, body: expect.stringMatching(/^\.*$/) }],
  ['endless', { status: 200, body: 'x'.repeat(500) }],
] as const)('%s does what it says', async (role, seen) => {
  const got = await get(role)
  if (typeof seen === 'string') expect(got).toBe(seen)
  else expect(got).toMatchObject(seen)
})

test('a login protects only the check path', async () => {
  expect(await get('login', '/')).toMatchObject({ status: 200 })
})

test('flexible mode redirects HTTPS to HTTPS in a loop', async () => {
  const path = '/.well-known/petstore-probe/x'
  expect(await get('cloudflare-flexible', path, true)).toMatchObject({
    location: `https://shop.willow-street.test${path}`,
  })
})

test('a test can serve at our address, and in place of another role', async () => {
  await world.web.serve('ours', (request, response, { scheme }) => response.end(`${scheme} ${request.headers.host}`))
  expect(await get('ours')).toMatchObject({ status: 200, body: 'http shop.willow-street.test' })
  expect(await get('ours', '/', true)).toMatchObject({ status: 200, body: 'https shop.willow-street.test' })
  await world.web.serve('missing', (_request, response) => response.end('found'))
  expect(await get('missing')).toMatchObject({ status: 200, body: 'found' })
  await expect(world.web.serve('silent', (_request, response) => response.end())).rejects.toThrow('does not speak HTTP')
})
