// The hostile responder: a small DNS server of ours that sends what real servers refuse to send.
// Class c is played in two zones: in `<c>.hostile.test` the zone itself answers honestly (SOA,
// NS and nameserver addresses), so that the lie is in the answer for a hostname; in
// `<c>.rude.test` every answer is of that class.
//
// It must survive every query, and keeps no state between queries.

import { createSocket, type Socket } from 'node:dgram'
import { channel } from 'node:diagnostics_channel'
import { createServer, type Socket as Connection } from 'node:net'
import {
  both,
  honestReply,
  zoneOfName,
  type HostileClass,
  type Play,
  type TcpPlay,
  type Truth,
} from './hostile-class.ts'
import { contentClasses } from './hostile-content.ts'
import { mutant } from './hostile-mutant.ts'
import { mannerClasses } from './hostile-behaviour.ts'
import { wireClasses } from './hostile-wire.ts'
import { readQuestion, record, reply, asked as askedName, ipv4, types, type PacketQuestion } from './packets.ts'
import { bindUdp, closeTcp, closeUdp, listen } from './ports.ts'
import { addressOf } from './roles.ts'
import type { WorldZone } from './zones.ts'

export type { HostileClass, Truth } from './hostile-class.ts'
export { mutate } from './hostile-mutant.ts'

/** Every message as it is sent, for tests that must know the real bytes. */
export type SentPacket = { question: PacketQuestion; bytes: Buffer }
export const sentMessages = channel('petstore.world.hostile.sent')

export const hostileClasses: Readonly<Record<string, HostileClass>> = {
  ...wireClasses,
  ...contentClasses,
  ...mannerClasses,
}

/** The messages to send, or null if the name is in no zone of ours. */
export function answersFor(question: PacketQuestion, truth: Truth): Play | null {
  const zone = zoneOfName(question.name)
  const [name = '', kind] = zone.split('.')
  const found = hostileClasses[name]
  if (found === undefined || (kind !== 'hostile' && kind !== 'rude')) return null
  if (question.name === `ns1.${zone}` && question.type === types.A) {
    return both(reply(question, { answers: [record(askedName, types.A, ipv4(addressOf[found.role]))] }))
  }
  if (question.name === `ns1.${zone}`)
    return both(reply(question, honestReply({ ...question, name: zone, type: 0 }, zone, truth)))
  const isAboutTheZone = question.name === zone && (question.type === types.SOA || question.type === types.NS)
  if (kind === 'hostile' && isAboutTheZone) return both(reply(question, honestReply(question, zone, truth)))
  return found.play(question, truth)
}

/** The delegations of every class. */
export function hostileZones(): WorldZone[] {
  return Object.entries(hostileClasses).flatMap(([name, { role }]) =>
    ['hostile', 'rude'].map((kind) => {
      const zone = `${name}.${kind}.test`
      return { zone, servers: [{ name: `ns1.${zone}`, role }], records: [] }
    }),
  )
}

export type HostileResponder = { asked(): number; close(): Promise<void> }

