// The DNS client against servers that misbehave on real sockets. Whatever they do, a query
// is settled at its deadline, and no packet is sent to a forbidden address.

import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket as Connection } from 'node:net'
import { decode, encode, type Packet } from 'dns-packet'
import { afterEach, describe, expect, test } from 'vitest'
import type { LookupOutcome } from '../../src/foundation/dns/answer.ts'
import { openDns, type DnsOptions } from '../../src/foundation/dns/client.io.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

// An address of its own, so that no connection of this machine has taken the port over TCP.
const ADDRESS = '127.0.53.99'
/** Long enough for a busy machine: a stall of half a second on loopback has happened. */
const DEADLINE_MS = 1500

type Received = { bytes: Buffer; port: number; say: (bytes: Uint8Array) => void; socket: Socket }

async function udpServer(hear: (received: Received) => void, address = ADDRESS, port = 0): Promise<number> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (bytes, from) => {
    hear({ bytes, port: from.port, socket, say: (reply) => socket.send(reply, from.port, from.address) })
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  closers.push(() => socket.close())
  return socket.address().port
}

async function tcpServer(port: number, serve: (connection: Connection) => void): Promise<void> {
  const connections = new Set<Connection>()
  const server = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => undefined)
    serve(connection)
  })
  server.listen(port, ADDRESS)
  await once(server, 'listening')
  closers.push(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
}

const client = (port: number, options: Partial<DnsOptions> = {}) =>
  openDns({
    resolvers: [],
    authoritativePort: port,
    allowedNetworks: [`${ADDRESS}/32`, '::1/128'],
    randomBytes,
    ...options,
  })

const ask = async (port: number, options: { triesTcp?: boolean; address?: string } = {}): Promise<LookupOutcome> => {
  const server = { name: 'ns1.test', address: options.address ?? ADDRESS }
  const asking = { deadlineMs: DEADLINE_MS, triesTcp: options.triesTcp ?? false }
  const { outcome, ms } = await client(port).ask(server, 'shop.willow.test', 'A', asking)
  // The slack is for a busy machine; without its deadline a lookup would take seconds.
  expect(ms).toBeLessThan(DEADLINE_MS + 3000)
  return outcome
}

/** The reply of a correct server, with changes. */
function replyTo(bytes: Buffer, changes: Partial<Packet> = {}): Buffer {
  const { id = 0, questions = [] } = decode(bytes)
  const name = questions[0]?.name ?? ''
  return encode({
    type: 'response',
    id,
    flags: 0x0400,
    questions,
    answers: [{ type: 'A', name, ttl: 60, data: '192.0.2.1' }],
    ...changes,
  })
}

const framed = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
const truncated = (bytes: Buffer) => replyTo(bytes, { flags: 0x0600, answers: [] })
const theAnswer = { kind: 'answer', rcode: 'NOERROR', records: [{ address: '192.0.2.1' }], isAuthoritative: true }

/** Serves TCP with `serve`, and truncates every answer over UDP. */
async function truncatedServer(serve: ((connection: Connection, question: Buffer) => void) | null): Promise<number> {
  const port = await udpServer(({ bytes, say }) => say(truncated(bytes)))
  if (serve)
    await tcpServer(port, (connection) => connection.on('data', (data: Buffer) => serve(connection, data.subarray(2))))
  return port
}

