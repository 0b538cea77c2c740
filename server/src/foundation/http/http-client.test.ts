// The HTTP client against servers that behave as servers on the internet do, over real sockets.

import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { HttpFailure, sendHttp, sendHttpTwice, type HttpExchange } from './http-client.io.ts'

const servers: Server[] = []
const sockets: Socket[] = []
const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy()
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

type Serve = (socket: Socket, count: number) => void

/** Serves each request, counted from 1, with raw bytes. */
async function listening(serve: Serve): Promise<number> {
  let count = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => serve(socket, (count += 1)))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const exchangeAt = (port: number, changes: Partial<HttpExchange> = {}): HttpExchange => ({
  options: { protocol: 'http:', host: '127.0.0.1', port, agent: false },
  signal: AbortSignal.timeout(5000),
  bytesMax: 10,
  ...changes,
})
const outcomeOf = (exchange: HttpExchange, send = sendHttp) =>
  send(exchange).then(
    ({ status, body }) => `${status} ${body.toString()}`,
    (error: unknown) => (error instanceof HttpFailure ? error.why : error),
  )
const soon = () => AbortSignal.timeout(100)

const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel'
const EXACT = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789'
const LARGE = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n0123456789a'
const ENDLESS = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'4\r\nabcd\r\n'.repeat(5)}`
const MOVED = 'HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n'

describe('a response', () => {
  test.each([
    ['is read to its end', WHOLE, '200 hello'],
    ['may be exactly as large as allowed', EXACT, '200 0123456789'],
    ['of one byte more is too large', LARGE, 'too_large'],
    ['without an end is too large', ENDLESS, 'too_large'],
    ['that redirects is not followed', MOVED, '301 '],
    ['that is not HTTP is a failure of the network', 'SSH-2.0-OpenSSH\r\n\r\n', 'network'],
  ])('%s', async (_, bytes, expected) => {
    const port = await listening((socket) => socket.write(bytes))
    expect(await outcomeOf(exchangeAt(port))).toBe(expected)
  })

  test('that breaks off is broken', async () => {
    const port = await listening((socket) => socket.end(HALF))
    expect(await outcomeOf(exchangeAt(port))).toBe('broken')
  })

  test.each([
    ['never begins', ''],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['stops in its body', HALF],
  ])('that %s is late, and its connection is closed', async (_, bytes) => {
    const port = await listening((socket) => socket.write(bytes))
    expect(await outcomeOf(exchangeAt(port, { signal: soon() }))).toBe('late')
    await closed()
  })

  test('that is too large costs the connection', async () => {
    const port = await listening((socket) => socket.write(ENDLESS))
    await outcomeOf(exchangeAt(port, { options: { ...exchangeAt(port).options, agent: keepingAlive() } }))
    await closed()
  })

  test('is not read if its head is enough, and then costs the connection', async () => {
    const port = await listening((socket) => socket.write(ENDLESS))
    expect(await outcomeOf(exchangeAt(port, { bytesMax: 0, needsBody: ({ status }) => status !== 200 }))).toBe('200 ')
    await closed()
  })
})

describe('an excerpt', () => {
  test.each([
    ['of a short body is all of it', WHOLE, '200 hello'],
    ['of a larger body is its beginning', ENDLESS, '200 abcdabcdab'],
    ['that is full does not wait for more', EXACT.replace('10', '99'), '200 0123456789'],
  ])('%s', async (_, bytes, expected) => {
    const port = await listening((socket) => socket.write(bytes))
    expect(await outcomeOf(exchangeAt(port, { isExcerpt: true }))).toBe(expected)
    await closed()
  })

  test('is what arrived before the response broke off, or the time ran out', async () => {
    const breaking = await listening((socket) => socket.end(HALF))
    expect(await outcomeOf(exchangeAt(breaking, { isExcerpt: true }))).toBe('200 hel')
    const hanging = await listening((socket) => socket.write(HALF))
    expect(await outcomeOf(exchangeAt(hanging, { isExcerpt: true, signal: soon() }))).toBe('200 hel')
  })

  test('needs a response that has begun', async () => {
    const port = await listening(() => undefined)
    expect(await outcomeOf(exchangeAt(port, { isExcerpt: true, signal: soon() }))).toBe('late')
  })
})

describe('a request', () => {
  test('that is refused says so with the code of the network', async () => {
    const port = await listening(() => undefined)
    servers.at(-1)?.close()
    await expect(sendHttp(exchangeAt(port))).rejects.toMatchObject({ why: 'network', code: 'ECONNREFUSED' })
  })

  test('is not sent if its time is over already', async () => {
    let isAsked = false
    const port = await listening(() => (isAsked = true))
    expect(await outcomeOf(exchangeAt(port, { signal: AbortSignal.abort() }))).toBe('late')
    expect(isAsked).toBe(false)
  })

  test.each([
    ['once more, where that has no effects', sendHttpTwice, '200 hello', 3],
    ['never again otherwise', sendHttp, 'network', 2],
  ])('over a connection that was just closed is sent %s', async (_, send, expected, requests) => {
    let received = 0
    const port = await listening((socket, count) => {
      received = count
      if (count === 2) socket.resetAndDestroy()
      else socket.write(WHOLE)
    })
    const options = { ...exchangeAt(port).options, agent: keepingAlive() }
    expect(await outcomeOf(exchangeAt(port, { options }))).toBe('200 hello')
    expect(await outcomeOf(exchangeAt(port, { options }), send)).toBe(expected)
    expect(received).toBe(requests)
  })

  test('over a new connection is never repeated', async () => {
    let received = 0
    const port = await listening((socket, count) => {
      received = count
      socket.resetAndDestroy()
    })
    expect(await outcomeOf(exchangeAt(port), sendHttpTwice)).toBe('network')
    expect(received).toBe(1)
  })
})

function keepingAlive(): Agent {
  const agent = new Agent({ keepAlive: true })
  agents.push(agent)
  return agent
}

async function closed(): Promise<void> {
  const [socket] = sockets
  if (socket && !socket.closed) await once(socket, 'close')
}
