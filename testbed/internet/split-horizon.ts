// A split-horizon resolver, to mislead a client in a test: hostnames that the test selects
// resolve to one address, all others are forwarded. In front of an authority it makes names that
// are correct for us, and wrong for the authority.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as dnsPacket from 'dns-packet'

type ServerAddress = { address: string; port: number }

export type SplitHorizon = {
  /** `address:port`. */
  address: string
  /** The resolver for all other names. */
  leadTo(resolver: ServerAddress): void
  close(): Promise<void>
}

export async function startSplitHorizon(isMisled: (name: string) => boolean, elsewhere: string): Promise<SplitHorizon> {
  const upstream: ServerAddress = { address: '', port: 0 }
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  socket.on('message', (question, { address, port }) => {
    const answer = (bytes: Buffer) => socket.send(bytes, port, address)
    const query = dnsPacket.decode(question)
    const [first] = query.questions ?? []
    if (first && isMisled(first.name.toLowerCase())) answer(misleading(query, first, elsewhere))
    else passOn(question, upstream, answer)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    leadTo: (resolver) => void Object.assign(upstream, resolver),
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

const misleading = ({ id }: dnsPacket.Packet, question: dnsPacket.Question, to: string): Buffer =>
  dnsPacket.encode({
    id: id ?? 0,
    type: 'response',
    flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE,
    questions: [question],
    answers: question.type === 'A' ? [{ type: 'A', name: question.name, ttl: 0, data: to }] : [],
  })

const PATIENCE_MS = 5000

function passOn(question: Buffer, { address, port }: ServerAddress, answer: (bytes: Buffer) => void): void {
  const socket = createSocket('udp4')
  const timer = setTimeout(() => socket.close(), PATIENCE_MS)
  socket.on('error', () => undefined)
  socket.once('message', (bytes) => {
    clearTimeout(timer)
    socket.close()
    answer(bytes)
  })
  socket.send(question, port, address)
}