describe('a nameserver', () => {
  test('that answers is read', async () => {
    expect(await ask(await udpServer(({ bytes, say }) => say(replyTo(bytes))))).toMatchObject({
      ...theAnswer,
      overTcp: false,
    })
  })

  test('that answers over IPv6 is read, and a machine without IPv6 does not blame the nameserver', async () => {
    const port = await udpServer(({ bytes, say }) => say(replyTo(bytes)), '::1').catch(() => null)
    const outcome = await ask(port ?? 5300, { address: '::1' })
    expect(outcome).toMatchObject(port === null ? { kind: 'silence', why: 'skipped' } : theAnswer)
  })

  test('that does not answer is a timeout', async () => {
    expect(await ask(await udpServer(() => undefined))).toEqual({ kind: 'silence', why: 'timeout' })
  })

  test('that loses the first packet is queried once more', async () => {
    let count = 0
    const port = await udpServer(({ bytes, say }) => (count += 1) > 1 && say(replyTo(bytes)))
    expect(await ask(port)).toMatchObject(theAnswer)
    expect(count).toBe(2)
  })

  test('without a listening socket is reported as refused', async () => {
    const port = await udpServer(() => undefined)
    for (const close of closers.splice(0)) await close()
    expect(await ask(port)).toEqual({ kind: 'silence', why: 'refused' })
  })

  test('that sends only garbage is malformed, which is not the same as silent', async () => {
    expect(await ask(await udpServer(({ say }) => say(Buffer.from('garbage'))))).toEqual({
      kind: 'silence',
      why: 'malformed',
    })
  })

  test('that sends forged packets before the true answer is believed only for the true one', async () => {
    const port = await udpServer(({ bytes, say }) => {
      const lie = { answers: [{ type: 'A' as const, name: 'shop.willow.test', ttl: 60, data: '203.0.113.66' }] }
      say(replyTo(bytes, { ...lie, id: (decode(bytes).id ?? 0) ^ 1 }))
      say(replyTo(bytes, { ...lie, questions: [{ type: 'A', name: 'other.willow.test', class: 'IN' }] }))
      say(Buffer.alloc(0))
      say(replyTo(bytes))
    })
    expect(await ask(port)).toMatchObject(theAnswer)
  })

  test('that answers from another port is ignored', async () => {
    const other = createSocket('udp4')
    closers.push(() => other.close())
    const port = await udpServer(({ bytes, port: to }) => other.send(replyTo(bytes), to, '127.0.0.1'))
    expect(await ask(port)).toEqual({ kind: 'silence', why: 'timeout' })
  })

  test('that truncates is queried over TCP', async () => {
    const port = await truncatedServer((connection, question) => connection.end(framed(replyTo(question))))
    expect(await ask(port)).toMatchObject({ ...theAnswer, overTcp: true })
  })

  test('that sends its length and its answer in pieces is read', async () => {
    const port = await truncatedServer((connection, question) => {
      const bytes = framed(replyTo(question))
      connection.setNoDelay(true)
      connection.write(bytes.subarray(0, 1))
      connection.write(bytes.subarray(1, 9), () => connection.end(bytes.subarray(9)))
    })
    expect(await ask(port)).toMatchObject({ ...theAnswer, overTcp: true })
  })

  const overTcp: Record<string, ((connection: Connection, question: Buffer) => void) | null> = {
    'and then does not listen': null,
    'and then says nothing': () => undefined,
    'and then ends': (connection) => connection.end(),
    'and then resets': (connection) => connection.resetAndDestroy(),
    'and then sends garbage': (connection) => connection.end(framed(Buffer.from('garbage'))),
    'and then lies about the length': (connection, question) =>
      connection.write(Buffer.concat([Buffer.from([255, 255]), replyTo(question)])),
    'and then drips': (connection, question) => {
      const rest = [...framed(replyTo(question))]
      const dripping = setInterval(() => connection.write(Buffer.from([rest.shift() ?? 0])), 100)
      connection.on('close', () => clearInterval(dripping))
    },
    'and then floods': (connection) => connection.end(Buffer.alloc(1_000_000, 1)),
  }
  test.each(Object.entries(overTcp))('that truncates %s has failed over TCP', async (_, serve) => {
    expect(await ask(await truncatedServer(serve))).toEqual({ kind: 'silence', why: 'tcp_failed' })
  })

  test('that is silent over UDP is queried over TCP where the caller requests that', async () => {
    const port = await udpServer(() => undefined)
    await tcpServer(port, (connection) =>
      connection.on('data', (data: Buffer) => connection.end(framed(replyTo(data.subarray(2))))),
    )
    expect(await ask(port)).toEqual({ kind: 'silence', why: 'timeout' })
    expect(await ask(port, { triesTcp: true })).toMatchObject({ ...theAnswer, overTcp: true })
  })

  test('that drops queries with EDNS is distinguished from a dead one, and its answer without EDNS is not used', async () => {
    const hasEdns = (bytes: Buffer) => (decode(bytes).additionals ?? []).length > 0
    const port = await udpServer(({ bytes, say }) => !hasEdns(bytes) && say(replyTo(bytes)))
    expect(await ask(port, { triesTcp: true })).toEqual({ kind: 'silence', why: 'edns_dropped' })
    const dead = await udpServer(() => undefined)
    expect(await ask(dead, { triesTcp: true })).toEqual({ kind: 'silence', why: 'timeout' })
  })
})

