// The behaviour of Caddy that Petstore relies on, tested on a real Caddy with the production
// configuration: where it requests certificates, which requests it accepts, what it forwards,
// and what it must never do. Behind it is a fake edge that echoes requests
// (caddy-environment.ts). To test a newer Caddy, put it first in the PATH.

import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeFakeChain } from '../testbed/harness/fake-chain.ts'
import { startCaddy } from '../testbed/internet/caddy.ts'
import { run } from '../testbed/internet/processes.ts'
import { requestHttp, requestHttps, handshake, openHttp2, serialOf } from '../testbed/internet/caddy-clients.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from '../testbed/internet/caddy-environment.ts'

const [paws, claws] = ['pets.paws.test', 'www.claws.test'] as const
const INTERNAL_ERROR = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'
let environment: CaddyEnvironment

beforeAll(async () => {
  environment = await startCaddyEnvironment()
  await Promise.all([environment.certify(paws), environment.certify(claws)])
})
afterEach(() => {
  environment.endpoint.answer = undefined
  environment.edge.answer = undefined
})
afterAll(() => environment.close())

test('a request whose server name and Host agree reaches the edge', async () => {
  for (const host of [paws, `${paws}:443`, 'PETS.Paws.Test']) {
    expect((await requestHttps(environment, paws, { host })).status).toBe(200)
  }
  const http2 = await openHttp2(environment, paws)
  expect((await http2.request('/')).received?.headers).toMatchObject({ host: paws, 'petstore-server-name': paws })
  http2.close()
})

test('a request whose server name and Host differ gets 421, and the edge does not receive it', async () => {
  environment.edge.answer = () => expect.unreachable('the edge was asked')
  for (const host of [claws, `${paws}.`, '127.0.80.31', 'unknown.test']) {
    expect((await requestHttps(environment, paws, { host })).status).toBe(421)
  }
  expect((await requestHttps(environment, paws, { path: `http://${claws}/` })).status).toBe(421)
})

test('an HTTP/2 request for another name gets 421, and the connection continues to serve its own name', async () => {
  const http2 = await openHttp2(environment, paws)
  expect((await http2.request('/', { ':authority': claws })).status).toBe(421)
  expect((await http2.request('/')).status).toBe(200)
  // If :authority and Host differ, :authority counts, and the edge receives only that.
  expect((await http2.request('/', { host: claws })).received?.headers.host).toBe(paws)
  http2.close()
})

test('a name without a certificate, or no name at all, fails the handshake with an alert', async () => {
  expect(await handshake(environment, { servername: 'unknown.test' })).toMatchObject({ failure: INTERNAL_ERROR })
  expect(await handshake(environment, { servername: '' })).toMatchObject({ failure: INTERNAL_ERROR })
  const output = await openssl('-noservername')
  expect(output).toContain('SSL alert number 80')
})

/** As a client of the last century would: OpenSSL allows it only at its lowest level of security. */
const outdated = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const

