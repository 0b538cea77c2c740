// The probe: a challenge that only our own edge can answer, over real sockets, sent to our
// own edge, to proxies in front of it, and to servers that behave as servers on the internet
// do.

import { once } from 'node:events'
import { createServer as createHttp, request, type RequestListener } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeAt, type ProbeDeps } from '../../src/domains/observing/probe.io.ts'
import { probeProof } from '../../src/fleet/probe-proof.ts'
import { buildSiteServer } from '../../src/origin/site-server.io.ts'
import { HERE, listening } from './listening.ts'

const HOST = 'shop.example.com'
const SECRET = 'a secret of this installation'
const NONCE = 'nonce-of-this-test-1'
const PLACES = ['127.0.0.0/8']

const noDatabase = () => Promise.reject(new Error('the probe needs no database'))
const limits = {
  reservationsPerAddress: 10,
  reservationsPerProject: 60,
  requestsPerAddress: 5,
  requestsPerNetwork: 20,
  requestsUnconfirmed: 100,
  visitorDataDays: 90,
  windowSeconds: 60,
}
const edgeWith = (probeSecret?: string) =>
  buildSiteServer({
    run: noDatabase,
    inProject: noDatabase,
    now: () => 0,
    monotonic: () => 0,
    randomBytes: (size: number) => Buffer.alloc(size),
    platformHost: 'petstore.example',
    probeSecret,
    trustedProxies: [],
    connectionsMax: 256,
    requestTimeoutMs: 5000,
    headersTimeoutMs: 5000,
    limits,
    logger: { level: 'silent' },
  } as never)

const edge = edgeWith(SECRET)
let edgePort = 0
beforeAll(async () => {
  await edge.listen({ host: HERE, port: 0 })
  edgePort = (edge.server.address() as AddressInfo).port
})

afterAll(async () => {
  await edge.close()
})

const answering = (listener: RequestListener) => listening(createHttp(listener))

const probe = (port: number, changes: Partial<ProbeDeps> = {}, address = HERE) =>
  probeAt(
    { secret: SECRET, port, allowedNetworks: PLACES, newNonce: () => NONCE, deadlineMs: 400, ...changes },
    HOST,
    address,
  )

test('our own edge is recognised, for a host that is not attached to any project', async () => {
  const { outcome, url, hops, address } = await probe(edgePort)
  expect(outcome).toEqual({ kind: 'ours' })
  expect(url).toBe(`http://${HOST}:${edgePort}/.well-known/petstore-probe/${NONCE}`)
  expect(hops).toEqual([url])
  expect(address).toBe(HERE)
})

test('a proxy that passes the Host header on is recognised as reaching us', async () => {
  const port = await answering((asked, answer) => {
    const { url, headers } = asked
    request({ host: HERE, port: edgePort, path: url, headers: { host: headers.host } }, (got) => {
      answer.writeHead(got.statusCode ?? 0, { server: 'proxy' })
      got.pipe(answer)
    }).end()
  })
  const { outcome, headers } = await probe(port)
  expect(outcome).toEqual({ kind: 'ours' })
  expect(headers).toEqual({ server: 'proxy' })
})

test('a proxy that changes the Host header does not reach us, because visitors would not either', async () => {
  const port = await answering((asked, answer) => {
    request({ host: HERE, port: edgePort, path: asked.url, headers: { host: 'origin.example' } }, (got) =>
      got.pipe(answer),
    ).end()
  })
  expect((await probe(port)).outcome).toMatchObject({ kind: 'other', status: 200 })
})

test('an installation with another secret is not us', async () => {
  expect((await probe(edgePort, { secret: 'another' })).outcome).toMatchObject({ kind: 'other', status: 200 })
})

test.each([
  ['short', 404],
  ['n'.repeat(16), 200],
  ['n'.repeat(64), 200],
  ['n'.repeat(65), 404],
  ['nnnnnnnnnnnnnnn.', 404],
  ['nnnnnnnnnnnnnnnn/x', 404],
  ['nnnnnnnnnnnnnnnn?x', 404],
])('the edge responds to the nonce %s with %i', async (nonce, status) => {
  const answer = await edge.inject({
    url: `/.well-known/petstore-probe/${nonce}`,
    headers: { host: 'Shop.Example.COM:80' },
  })
  expect(answer.statusCode).toBe(status)
  if (status === 200) expect(answer.body).toBe(probeProof(SECRET, nonce, HOST))
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' })
})

test('an edge without a secret answers no probe', async () => {
  const mute = edgeWith()
  const { statusCode } = await mute.inject({
    url: `/.well-known/petstore-probe/${NONCE}`,
    headers: { host: HOST },
  })
  await mute.close()
  expect(statusCode).toBe(404)
})