describe('no query is sent', () => {
  test.each(['127.0.0.2', '127.0.0.53'])('to %s, which is reserved: no packet arrives there', async (address) => {
    let count = 0
    const port = await udpServer(({ bytes, say }) => {
      count += 1
      say(replyTo(bytes))
    }, address)
    expect(await ask(port, { address })).toEqual({ kind: 'silence', why: 'not_allowed' })
    // The same server, allowed: so it would have received a packet.
    const allowed = client(port, { allowedNetworks: [`${address}/32`] })
    await allowed.ask({ name: '', address }, 'shop.willow.test', 'A', { deadlineMs: 10_000 })
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(2)
  })

  test.each(['169.254.169.254', '10.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1', '127.1', 'localhost'])(
    'to %s',
    async (address) => {
      expect(await ask(53, { address })).toEqual({ kind: 'silence', why: 'not_allowed' })
    },
  )

  test('to a port that an untrusted party chose', async () => {
    const port = await udpServer(({ bytes, say }) => say(replyTo(bytes)))
    const server = { name: '', address: ADDRESS, port }
    const { outcome } = await client(port).ask(server, 'shop.willow.test', 'A', { deadlineMs: 100 })
    expect(outcome).toEqual({ kind: 'silence', why: 'not_allowed' })
  })

  test.each(['a\\000b.test', 'a..test', `${'a'.repeat(64)}.test`])('for %s', async (name) => {
    const { outcome } = await client(53).ask({ name: '', address: ADDRESS }, name, 'A', { deadlineMs: 100 })
    expect(outcome).toEqual({ kind: 'silence', why: 'skipped' })
  })

  test('without time, a socket or rate limit budget left', async () => {
    const port = await udpServer(() => undefined)
    const server = { name: '', address: ADDRESS }
    const late = await client(port).ask(server, 'a.test', 'A', { deadlineMs: -1 })
    expect(late.outcome).toEqual({ kind: 'silence', why: 'skipped' })
    for (const limits of [{ socketsMax: 2 }, { burst: 2, perSecond: 1 }]) {
      const limited = client(port, limits)
      // The last one has less time than the others occupy what it waits for.
      const outcomes = await Promise.all(
        [800, 800, 100].map((deadlineMs) => limited.ask(server, 'a.test', 'A', { deadlineMs })),
      )
      const why = outcomes.map(({ outcome }) => (outcome.kind === 'silence' ? outcome.why : 'answer'))
      expect(why).toEqual(['timeout', 'timeout', 'skipped'])
    }
  })
})

test('queries are unpredictable: id, port and the case of the letters are random', async () => {
  const received: { id: number; port: number; name: string }[] = []
  const port = await udpServer(({ bytes, port: from, say }) => {
    const { id = 0, questions = [] } = decode(bytes)
    received.push({ id, port: from, name: questions[0]?.name ?? '' })
    say(replyTo(bytes))
  })
  const dns = client(port)
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () =>
      dns.ask({ name: '', address: ADDRESS }, 'shop.willow.test', 'A', { deadlineMs: 10_000 }),
    ),
  )
  expect(outcomes.every(({ outcome }) => outcome.kind === 'answer' && outcome.isCaseKept === undefined)).toBe(true)
  expect(new Set(received.map(({ id }) => id)).size).toBeGreaterThan(90)
  expect(new Set(received.map((one) => one.port)).size).toBeGreaterThan(90)
  expect(new Set(received.map(({ name }) => name)).size).toBeGreaterThan(90)
})
