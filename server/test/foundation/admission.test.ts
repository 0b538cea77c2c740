// Admission control on the real service. Requests are in flight while a lock on the animals keeps them waiting.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testbed/harness/service.ts'
import { RawConnection, faultsOf, headerOf } from '../v1/raw.ts'
import { lockPets } from './lock-pets.ts'

/** At most 15 reads at a time, or 16 writes. */
const fixed = { start: 16, least: 16, most: 16, hasShares: false }
const READS = 15
const rex = '{"name":"Rex","categoryId":1}'
const direct = await startTestService({ admission: fixed })

const get = (target: string, key = '') =>
  `GET ${target} HTTP/1.1\r\nHost: petstore\r\n${key && `Authorization: Bearer ${key}\r\n`}\r\n`
const headOfPost = (key: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${rex.length}\r\n\r\n`

/** Sends the text on a new connection. */
async function sendOn({ service }: TestService, text: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service.app.server)
  await connection.send(text)
  return connection
}

/** Locks the animals and sends reads of north, so that `count` are in flight. */
async function readsOf(started: TestService, count: number) {
  const { database, north, south } = started
  // Their keys are cached from then on.
  for (const tenant of [north, south]) await tenant.get('/v1/pets')
  const release = await lockPets(database)
  const reads: RawConnection[] = []
  while (reads.length < count) reads.push(await sendOn(started, get('/v1/pets', north.key)))
  return { reads, release }
}

const statusesOf = async (connections: readonly RawConnection[]) =>
  (await Promise.all(connections.map((connection) => connection.answer()))).map((answer) => answer?.status)

test('above the limit a request gets a 503 with Retry-After that is not logged, and the others are served', async () => {
  const { north, logs } = direct
  const { reads, release } = await readsOf(direct, READS)
  logs.length = 0
  const rejected = await sendOn(direct, get('/v1/pets', north.key))
  const answer = await rejected.answer()
  expect(answer && faultsOf(answer, 503, 'service_unavailable')).toEqual([])
  expect(answer && headerOf(answer, 'Retry-After')).toBe('1')
  await expect.poll(() => logs.join(), { timeout: 15_000 }).toContain('overload: requests were rejected')
  expect(logs).toHaveLength(1)

  // The last place is for a write, and health checks need none.
  const write = await sendOn(direct, headOfPost(north.key) + rex)
  const health = await sendOn(direct, get('/readyz'))
  expect(await statusesOf([health])).toEqual([200])
  await release()
  expect(await statusesOf([...reads, write])).toEqual([...reads.map(() => 200), 201])
})

test('a connection whose request was rejected is not read for a while, but once there is room', async () => {
  const { north } = direct
  const { release } = await readsOf(direct, READS)
  const rejected = await sendOn(direct, get('/v1/pets', north.key))
  expect(await statusesOf([rejected])).toEqual([503])
  rejected.write(Buffer.from(get('/v1/pets', north.key)))
  const answer = rejected.answer()
  // Less than the half of Retry-After that it is held at least while there is no room.
  const isRead = await Promise.race([answer.then(() => true), pause(100).then(() => false)])
  await release()
  expect(isRead).toBe(false)
  expect((await answer)?.status).toBe(200)
})

test('a request that was sent together with a rejected one gets no response', async () => {
  const { north } = direct
  const { release } = await readsOf(direct, READS)
  const rejected = await sendOn(direct, get('/v1/pets', north.key).repeat(3))
  expect((await rejected.answersToEnd()).length).toBeLessThan(2)
  await release()
})

test('the connection of a trusted proxy is read at once', async () => {
  const proxied = await startTestService({ admission: fixed, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const { release } = await readsOf(proxied, READS)
  const rejected = await sendOn(proxied, get('/v1/pets', proxied.north.key))
  expect(await statusesOf([rejected])).toEqual([503])
  // Before the lock is released: each of them is rejected again.
  await rejected.send(get('/v1/pets', proxied.north.key))
  expect(await statusesOf([rejected])).toEqual([503])
  await release()
})

test('a client that has not sent its body occupies no place', async () => {
  const slow = await Promise.all(Array.from({ length: 40 }, () => sendOn(direct, headOfPost(direct.north.key))))
  const { reads, release } = await readsOf(direct, READS)
  await release()
  expect(await statusesOf(reads)).toEqual(reads.map(() => 200))
  for (const connection of slow) connection.destroy()
})

test('a request that was answered before its body had arrived does not count afterwards', async () => {
  const connection = await RawConnection.open(direct.service.app.server)
  for (let count = 0; count < 20; count += 1) {
    await connection.send(headOfPost('no key'))
    expect(await statusesOf([connection])).toEqual([401])
    await connection.send(rex)
  }
  const { reads, release } = await readsOf(direct, READS)
  await release()
  expect(await statusesOf(reads)).toEqual(reads.map(() => 200))
})

test('a project above its share is rejected before others are, and without shares it is not (negative control)', async () => {
  const shared = await startTestService({ admission: { ...fixed, hasShares: true } })
  const { reads, release } = await readsOf(shared, 12)
  const ofSouth = await sendOn(shared, get('/v1/pets', shared.south.key))
  await release()
  const statuses = await statusesOf(reads)
  expect([statuses.filter((status) => status === 503).length > 0, await statusesOf([ofSouth])]).toEqual([true, [200]])

  const { reads: others, release: releaseOthers } = await readsOf(direct, 12)
  await releaseOthers()
  expect(await statusesOf(others)).toEqual(others.map(() => 200))
})

test('an address has a number of connections, and the next one is refused with a message', async () => {
  const few = await startTestService({ env: { LIMITS: '{"connections": 4}' } })
  const { server } = few.service.app
  const open = [await RawConnection.open(server), await RawConnection.open(server), await RawConnection.open(server)]
  const last = await RawConnection.open(server)
  const refused = await RawConnection.open(server)
  const [answer, ...more] = await refused.answersToEnd()
  expect(more).toEqual([])
  expect(answer && faultsOf(answer, 429, 'rate_limited')).toEqual([])
  expect(answer?.body).toContain('At most 4 connections')
  last.destroy()
  for (const connection of open) await connection.send(get('/livez'))
  expect(await statusesOf(open)).toEqual([200, 200, 200])
})

test('a network has as many connections as ten addresses, and the next address is refused', async () => {
  const { service } = await startTestService({ env: { LIMITS: '{"connections": 1}' } })
  const sockets: Socket[] = []
  const connectFrom = async (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port: service.port, localAddress })
    sockets.push(socket)
    socket.write(get('/livez'))
    const [first] = (await once(socket, 'data')) as [Buffer]
    return first.toString('latin1').slice(9, 12)
  }
  const statuses: string[] = []
  for (let host = 1; host <= 11; host += 1) statuses.push(await connectFrom(`127.0.3.${host}`))
  expect(statuses).toEqual([...Array<string>(10).fill('200'), '429'])
  expect(await connectFrom('127.0.4.1')).toBe('200')
  for (const socket of sockets) socket.destroy()
})
