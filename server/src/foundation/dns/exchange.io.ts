// `exchange` sends one query and returns its outcome by the deadline, whatever the server does: no
// answer, garbage, or one byte at a time. Each query has its own socket, hence its own source port,
// and the socket is connected: only the queried server can answer. A message that does not answer
// the query does not end the exchange, since anyone may send it; the outcome distinguishes garbage
// from no answer.

import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { LookupOutcome, Silence } from './answer.ts'
import { decodeAnswer, encodeQuestion, type DnsQuestion } from './message.ts'

export type DnsEndpoint = { address: string; port: number }

/** A packet may get lost: it is sent once more after this fraction of the time. */
const AGAIN_AFTER = 0.4

export async function exchange(
  to: DnsEndpoint,
  question: DnsQuestion,
  deadlineMs: number,
  triesTcp = false,
): Promise<LookupOutcome> {
  const until = performance.now() + deadlineMs
  const received = await queryOverUdp(to, question, triesTcp ? deadlineMs / 2 : deadlineMs)
  const isTruncated = received === 'truncated'
  const isSilent = !isTruncated && received.kind === 'silence' && received.why === 'timeout'
  if (!isTruncated && !(isSilent && triesTcp)) return received
  const left = Math.max(1, until - performance.now())
  const [whole, plain] = await Promise.all([
    queryOverTcp(to, question, left),
    // Some servers, and firewalls in front of them, drop queries with options that they do not
    // know.
    isTruncated ? null : queryOverUdp(to, { ...question, isPlain: true }, left),
  ])
  if (whole.kind === 'answer') return whole
  if (isTruncated) return { kind: 'silence', why: 'tcp_failed' }
  const isAnswered = plain === 'truncated' || plain?.kind === 'answer'
  return isAnswered ? { kind: 'silence', why: 'edns_dropped' } : received
}

function queryOverUdp({ address, port }: DnsEndpoint, question: DnsQuestion, deadlineMs: number) {
  return new Promise<LookupOutcome | 'truncated'>((resolve) => {
    const bytes = encodeQuestion(question)
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    let isGarbage = false
    let isOver = false
    const settle = (outcome: LookupOutcome | 'truncated') => {
      if (isOver) return
      isOver = true
      clearTimeout(deadline)
      clearTimeout(again)
      socket.close()
      resolve(outcome)
    }
    const send = () => {
      if (!isOver) socket.send(bytes)
    }
    const again = setTimeout(send, deadlineMs * AGAIN_AFTER)
    const deadline = setTimeout(() => settle({ kind: 'silence', why: isGarbage ? 'malformed' : 'timeout' }), deadlineMs)
    socket.on('error', (error) => settle(silenceOf(error)))
    socket.on('message', (message) => {
      const received = decodeAnswer(message, question, false)
      if (received === 'malformed') isGarbage = true
      else settle(received.isTruncated ? 'truncated' : received.answer)
    })
    socket.on('connect', send)
    socket.connect(port, address)
  })
}

/** The length comes first, so at most 64 KiB are ever buffered. */
export function queryOverTcp(
  { address, port }: DnsEndpoint,
  question: DnsQuestion,
  deadlineMs: number,
): Promise<LookupOutcome> {
  return new Promise((resolve) => {
    const bytes = encodeQuestion(question)
    const socket = connect({ host: address, port, noDelay: true })
    const chunks: Buffer[] = []
    let size = 0
    const settle = (outcome: LookupOutcome) => {
      clearTimeout(deadline)
      socket.destroy()
      resolve(outcome)
    }
    const deadline = setTimeout(() => settle({ kind: 'silence', why: 'timeout' }), Math.max(0, deadlineMs))
    socket.on('connect', () =>
      socket.write(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])),
    )
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      const length = size < 2 ? undefined : lengthOf(chunks)
      if (length === undefined || size < 2 + length) return
      const received = decodeAnswer(Buffer.concat(chunks).subarray(2, 2 + length), question, true)
      settle(received === 'malformed' ? { kind: 'silence', why: 'malformed' } : received.answer)
    })
    socket.on('error', (error) => settle(silenceOf(error)))
    socket.on('close', () => settle({ kind: 'silence', why: 'malformed' }))
  })
}

function lengthOf(chunks: readonly Buffer[]): number {
  const [first, second] = chunks
  const low = first && first.length > 1 ? first[1] : second?.[0]
  return (first?.[0] ?? 0) * 256 + (low ?? 0)
}

// A missing route, such as on a machine without IPv6, is our own fault and not the server's.
const ours = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EMFILE', 'ENFILE', 'ENOBUFS', 'EPERM', 'EACCES'])

function silenceOf(error: Error): Silence {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return { kind: 'silence', why: 'refused' }
  return { kind: 'silence', why: ours.has(code) ? 'skipped' : 'unreachable' }
}
