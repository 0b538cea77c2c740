// Request smuggling over HTTP/2: Caddy turns no header and no body into a second request to the edge. Over HTTP/1.1, several
// hundred requests with an ambiguous length are the line `hostile-input` of `npm run safety`; how both are noticed is in
// testbed/safety/smuggling.ts.

import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestHttp } from '../testbed/internet/caddy-clients.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from '../testbed/internet/caddy-environment.ts'
import { frame, framesIn, headerBlock, opening } from '../testbed/internet/http2-frames.ts'

const name = 'pets.paws.test'
let environment: CaddyEnvironment
let seen: { url: string; isFromCaddy: boolean }[] = []

beforeAll(async () => {
  environment = await startCaddyEnvironment('127.0.80.35')
  await environment.certify(name)
  environment.edge.answer = (request, response) => {
    // The target as the edge reads it. A smuggled request has no such header.
    const target = request.headers['petstore-target']
    const url = typeof target === 'string' ? target : (request.url ?? '')
    seen.push({ url, isFromCaddy: target !== undefined })
    request.on('error', () => undefined).resume()
    request.on('end', () => response.writeHead(200, { 'content-length': url.length }).end(url))
  }
})
afterAll(() => environment.close())

test('a request that bypasses Caddy is detected (negative control)', async () => {
  seen = []
  const socket = connect({ host: '127.0.0.1', port: environment.edge.port })
  socket.on('error', () => undefined).end(`GET /canary HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
  await once(socket.resume(), 'close')
  expect(seen).toEqual([{ url: '/canary', isFromCaddy: false }])
})

const usual = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':path', '/first'],
  [':authority', name],
] as const
const canary = '/canary-http2'
const smuggled = `GET ${canary} HTTP/1.1\r\nHost: ${name}\r\n\r\n`

/** Headers that HTTP/2 can carry and HTTP/1.1 cannot, or must not. */
const crafted: readonly (readonly (readonly [string, string])[])[] = [
  [...usual, ['x', `y\r\n\r\n${smuggled}`]],
  [...usual, ['x', `y\n\n${smuggled}`]],
  [...usual, [`x: y\r\n\r\n${smuggled}`, 'z']],
  [...usual, ['transfer-encoding', 'chunked']],
  [...usual, ['content-length', '0']],
  [...usual, ['content-length', '3']],
  [...usual, ['content-length', '3'], ['content-length', '0']],
  [...usual, ['connection', 'content-length']],
  [...usual, ['Transfer-Encoding', 'chunked']],
  [...usual, ['host', `${name}\r\n\r\n${smuggled}`]],
  [usual[0], usual[1], [':path', `/first HTTP/1.1\r\nHost: ${name}\r\n\r\n${smuggled}`], usual[3]],
  [usual[0], usual[1], [':path', `/first HTTP/1.1 ${canary}`], usual[3]],
  [[':method', `GET ${canary} HTTP/1.1\r\nHost: ${name}\r\n\r\nPOST`], usual[1], usual[2], usual[3]],
  [usual[0], [':scheme', `https\r\n\r\n${smuggled}`], usual[2], usual[3]],
  [usual[0], usual[1], usual[2], [':authority', `${name}\r\n\r\n${smuggled}`]],
]

test('Caddy turns no HTTP/2 header or body into a second request', async () => {
  for (const headers of [usual, ...crafted]) {
    seen = []
    await sendFrames(headers, `0\r\n\r\n${smuggled}`)
    expect(seen.filter(({ isFromCaddy }) => !isFromCaddy)).toEqual([])
    expect(seen.filter(({ url }) => url.startsWith(canary))).toEqual([])
    expect((await requestHttp(environment, name, { path: '/after' })).body).toBe('/after')
    if (headers === usual) expect(seen.map(({ url }) => url)).toContain('/first')
  }
})

/** Writes the frames by hand, because no client would send them. */
async function sendFrames(headers: readonly (readonly [string, string])[], body: string): Promise<void> {
  const target = { host: environment.caddy.addresses[0] ?? '', port: environment.caddy.httpsPort }
  const socket = connectTls({ ...target, servername: name, ca: environment.roots(), ALPNProtocols: ['h2'] })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  socket.write(opening())
  socket.write(Buffer.concat([frame(1, 4, 1, headerBlock(headers)), frame(0, 1, 1, Buffer.from(body))]))
  // A response, RST_STREAM or GOAWAY: after any of them, the request has been handled.
  let got = Buffer.alloc(0)
  for await (const part of socket as AsyncIterable<Buffer>) {
    got = Buffer.concat([got, part])
    if (framesIn(got).some(({ kind, flags }) => kind === 3 || kind === 7 || (flags & 1 && kind <= 1))) break
  }
  socket.destroy()
}
