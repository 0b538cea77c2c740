// Visitors who request photos and read them slowly, or not at all: what waits for them is in the memory of the kernel. The
// time in which a client must read something is moved by the test.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { putPhoto } from '../../../testbed/harness/photos.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { startTestEdge } from './environment.ts'

const PHOTO_BYTES = 300_000
const LEAST_SHARE = 131_072
const MOST = 16

let at = 0
let onLook = () => {}
const readers = {
  lookMs: 20,
  sharedBytes: 1_000_000,
  now: () => {
    onLook()
    return at
  },
}
/** Until the connections were looked at twice: once after what happened before. */
const looked = () =>
  new Promise<void>((resolve) => {
    let looks = 0
    onLook = () => (looks += 1) === 2 && resolve()
  })

const edge = await startTestEdge({ LIMITS: `{"connections": ${MOST}}` }, { readers })
const store = await edge.store('large')
const [animal = 0n] = await store.addAnimals({ name: 'Rex' })
const bytesOf = () => Promise.resolve(Buffer.alloc(PHOTO_BYTES))
const digest = await putPhoto(inProjectOf(edge.database), store.project, animal, { seed: 'large', bytesOf })
const path = `/photos/${digest}/1-640.webp`
const request = `GET ${path} HTTP/1.1\r\nHost: ${store.host}\r\n\r\n`

const sockets = new Set<Socket>()
afterAll(() => sockets.forEach((socket) => socket.destroy()))

/** A visitor who reads only what `read` asks for. */
async function visitor(): Promise<Socket & { readSome(bytes: number): Promise<void> }> {
  const socket = connect({ host: '127.0.0.1', port: edge.port, noDelay: true })
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  const readSome = async (bytes: number) => {
    for (let left = bytes; left > 0;) {
      const chunk = socket.read() as Buffer | null
      if (chunk) left -= chunk.length
      else await once(socket, 'readable')
    }
  }
  return Object.assign(socket, { readSome })
}

/** Also after an error, which `once` would throw. */
const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))

/** What the kernel keeps of what the edge has sent, for each connection. */
async function unreadBytes(): Promise<number[]> {
  const port = edge.port.toString(16).toUpperCase().padStart(4, '0')
  const rows = (await readFile('/proc/net/tcp', 'latin1')).split('\n').map((row) => row.trim().split(/[ :]+/))
  return rows
    .filter(([, , own, , , state]) => own === port && state === ESTABLISHED)
    .map((row) => Number.parseInt(row[6] ?? '', 16))
}

const ESTABLISHED = '01'
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

const READERS = 10

test.each([
  ['together', (socket: Socket) => void socket.write(request.repeat(20))],
  ['one after the other', (socket: Socket) => Array.from({ length: 20 }, () => socket.write(request))],
])('visitors who send many requests for photos %s and read nothing keep one photo each in memory', async (_, ask) => {
  const silent = await Promise.all(Array.from({ length: READERS }, visitor))
  for (const socket of silent) ask(socket)
  // Each has a response, and the others have had time to come.
  await expect.poll(async () => sumOf(await unreadBytes())).toBeGreaterThan((READERS * PHOTO_BYTES) / 4)
  for (let count = 0; count < 20; count += 1) expect((await store.get(path)).status).toBe(200)
  expect(sumOf(await unreadBytes())).toBeLessThan(READERS * (PHOTO_BYTES + LEAST_SHARE + 10_000))
  // Once it is read, the next ones are sent.
  await silent[0]?.readSome(4 * PHOTO_BYTES)
  await Promise.all(silent.map((socket) => closed(socket.destroy())))
})

test('a visitor who reads nothing for half a minute is disconnected, and one on a slow line is not', async () => {
  const [slow, silent] = [await visitor(), await visitor()]
  for (const socket of [slow, silent]) socket.write(request.repeat(20))
  await slow.readSome(1000)
  const ended = closed(silent)
  // 20 kB per second.
  for (let seconds = 0; seconds < 120; seconds += 10) {
    await looked()
    at += 10_000
    await slow.readSome(200_000)
    if (seconds === 20) {
      await looked()
      expect(silent.destroyed).toBe(false)
    }
  }
  silent.resume()
  await ended
  expect(slow.destroyed).toBe(false)
  // A page is little, and a visitor may leave it unread.
  expect((await store.get('/')).status).toBe(200)
  await slow.readSome(PHOTO_BYTES)
})

test('an address has a number of connections to the sites, and the next one is refused', async () => {
  const others = [...sockets].filter(({ destroyed }) => !destroyed).map((socket) => closed(socket.destroy()))
  await Promise.all(others)
  // Those of the tests before are gone.
  await expect.poll(async () => (await unreadBytes()).length).toBe(0)
  const open = await Promise.all(Array.from({ length: MOST }, visitor))
  const refused = await visitor()
  const answer = await text(refused)
  expect(answer.split('\r\n')).toEqual(expect.arrayContaining(['HTTP/1.1 429 Too Many Requests', 'Retry-After: 1']))
  open[0]?.write(request)
  await open[0]?.readSome(PHOTO_BYTES)
})