test('Caddy speaks TLS 1.2 and 1.3, prefers 1.3, and refuses older versions', async () => {
  const refused = await handshake(environment, { servername: paws, ...outdated })
  expect(refused).toMatchObject({ failure: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  for (const [maxVersion, spoken] of [
    ['TLSv1.2', 'TLSv1.2'],
    ['TLSv1.3', 'TLSv1.3'],
  ] as const) {
    const met = await handshake(environment, { servername: paws, maxVersion })
    expect('socket' in met && met.socket.getProtocol()).toBe(spoken)
    if ('socket' in met) met.socket.destroy()
  }
})

test('a server that still speaks TLS 1.1 is noticed (negative control)', async () => {
  const { chainPem, keyPem } = await makeFakeChain({ hostnames: [paws] })
  const server = createServer({ cert: chainPem, key: keyPem, ...outdated }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const own = { host: '127.0.0.1', port, rejectUnauthorized: false }
  const met = await handshake(environment, { servername: paws, ...outdated, ...own })
  expect('socket' in met && met.socket.getProtocol()).toBe('TLSv1.1')
  if ('socket' in met) met.socket.destroy()
  server.close()
})

test.for(['TLSv1.2', 'TLSv1.3'] as const)('%s: Caddy issues no ticket and resumes no session', async (version) => {
  const seen = await resume(environment, version)
  expect(seen).toEqual({ tickets: 0, isResumed: false })
})

test('openssl performs six full handshakes instead of one full and five resumed ones', async () => {
  const output = await openssl('-servername', paws, '-tls1_2', '-reconnect')
  expect(output.match(/^New, /gm)).toHaveLength(6)
  expect(output).not.toMatch(/^Reused, /m)
})

test('the edge can reject the next request on an open connection, and accept the one after it', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const http2 = await openHttp2(environment, paws)
  const both = async () => [
    (await http2.request('/')).status,
    (await requestHttps(environment, paws, { agent })).status,
  ]
  expect(await both()).toEqual([200, 200])
  environment.edge.answer = (_, response) => void response.writeHead(421, { connection: 'close' }).end()
  expect(await both()).toEqual([421, 421])
  environment.edge.answer = undefined
  expect(await both()).toEqual([200, 200])
  expect(http2.isOpen()).toBe(true)
  http2.close()
  agent.destroy()
})

test('Caddy requests the certificate at every handshake, so the next one gets a new certificate, and none gets a removed one', async () => {
  const name = 'renewed.paws.test'
  await environment.certify(name)
  const [first, again] = [await serialOf(environment, name), await serialOf(environment, name)]
  const http2 = await openHttp2(environment, name)
  await environment.certify(name)
  const renewed = await serialOf(environment, name)
  environment.revoke(name)
  expect(again).toBe(first)
  expect(renewed).not.toBe(first)
  expect(await handshake(environment, { servername: name })).toMatchObject({ failure: INTERNAL_ERROR })
  // Removing the certificate does not close open connections; the edge does that.
  expect((await http2.request('/')).status).toBe(200)
  http2.close()
  expect(environment.requestedNames.filter((requested) => requested === name)).toHaveLength(5)
})

test('a certificate endpoint that returns an invalid PEM makes the handshake fail', async () => {
  environment.endpoint.answer = (_, response) => void response.end('-----BEGIN CERTIFICATE-----\nnonsense')
  expect(await handshake(environment, { servername: paws })).toMatchObject({ failure: INTERNAL_ERROR })
})

test('Caddy connects only to visitors and the edge, and stores no certificate and no account', async () => {
  const http2 = await openHttp2(environment, paws)
  environment.endpoint.answer = (_, response) => void response.writeHead(204).end()
  await handshake(environment, { servername: 'unknown.example.com' })
  expect(new Set(remoteAddresses(environment.caddy.processId()))).toEqual(new Set(['127.0.0.1']))
  http2.close()
  expect(environment.caddy.stored().filter((path) => /acme|certificates|\.(crt|key)$/.test(path))).toEqual([])
  expect(environment.caddy.said()).not.toMatch(/acme|letsencrypt|zerossl|obtain/i)
  // A newer Caddy may request permission to issue, which is denied.
  expect(environment.otherPaths.every((path) => path === '/edge/issuance')).toBe(true)
})

const forged = {
  'petstore-server-name': claws,
  'petstore-target': '/forged',
  'petstore-request-id': 'f0000000-0000-4000-8000-00000000000f',
  'petstore-site': 'forged',
  'Petstore-Anything': 'forged',
  'X-Forwarded-Proto': 'forged',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Host': claws,
}
// Headers named by Connection apply to the next hop only; a proxy that set ours too early would drop them.
const hopping = {
  ...forged,
  Connection: 'close, petstore-server-name, petstore-target, petstore-request-id, x-forwarded-proto',
}
/** An id of Caddy's own. */
const newId = expect.stringMatching(/^(?!f0000000-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string

test.for([
  ['HTTP/1.1', (headers: Record<string, string>) => requestHttps(environment, paws, { path: '/a', headers })],
  [
    'HTTP/2',
    async ({ Connection: _, ...headers }: Record<string, string>) => {
      const http2 = await openHttp2(environment, paws)
      return http2.request('/a', headers).finally(() => http2.close())
    },
  ],
] as const)('%s: a visitor cannot forge the headers that Caddy sets', async ([, request]) => {
  for (const headers of [forged, hopping]) {
    const { received } = await request(headers)
    expect(ours(received?.headers)).toEqual({
      'petstore-request-id': newId,
      'petstore-server-name': paws,
      'petstore-target': '/a',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': paws,
      'x-forwarded-proto': 'https',
    })
  }
})

test('a plain HTTP request has no server name, and a visitor cannot forge one', async () => {
  for (const headers of [forged, hopping]) {
    const { received } = await requestHttp(environment, paws, { path: '/a', headers })
    expect(ours(received?.headers)).toEqual({
      'petstore-request-id': newId,
      'petstore-target': '/a',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': paws,
      'x-forwarded-proto': 'http',
    })
  }
})

const ours = (headers: object = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(petstore-|x-forwarded-)/.test(name)))

// Every byte that occurs in real paths, even invalid ones; in queries, the bytes that Node accepts.
const piece = (bytes: readonly number[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...bytes.map((byte) => String.fromCharCode(byte))) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('//', '/../', '%2f', '%2F', '%5c', '%0d%0a', '%00', '%41', '{http.request.host}'),
    },
  )
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const pathBytes = [...range(0x21, 0x7e), ...range(0x80, 0xff)].filter(
  (byte) => !['?', '%'].includes(String.fromCharCode(byte)),
)
const targets = fc
  .tuple(fc.string({ unit: piece(pathBytes), maxLength: 30 }), fc.option(fc.string({ unit: piece(range(0x21, 0x7e)) })))
  .map(([path, query]) => `/${path}${query === null ? '' : `?${query}`}`)

test('the request target reaches the edge byte for byte in a header, because Caddy rewrites the target itself', async () => {
  const http2 = await openHttp2(environment, paws)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let rewritten = 0
  await fc.assert(
    fc.asyncProperty(targets, async (path) => {
      const responses = [
        await requestHttps(environment, paws, { path, agent }),
        await requestHttp(environment, paws, { path }),
        await http2.request(path),
      ]
      for (const { received } of responses) {
        expect(received?.headers['petstore-target']).toBe(path)
        if (received?.url !== path) rewritten += 1
      }
    }),
    { numRuns: 200 },
  )
  http2.close()
  agent.destroy()
  // Negative control: without the header, the test would fail.
  expect(rewritten).toBeGreaterThan(0)
})

test('a redirect of the edge reaches the visitor byte for byte', async () => {
  environment.edge.answer = ({ headers }, response) =>
    void response.writeHead(301, { location: `https://${claws}${String(headers['petstore-target'])}` }).end()
  const http2 = await openHttp2(environment, paws)
  for (const path of ['//evil.example/', '/\\evil', '/a%2fb?x=%zz', '/"<>"', '/\xe4\xff', '/?']) {
    const met = [
      await http2.request(path),
      await requestHttps(environment, paws, { path }),
      await requestHttp(environment, paws, { path }),
    ]
    expect(met.map(({ headers }) => headers.location)).toEqual(Array(3).fill(`https://${claws}${path}`))
  }
  http2.close()
})

test('Caddy forwards a response unchanged, without compressing or decompressing it', async () => {
  const acceptEncoding: (string | undefined)[] = []
  environment.edge.answer = ({ headers }, response) => {
    acceptEncoding.push(headers['accept-encoding'])
    response.writeHead(200, { etag: '"x"', 'content-length': 3 }).end('abc')
  }
  const { headers, body } = await requestHttps(environment, paws)
  expect({ acceptEncoding, body, etag: headers.etag, length: headers['content-length'] }).toEqual({
    acceptEncoding: [undefined],
    body: 'abc',
    etag: '"x"',
    length: '3',
  })
})

test('while the edge restarts, requests wait for it and are not rejected', async () => {
  await environment.edge.stop()
  const waiting = requestHttps(environment, paws)
  setTimeout(() => void environment.edge.start(), 300)
  expect((await waiting).status).toBe(200)
})

/** Performs 200 handshakes for unknown names; returns the size of the log that they caused. */
async function scan(scanned: CaddyEnvironment): Promise<number> {
  scanned.caddy.hush()
  for (let batch = 0; batch < 10; batch += 1) {
    await Promise.all(range(1, 20).map((index) => handshake(scanned, { servername: `scan-${batch}-${index}.test` })))
  }
  return scanned.caddy.said().length
}

test('a scan with unknown names does not fill the log', async () => {
  expect(await scan(environment)).toBeLessThan(3000)
})

test('a Caddy without these settings resumes sessions, mixes names and fills its log (negative control)', async () => {
  const careless = await startCaddyEnvironment('127.0.80.34', ({ logging: _, apps: { http, tls }, ...rest }) => {
    const { strict_sni_host: __, ...loose } = http.servers.tls
    return {
      ...rest,
      apps: { http: { ...http, servers: { ...http.servers, tls: loose } }, tls: { automation: tls.automation } },
    }
  })
  await careless.certify(paws)
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const seen = await resume(careless, version)
    expect(seen.isResumed).toBe(true)
    expect(seen.tickets).toBeGreaterThan(0)
  }
  expect((await requestHttps(careless, paws, { host: claws })).status).toBe(200)
  // No more than this is kept of a daemon's output.
  expect(await scan(careless)).toBeGreaterThanOrEqual(4000)
  await careless.close()
})

test('Caddy can be restarted on its address, and several run side by side on different addresses', async () => {
  const { httpPort, httpsPort } = environment.caddy
  const other = await startCaddyEnvironment('127.0.80.32')
  const third = await startCaddy({
    addresses: ['127.0.80.33'],
    httpPort,
    httpsPort,
    requestPort: 9,
    certificatePort: 9,
  })
  await other.certify(paws)
  expect((await requestHttps(other, paws)).status).toBe(200)
  await environment.caddy.restart()
  expect((await requestHttps(environment, paws)).status).toBe(200)
  await Promise.all([third.close(), other.close()])
  expect((await requestHttps(environment, paws)).status).toBe(200)
})

test('Caddy accepts the configuration in the repository', async () => {
  const text = readFileSync(join(import.meta.dirname, '../caddy/caddy.json'), 'utf8')
  const output = await run('env', ['HOME=/tmp', 'caddy', 'validate', '--config', '-'], text)
  expect(output).toContain('Valid configuration')
})

/** Connects twice, the second time with the session of the first connection. */
async function resume(visited: CaddyEnvironment, version: 'TLSv1.2' | 'TLSv1.3') {
  let tickets = 0
  let session: Buffer | undefined
  const visit = async (): Promise<boolean> => {
    const met = await handshake(visited, {
      servername: paws,
      minVersion: version,
      maxVersion: version,
      ...(session && { session }),
    })
    if (!('socket' in met)) throw new Error(met.failure)
    const isResumed = met.socket.isSessionReused()
    // TLS 1.2 has issued the ticket by now, TLS 1.3 issues it a little later.
    if (version === 'TLSv1.2' && met.socket.getTLSTicket()) tickets += 1
    met.socket.on('session', (given) => {
      tickets += 1
      session = given
    })
    session ??= met.socket.getSession()
    met.socket.resume().end(`GET / HTTP/1.1\r\nHost: ${paws}\r\nConnection: close\r\n\r\n`)
    await once(met.socket, 'close')
    return isResumed
  }
  await visit()
  return { isResumed: await visit(), tickets }
}

/** Output of s_client, even if it fails. */
async function openssl(...args: readonly string[]): Promise<string> {
  const target = `${environment.caddy.addresses[0]}:${environment.caddy.httpsPort}`
  return run('sh', ['-c', 'openssl s_client "$@" 2>&1 || true', 'sh', '-connect', target, ...args], 'Q\n')
}

/** Remote addresses of the TCP connections of the process, IPv4 and IPv6. */
function remoteAddresses(pid: number): readonly string[] {
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
  )
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => inodes.includes(fields[9] ?? '') && fields[3] !== '0A')
      .map((fields) => addressOf(fields[2] ?? '')),
  )
}

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed in the meantime
  }
}

/** The kernel writes addresses as four-byte words, each in reverse byte order. */
const addressOf = (text: string): string => {
  const bytes = Buffer.from(text.split(':')[0] ?? '', 'hex')
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse()
  return bytes.length === 4 || bytes.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'))
    ? bytes.subarray(-4).join('.')
    : bytes.toString('hex')
}
