// `guardReaders` bounds what clients can leave unread, in this process and in the kernel, which accepts megabytes for each
// connection.
// - The requests of a connection are begun one after the other: each once the response to the one before was sent, and the
//   client has received all but a share of what was sent to it. The share shrinks with the number of connections.
// - A connection with more than a little unread that receives too few bytes per second is reset. What a client may leave
//   unread without time limit, such as an event stream or a page, is little.
// - Connections of trusted proxies carry the responses of many clients and are exempt: the proxy must limit them.
//
// Without /proc, what the kernel holds counts as received.

import { readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { takeHandler } from './connections.io.ts'
import { isTooSlow, markedAt, type Mark } from '../load/arrival-pace.ts'
import { proxiesOf } from './proxies.io.ts'

const readerRules = {
  bytesPerSecond: 4000,
  windowMs: 30_000,
  /** Divided by the number of connections. */
  sharedBytes: 32_000_000,
  /** How often connections are looked at while a request waits; a tenth as often otherwise. */
  lookMs: 100,
  now: () => performance.now(),
}
export type ReaderRules = typeof readerRules

const LITTLE = 65_536
const SHARE_MIN = 2 * LITTLE
const SHARE_MAX = 1_000_000
/** Requests that arrived before the responses to earlier ones; clients that send several send few. */
const WAITING_MAX = 256
const IDLE_LOOKS = 10

type Arrival = [request: IncomingMessage, response: ServerResponse]
type Reader = { waiting: Arrival[]; isServed: boolean; received: number; marks: Mark[]; inode: string | undefined }
/** Of the socket of the system. What it has written is either with the kernel or still in its queue. */
type Handle = { fd: number; bytesWritten: number; writeQueueSize: number }

/** `others` replace rules only in tests. */
export function guardReaders(
  server: Server,
  trustedProxies: readonly string[],
  others: Partial<ReaderRules> = {},
): void {
  const rules = { ...readerRules, ...others }
  const proxies = proxiesOf(trustedProxies)
  const readers = new Map<Socket, Reader>()
  const serve = takeHandler(server)
  let isWaiting = false
  let isLooking = false
  let ticks = 0

  const unreadOf = ([socket, { received }]: [Socket, Reader]) => socket.bytesWritten - received
  const serveNext = (socket: Socket, reader: Reader) => {
    if (reader.isServed || reader.waiting.length === 0) return
    const share = Math.max(SHARE_MIN, Math.min(SHARE_MAX, rules.sharedBytes / readers.size))
    const unread = unreadOf([socket, reader])
    // Early, so that a client that reads hardly ever waits.
    if (unread > share / 2) isWaiting = true
    const next = unread <= share ? reader.waiting.shift() : undefined
    if (!next) return
    reader.isServed = true
    next[1].once('close', () => {
      reader.isServed = false
      serveNext(socket, reader)
    })
    serve(...next)
  }
  server.on('connection', (socket: Socket) => {
    if (proxies.has(socket.remoteAddress ?? '')) return
    readers.set(socket, { waiting: [], isServed: false, received: 0, marks: [], inode: undefined })
    socket.once('close', () => readers.delete(socket))
  })
  server.on('request', (request, response) => {
    const { socket } = request
    const reader = readers.get(socket)
    if (!reader) return serve(request, response)
    if (reader.waiting.push([request, response]) > WAITING_MAX) return void socket.destroy()
    serveNext(socket, reader)
  })

  const look = async () => {
    const found = [...readers].filter((one) => unreadOf(one) > LITTLE)
    // Before the kernel is asked: what is written in the meantime is not counted as received.
    const written = found.map(([socket, reader]) => writtenBy(socket, reader))
    const unreadBy = await unreadInKernel(written.map(({ inode }) => inode))
    const at = rules.now()
    for (const [index, [socket, reader]] of found.entries()) {
      const { bytes = 0, inode = '' } = written[index] ?? {}
      reader.received = Math.max(reader.received, bytes - (unreadBy.get(inode) ?? 0))
      const mark = { at, bytes: reader.received }
      const pace = { ...rules, totalMs: Infinity }
      if (unreadOf([socket, reader]) <= LITTLE) reader.marks = []
      else if (isTooSlow(at, reader.marks, mark, pace)) socket.resetAndDestroy()
      else reader.marks = markedAt(reader.marks, mark, pace)
      serveNext(socket, reader)
    }
  }
  const timer = setInterval(() => {
    ticks += 1
    if (isLooking || (!isWaiting && ticks % IDLE_LOOKS > 0)) return
    isWaiting = false
    isLooking = true
    void look().finally(() => (isLooking = false))
  }, rules.lookMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** How many bytes are with the kernel, and by which name it knows the socket. */
function writtenBy(socket: Socket, reader: Reader): { bytes: number; inode: string | undefined } {
  // Nothing that is public says how much of a large write is done.
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null } // oxlint-disable-line no-underscore-dangle
  if (!handle) return { bytes: socket.bytesWritten, inode: undefined }
  try {
    reader.inode ??= /\d+/.exec(readlinkSync(`/proc/self/fd/${handle.fd}`))?.[0]
  } catch {
    // Not on Linux.
  }
  return { bytes: handle.bytesWritten - handle.writeQueueSize, inode: reader.inode }
}

/** By socket: what was sent and not acknowledged, or not sent yet. */
async function unreadInKernel(inodes: readonly (string | undefined)[]): Promise<Map<string | undefined, number>> {
  const wanted = new Set(inodes)
  wanted.delete(undefined)
  const unread = new Map<string | undefined, number>()
  if (wanted.size === 0) return unread
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => '')),
  )
  for (const row of tables.join('\n').split('\n')) {
    const [, , , , queues = '', , , , , inode] = row.trim().split(/ +/)
    if (wanted.has(inode)) unread.set(inode, Number.parseInt(queues, 16))
  }
  return unread
}