/** `bend` may change every message on its way out, for mutations. */
export async function startHostile(
  port: number,
  truth: () => Truth,
  bend: (bytes: Buffer) => Buffer,
): Promise<HostileResponder> {
  let count = 0
  const timers = new Set<NodeJS.Timeout>()
  const connections = new Set<Connection>()
  const later = (ms: number, act: () => void): void => {
    if (ms === 0) return act()
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }
  const decode = (message: Buffer, from: string): { question: PacketQuestion; play: Play } | null => {
    count += 1
    const read = readQuestion(message)
    if (read === null) return null
    const question = { ...read, from }
    const play = answersFor(question, truth())
    return play && { question, play }
  }
  const leaving = (bytes: Buffer, question: PacketQuestion, index = 0): Buffer => {
    const sent = bend(mutant(bytes, question, index))
    if (sentMessages.hasSubscribers) sentMessages.publish({ question, bytes: sent } satisfies SentPacket)
    return sent
  }

  const sockets = [createSocket('udp4'), createSocket('udp4')]
  const elsewhere = createSocket('udp4')
  for (const socket of sockets) {
    socket.on('message', (message, from) => {
      const received = decode(message, from.address)
      if (received === null) return
      for (const [index, { bytes, afterMs = 0, fromElsewhere = false }] of received.play.udp.entries()) {
        later(afterMs, () => send(fromElsewhere ? elsewhere : socket, leaving(bytes, received.question, index), from))
      }
    })
  }
  const server = createServer((connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    connection.on('error', () => undefined)
    onceReceived(connection, (message) => {
      const received = decode(message, connection.remoteAddress ?? '')
      if (received === null) return void connection.end()
      const { tcp } = received.play
      // Pieces are sent unchanged: only the whole message counts.
      if (sentMessages.hasSubscribers && typeof tcp === 'object' && tcp.pieces.length > 1)
        publishSent(tcp.pieces, received.question)
      perform(connection, tcp, later, (bytes) => leaving(bytes, received.question))
    })
  })
  const [main, udpOnly] = sockets
  if (main === undefined || udpOnly === undefined) throw new Error('The hostile responder has no sockets.')
  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer)
    for (const connection of connections) connection.destroy()
    await Promise.all([...[...sockets, elsewhere].map(closeUdp), closeTcp(server)])
  }
  try {
    await bindUdp(main, port, addressOf.hostile)
    await bindUdp(udpOnly, port, addressOf.hostile_udp_only)
    await bindUdp(elsewhere, 0, addressOf.hostile)
    await listen(server, port, addressOf.hostile)
  } catch (error) {
    await close()
    throw error
  }
  return { asked: () => count, close }
}

function publishSent(pieces: readonly { bytes: Buffer }[], question: PacketQuestion): void {
  const bytes = Buffer.concat(pieces.slice(0, 4_000).map((piece) => piece.bytes)).subarray(2)
  sentMessages.publish({ question, bytes } satisfies SentPacket)
}

function send(socket: Socket, bytes: Buffer, to: { port: number; address: string }): void {
  try {
    // A datagram that is too large for the system must not crash the responder.
    socket.send(bytes, to.port, to.address, () => undefined)
  } catch {
    // The test internet is being closed.
  }
}

/** Calls back with the first whole message of a connection. */
function onceReceived(connection: Connection, act: (message: Buffer) => void): void {
  let received = Buffer.alloc(0)
  let isDone = false
  connection.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]).subarray(0, 70_000)
    if (isDone || received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    isDone = true
    act(received.subarray(2, 2 + received.readUInt16BE(0)))
  })
}

function perform(
  connection: Connection,
  play: TcpPlay,
  later: (ms: number, act: () => void) => void,
  bend: (bytes: Buffer) => Buffer,
): void {
  if (play === 'hang') return
  if (play === 'close') return void connection.end()
  if (play === 'reset') return void connection.resetAndDestroy()
  const { pieces, thenHang = false } = play
  const next = (index: number): void => {
    const piece = pieces[index]
    if (connection.destroyed) return
    if (piece === undefined) return thenHang ? undefined : void connection.end()
    later(piece.afterMs ?? 0, () => {
      if (connection.destroyed) return
      connection.write(pieces.length === 1 ? bendFramed(piece.bytes, bend) : piece.bytes)
      next(index + 1)
    })
  }
  next(0)
}

/** The length prefix stays as it was, unless it was correct. */
function bendFramed(bytes: Buffer, bend: (bytes: Buffer) => Buffer): Buffer {
  if (bytes.length < 2) return bytes
  const message = bytes.subarray(2)
  const bent = bend(message)
  const prefix = Buffer.from(bytes.subarray(0, 2))
  if (prefix.readUInt16BE(0) === message.length) prefix.writeUInt16BE(bent.length, 0)
  return Buffer.concat([prefix, bent])
}
