// The listener for edges under connections and requests without a credential. Loopback has many addresses, so a flood can
// come from others than the edges.

import crypto, { createHash, randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHANGES_PATH, SITE_PATH } from '../../src/fleet/protocol.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { openFleet, until, type Edge, type Fleet } from './environment.ts'

/** Signatures that were verified. */
const verified = { count: 0 }
const original = crypto.verify
function useVerify(verify: unknown): void {
  Object.assign(crypto, { verify })
  syncBuiltinESMExports()
}
beforeAll(() => useVerify((...args: Parameters<typeof original>) => ((verified.count += 1), original(...args))))
afterAll(() => useVerify(original))

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Many connections, from some addresses; `open` counts those that the listener has not closed. */
class Flood {
  readonly sockets: Socket[] = []
  readonly #port: number

  constructor({ control }: Fleet) {
    this.#port = control.port
    closers.push(() => this.sockets.forEach((socket) => socket.destroy()))
  }

  /** What is written to them is sent as soon as they are connected. */
  dial(count: number, from: string): Socket[] {
    const sockets = Array.from({ length: count }, () =>
      connect({ host: '127.0.0.1', port: this.#port, localAddress: from }),
    )
    for (const socket of sockets) socket.on('error', () => {}).resume()
    this.sockets.push(...sockets)
    return sockets
  }

  async connect(count: number, from = '127.0.0.2'): Promise<Socket[]> {
    const sockets = this.dial(count, from)
    // One that is closed at once may never have been open for its client.
    const connected = (socket: Socket) => new Promise((done) => socket.once('connect', done).once('close', done))
    await Promise.all(sockets.map(connected))
    return sockets
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  }
}

const unsigned = `GET ${CHANGES_PATH}?after=0 HTTP/1.1\r\nHost: control\r\n\r\n`
const withHeader = (authorization: string) =>
  `GET ${CHANGES_PATH}?after=0 HTTP/1.1\r\nHost: control\r\nAuthorization: ${authorization}\r\n\r\n`
const forgedFor = (id: string) =>
  `Petstore-Edge ${id} ${Date.now()} ${createHash('sha256').digest('base64url')} ${randomBytes(64).toString('base64url')}`
const unknownId = () => `edg_${randomBytes(12).toString('hex')}`

/** The status of the response to this text; 0 if the connection ends without one. */
function statusOn(socket: Socket, text: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const onData = (chunk: Buffer) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1]))
  const onClose = () => resolve(0)
  socket.on('data', onData).on('close', onClose)
  if (socket.destroyed) resolve(0)
  socket.write(text)
  return promise.finally(() => socket.off('data', onData).off('close', onClose))
}

async function openControl(options: Parameters<typeof openFleet>[0] = {}): Promise<Fleet> {
  const fleet = await openFleet(options)
  closers.push(() => fleet.close())
  return fleet
}

const poll = async (edge: Edge, more = ''): Promise<number> =>
  (await edge.send({ path: `${CHANGES_PATH}?after=0${more}` })).status