test('of another server we keep the status, a few headers, and an excerpt of its page, escaped', async () => {
  const port = await answering((_, answer) => {
    answer.writeHead(404, { server: 'nginx', 'cf-ray': '8f1d', 'set-cookie': 'a=b' })
    answer.end(`<h1>\u0007 Möp</h1>${'x'.repeat(10_000)}`)
  })
  const { outcome } = await probe(port)
  expect(outcome).toMatchObject({
    kind: 'other',
    status: 404,
    server: 'nginx',
    headers: { server: 'nginx', 'cf-ray': '8f1d' },
  })
  if (outcome.kind !== 'other') throw new Error('not the other server')
  expect(outcome.headers).not.toHaveProperty('set-cookie')
  expect(outcome.body).toMatch(/^\\007 M\\195\\182p x+$/)
  expect(outcome.body.length).toBeLessThan(250)
})

test('a redirect at the same hostname is followed at the same address, and reaches us', async () => {
  const port = await answering((asked, answer) => {
    if (asked.url?.startsWith('/moved')) return answer.end(probeProof(SECRET, NONCE, HOST))
    answer.writeHead(302, { location: '/moved' }).end()
  })
  const { outcome, hops } = await probe(port)
  expect(outcome).toEqual({ kind: 'ours' })
  expect(hops).toHaveLength(2)
})

test('a redirect to another hostname is reported and not followed', async () => {
  const port = await answering((_, answer) => answer.writeHead(301, { location: 'https://www.example.net/' }).end())
  const { outcome, hops } = await probe(port)
  expect(outcome).toEqual({ kind: 'redirect', status: 301, location: 'https://www.example.net/', refused: null })
  expect(hops).toHaveLength(1)
})

test('a redirect into our own network is neither followed nor resolved', async () => {
  let visits = 0
  const inside = await answering((_, answer) => {
    visits++
    answer.end(probeProof(SECRET, NONCE, HOST))
  })
  const port = await answering((_, answer) =>
    answer.writeHead(302, { location: `http://127.0.0.1:${inside}/latest/meta-data` }).end(),
  )
  expect((await probe(port)).outcome).toMatchObject({ kind: 'redirect', refused: 'port' })
  expect(visits).toBe(0)
})

test('a redirect loop and an endless chain both end', async () => {
  const circle = await answering((_, answer) => answer.writeHead(301, { location: '/again' }).end())
  expect((await probe(circle)).outcome).toMatchObject({ kind: 'redirect', refused: 'loop' })
  let step = 0
  const endless = await answering((_, answer) => answer.writeHead(301, { location: `/${step++}` }).end())
  const { outcome, hops } = await probe(endless, { deadlineMs: 5000 })
  expect(outcome).toMatchObject({ kind: 'redirect', refused: 'too_many' })
  expect(hops).toHaveLength(11)
})

test('a redirect to HTTPS without a TLS server is reported as such', async () => {
  const notTls = await answering((_, answer) => answer.end())
  const port = await answering((_, answer) => answer.writeHead(301, { location: `https://${HOST}/x` }).end())
  expect((await probe(port, { tlsPort: notTls })).outcome).toEqual({ kind: 'silence', why: 'tls' })
})

test.each<[what: string, serve: () => Server, outcome: object]>([
  ['sends nothing', () => createTcp(() => {}), { kind: 'silence', why: 'timeout' }],
  [
    'cuts the connection',
    () => createTcp((socket) => void socket.resetAndDestroy()),
    { kind: 'silence', why: 'reset' },
  ],
  ['hangs up', () => createTcp((socket) => void socket.end()), { kind: 'silence', why: 'reset' }],
  ['does not use HTTP', () => createTcp((socket) => void socket.end('SSH-2.0-x\r\n')), { kind: 'other', status: 0 }],
  [
    'sends a head without end',
    () =>
      createTcp((socket) => {
        const drip = setInterval(() => socket.write(`x: ${'y'.repeat(100)}\r\n`), 20)
        socket.write('HTTP/1.1 200 OK\r\n')
        socket.on('error', () => {})
        socket.on('close', () => clearInterval(drip))
      }),
    { kind: 'silence', why: 'timeout' },
  ],
  [
    'sends a page more slowly than the deadline',
    () =>
      createHttp((_, answer) => {
        const drip = setInterval(() => answer.write('x'), 20)
        answer.writeHead(200)
        answer.on('close', () => clearInterval(drip))
      }),
    { kind: 'other', status: 200 },
  ],
])('a server that %s is settled within the deadline', async (_, serve, expected) => {
  const { outcome, ms } = await probe(await listening(serve()))
  expect(outcome).toMatchObject(expected)
  expect(ms).toBeLessThan(3000)
})

test('a closed port is reported as refused', async () => {
  const server = createTcp()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  expect((await probe(port)).outcome).toEqual({ kind: 'silence', why: 'refused' })
})

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '::1',
  'fd00::1',
  '64:ff9b::7f00:1',
  '::ffff:127.0.0.1',
  '0',
  '',
])('the reserved address %j is never dialled', async (address) => {
  let visits = 0
  const port = await listening(createTcp(() => void visits++))
  const { outcome } = await probe(port, { allowedNetworks: [] }, address)
  expect(outcome).toEqual({ kind: 'silence', why: 'not_allowed' })
  expect(visits).toBe(0)
})
