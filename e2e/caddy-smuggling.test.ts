// Request smuggling tests. Two servers parse every request: Caddy and the edge. If they
// disagreed on where a request ends, a visitor could hide a second request in the body of
// the first, and it would emerge on a connection that other visitors share. Several hundred
// requests with an ambiguous length are sent through a real Caddy:
// - each request that the edge receives must be one that Caddy parsed as well: it carries the
//   header that Caddy sets on every request and that hidden requests lack;
// - the next client on the connection gets the response to its own request.

import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestHttp } from './caddy-clients.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from './caddy-environment.ts'

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

/** Headers that declare the length of the body: once, twice, ambiguous, misspelt, or folded. */
const lengths = [
  ['Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Content-Length: LENGTH'],
  ['Content-Length: 0', 'Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Content-Length: 0'],
  ['Content-Length: +LENGTH'],
  ['Content-Length: 0xff'],
  ['Content-Length: -1'],
  ['Content-Length: LENGTH, LENGTH'],
  ['Content-Length: LENGTH, 0'],
  ['Content-Length : LENGTH'],
  ['Content-Length:\tLENGTH'],
  ['Content-Length: \x0bLENGTH'],
  ['Content-Length: 99999999999999999999'],
  ['Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['Content-Length: LENGTH', 'Transfer-Encoding: chunked'],
  ['Content-Length: 0', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding: identity', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: identity, chunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: xchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding : chunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:\tchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: \x0bchunked', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:chunked\x0b', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: "chunked"', 'Content-Length: LENGTH'],
  ['Transfer-Encoding:\r\n chunked', 'Content-Length: LENGTH'],
  ['X: y\r\n Transfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['X: y\rTransfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['X: y\nTransfer-Encoding: chunked', 'Content-Length: LENGTH'],
  ['Transfer_Encoding: chunked', 'Content-Length: LENGTH'],
  ['TRANSFER-ENCODING: CHUNKED', 'Content-Length: LENGTH'],
  ['Transfer-Encoding: chunked', 'Connection: Transfer-Encoding'],
  ['Content-Length: LENGTH', 'Connection: Content-Length'],
  ['Content-Length: LENGTH', 'Expect: 100-continue'],
  ['Content-Length: LENGTH', 'Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk'],
  ['Content-Length: LENGTH', 'Upgrade: websocket', 'Connection: Upgrade'],
  ['Content-Length: LENGTH', 'X-Nothing\0: y'],
  [],
] as const

const hidden = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${name}\r\nX: `
const chunk = (text: string, size = text.length.toString(16)) => `${size}\r\n${text}\r\n`

/** Bodies with a request hidden in them. */
const bodies: readonly ((path: string) => string)[] = [
  (path) => hidden(path),
  (path) => `0\r\n\r\n${hidden(path)}`,
  (path) => `${chunk('abc')}0\r\n\r\n${hidden(path)}`,
  (path) => `${chunk(hidden(path))}0\r\n\r\n`,
  (path) => `3;x=\n${hidden(path).length}\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `3 \r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `0x3\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `3\nabc\n0\n\n${hidden(path)}`,
  (path) => `fffffffffffffffff\r\nabc\r\n0\r\n\r\n${hidden(path)}`,
  (path) => `0\r\nContent-Length: 99\r\npetstore-target: /forged\r\n\r\n${hidden(path)}`,
  (path) => `${chunk('abc', '2')}0\r\n\r\n${hidden(path)}`,
  (path) => `\r\n\r\n${hidden(path)}`,
]

test('Caddy forwards no request hidden in the body of another, however ambiguous its length', async () => {
  let sent = 0
  let answered = 0
  for (const heads of lengths) {
    seen = []
    const doubtful = bodies.flatMap((bodyOf) =>
      ['1.1', '1.0'].map(async (version) => {
        sent += 1
        const body = bodyOf(`/canary-${sent}`)
        const lines = heads.map((line) => line.replace('LENGTH', String(body.length)))
        const head = [`POST /first-${sent} HTTP/${version}`, `Host: ${name}`, ...lines].join('\r\n')
        const received = await exchange(`${head}\r\n\r\n${body}\r\n\r\n`)
        if (received.includes('/first-')) answered += 1
      }),
    )
    await Promise.all(doubtful)
    const after = await Promise.all(
      bodies.map((_, index) => requestHttp(environment, name, { path: `/after-${index}` })),
    )
    expect(after.map(({ body }) => body)).toEqual(bodies.map((_, index) => `/after-${index}`))
    expect(seen.filter(({ isFromCaddy }) => !isFromCaddy)).toEqual([])
  }
  expect(sent).toBeGreaterThan(500)
  // If every request had been rejected at once, nothing would have been tested.
  expect(answered).toBeGreaterThan(100)
})

test('a request that bypasses Caddy is detected (negative control)', async () => {
  seen = []
  const socket = connect({ host: '127.0.0.1', port: environment.edge.port })
  socket.on('error', () => undefined).end(`${hidden('/canary')}\r\n\r\n`)
  await once(socket.resume(), 'close')
  expect(seen).toEqual([{ url: '/canary', isFromCaddy: false }])
})

const QUIET_MS = 100

/** Sends the text and reads until the peer closes the connection or sends nothing more. */
async function exchange(text: string): Promise<string> {
  const socket = connect({ host: environment.caddy.addresses[0] ?? '', port: environment.caddy.httpPort })
  let received = ''
  socket.setEncoding('latin1').on('data', (part: string) => (received += part))
  socket.on('error', () => undefined)
  socket.setTimeout(QUIET_MS, () => socket.destroy())
  socket.write(Buffer.from(text, 'latin1'))
  await once(socket, 'close')
  return received
}

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
  const block = Buffer.concat(headers.flatMap(([key, value]) => [Buffer.of(0), literal(key), literal(value)]))
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(Buffer.concat([frame(4, 0, 0), frame(1, 4, 1, block), frame(0, 1, 1, Buffer.from(body))]))
  // A response, RST_STREAM or GOAWAY: after any of them, the request has been handled.
  let got = Buffer.alloc(0)
  for await (const part of socket as AsyncIterable<Buffer>) {
    got = Buffer.concat([got, part])
    if (framesIn(got).some(({ kind, flags }) => kind === 3 || kind === 7 || (flags & 1 && kind <= 1))) break
  }
  socket.destroy()
}

const frame = (kind: number, flags: number, stream: number, content = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(content.length, 0, 3)
  head.writeUInt8(kind, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

function framesIn(bytes: Buffer): { kind: number; flags: number }[] {
  const frames: { kind: number; flags: number }[] = []
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    frames.push({ kind: bytes.readUInt8(at + 3), flags: bytes.readUInt8(at + 4) })
  }
  return frames
}

/** An uncompressed HPACK string: its length with a seven-bit prefix, then its bytes. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const length: number[] = []
  if (bytes.length < 127) length.push(bytes.length)
  else {
    length.push(127)
    let rest = bytes.length - 127
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
    length.push(rest)
  }
  return Buffer.concat([Buffer.from(length), bytes])
}