describe('connections that have not authenticated a request', () => {
  test('are few of an address, the newest, and an edge that waits is not cut', async () => {
    const fleet = await openControl()
    const edge = await fleet.newEdge('waits')
    const waiting = poll(edge, '&wait=1000')
    const flood = new Flood(fleet)
    await flood.connect(256)
    await until(() => flood.open <= 16)
    expect(flood.sockets.slice(-16).every((socket) => !socket.destroyed)).toBe(true)
    expect(await waiting).toBe(200)
    const [newest] = await flood.connect(1)
    expect(newest && (await statusOn(newest, unsigned))).toBe(401)
  })

  test('are few in all, whatever their addresses, and an edge with a new connection is answered', async () => {
    const fleet = await openControl()
    const flood = new Flood(fleet)
    const addresses = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`)
    await Promise.all(addresses.map((address) => flood.connect(32, address)))
    await until(() => flood.open <= 64)
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(addresses.map((address) => flood.connect(16, address)))
      statuses.push(await poll(await fleet.newEdge(`new-${round}`)))
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    await until(() => flood.open <= 64)
  })

  test('do not include those of an edge, however many it opens at once', async () => {
    const fleet = await openControl()
    const edge = await fleet.newEdge('busy')
    const authorization = await edge.authorize({ method: 'GET', url: `${CHANGES_PATH}?after=0`, headers: {} })
    const [flood, strangers] = [new Flood(fleet), new Flood(fleet)]
    let statuses: Promise<number>[] = []
    await asOwner(fleet.storage, async (client) => {
      // The edge is not known yet, so all its requests wait.
      await client.query('begin')
      await client.query('lock table edge_directory in access exclusive mode')
      statuses = flood.dial(120, '127.0.0.1').map((socket) => statusOn(socket, withHeader(authorization)))
      const [stranger] = (await strangers.connect(1)) as [Socket]
      expect(await statusOn(stranger, unsigned)).toBe(401)
      await client.query('commit')
    })
    expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200))
    await strangers.connect(100, '127.0.0.1')
    await until(() => strangers.open <= 17)
    expect(flood.open).toBe(120)
  })

  test('end at the third request that was rejected', async () => {
    const fleet = await openControl()
    const [socket] = (await new Flood(fleet).connect(1)) as [Socket]
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push(await statusOn(socket, unsigned))
    expect(statuses).toEqual([401, 401, 401, 0, 0])
  })

  test('end when no request was authenticated in time', async () => {
    const fleet = await openControl({ env: { HEADERS_TIMEOUT_MS: '1000' } })
    const flood = new Flood(fleet)
    const [silent, rejected] = await flood.connect(2)
    expect(rejected && (await statusOn(rejected, unsigned))).toBe(401)
    const edge = await fleet.newEdge('stays')
    expect(await poll(edge)).toBe(200)
    await until(() => flood.open === 0)
    expect(silent?.destroyed).toBe(true)
  })

  test('are not counted behind a trusted proxy', async () => {
    const fleet = await openControl({ env: { TRUSTED_PROXIES: '127.0.0.2' } })
    const flood = new Flood(fleet)
    await flood.connect(100)
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push(await statusOn(flood.sockets[0] as Socket, unsigned))
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    expect(flood.open).toBe(100)
  })
})

test('of too many connections in all, the one that makes room is of the edge that has the most', async () => {
  const fleet = await openControl({ env: { LIMITS: '{"edgeConnections": 8}' } })
  const [many, few] = [new Flood(fleet), new Flood(fleet)]
  const use = async (flood: Flood, edge: Edge, count: number) => {
    for (const socket of await flood.connect(count, '127.0.0.1')) {
      const authorization = await edge.authorize({ method: 'GET', url: `${CHANGES_PATH}?after=0`, headers: {} })
      expect(await statusOn(socket, withHeader(authorization))).toBe(200)
    }
  }
  await use(few, await fleet.newEdge('few'), 2)
  await use(many, await fleet.newEdge('many'), 6)
  expect([few.open, many.open]).toEqual([2, 6])
  expect(await poll(await fleet.newEdge('third'))).toBe(200)
  await until(() => many.open === 5)
  expect(few.open).toBe(2)
})

describe('requests with wrong credentials', () => {
  test('cost as many verified signatures as the allowance of their address', async () => {
    const fleet = await openControl({ env: { RATE_LIMIT_FAILED_AUTHENTICATIONS: '20' } })
    const edge = await fleet.newEdge('forged')
    expect(await poll(edge)).toBe(200)
    verified.count = 0
    const flood = new Flood(fleet)
    const statuses: number[] = []
    for (let round = 0; round < 10; round += 1) {
      // As they come back, from the address of the edge.
      const sockets = await flood.connect(16, '127.0.0.1')
      statuses.push(...(await Promise.all(sockets.map((socket) => statusOn(socket, withHeader(forgedFor(edge.id)))))))
    }
    expect(verified.count).toBe(20)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    // Sent together, they are rejected together.
    const [socket] = (await flood.connect(1, '127.0.0.5')) as [Socket]
    await statusOn(socket, withHeader(forgedFor(edge.id)).repeat(50))
    expect(verified.count).toBe(21)
    // The connection of the edge has authenticated before.
    expect(await poll(edge)).toBe(200)
    expect(verified.count).toBe(22)
  })

  test('do not lock out an edge behind the same address, even one that was never seen before', async () => {
    const fleet = await openControl({ env: { RATE_LIMIT_FAILED_AUTHENTICATIONS: '5' } })
    const neighbour = await fleet.newEdge('neighbour')
    const flood = new Flood(fleet)
    const statuses: number[] = []
    for (let count = 0; count < 10; count += 1) {
      const [socket] = await flood.connect(1, '127.0.0.1')
      if (socket) statuses.push(await statusOn(socket, withHeader(forgedFor(unknownId()))))
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429])
    expect(fleet.counts.get('find-edges-by-credentials')).toBe(5)
    expect(await poll(neighbour)).toBe(200)
    // For all that was rejected, the keys of the edges were read once.
    expect(fleet.counts.get('keys-of-edges')).toBe(1)
  })
})

describe('an overloaded control plane', () => {
  test('rejects pages with 503, and still answers the polls of edges', async () => {
    const waiting: (() => void)[] = []
    const fleet = await openControl({
      serveSite: (_, reply) => void waiting.push(() => void reply.send('a page')),
      admission: { start: 16, least: 16, most: 16, hasShares: false },
    })
    const edge = await fleet.newEdge('popular')
    // Over a connection of its own, as an edge does.
    const poller = fleet.edgeAt(fleet.control.port, edge)
    const headers = { 'petstore-site': 'willow', 'petstore-host': 'shop.example.com' }
    expect(await poll(poller)).toBe(200)
    const statuses: number[] = []
    const page = async () => void statuses.push((await edge.send({ path: `${SITE_PATH}/`, headers })).status)
    const pages = Array.from({ length: 20 }, page)
    await until(() => waiting.length === 15 && statuses.length === 5)
    expect(await poll(poller)).toBe(200)
    for (const answer of waiting) answer()
    await Promise.all(pages)
    expect(statuses).toEqual([...Array<number>(5).fill(503), ...Array<number>(15).fill(200)])
  })
})
