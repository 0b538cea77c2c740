// Every way in which a relay fails, with real connections: each attempt ends within its deadline,
// with the outcome that decides what happens next.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMailRelay, type RelayOptions } from '../../../testbed/harness/mail-relay.ts'
import { Secret } from '../../src/foundation/secret.ts'
import { outcomeText, type SmtpOutcome } from '../../src/foundation/smtp/outcome.ts'
import { openRelay, type RelaySettings, type RelayTimeouts } from '../../src/foundation/smtp/relay.io.ts'
import { verdictOf } from '../../src/mail/delivery.ts'

/** Longer than any stall of a busy machine; a test of one deadline shortens that one. */
const patient: RelayTimeouts = { connectMs: 30_000, greetingMs: 30_000, idleMs: 30_000, attemptMs: 50_000 }
const SHORT_MS = 1000
const plain: Omit<RelaySettings, 'port'> = {
  host: '127.0.0.1',
  tls: 'none',
  user: undefined,
  password: undefined,
  roots: undefined,
}
const envelope = { from: 'no-reply@petstore.example', to: 'mia@happy-paws.example' }
const bytes = Buffer.from('Subject: Hello\r\n\r\nHello\r\n')

async function attempt(port: number, settings: Partial<RelaySettings> = {}, timeouts: Partial<RelayTimeouts> = {}) {
  const relay = openRelay({ ...plain, port, ...settings }, { ...patient, ...timeouts })
  const startedAt = performance.now()
  const outcome = await relay.send(envelope, bytes)
  relay.close()
  return { outcome, ms: performance.now() - startedAt }
}

async function relayThat(options: RelayOptions) {
  const relay = await startMailRelay(options)
  onTestFinished(() => relay.stop())
  return relay
}

/** The outcome in words, and what it means. */
const summary = (outcome: SmtpOutcome) => {
  const verdict = verdictOf(outcome)
  const words = verdict.kind === 'retry' ? `retry${verdict.pauses ? ', pause' : ''}` : verdict.kind
  return `${outcomeText(outcome)}: ${words}`
}

describe('a reply to the recipient', () => {
  test.each([
    ['421 4.3.2 Shutting down', 'connection 421: retry, pause'],
    ['450 4.2.1 Greylisted', '450 4.2.1: retry'],
    ['451 4.3.0 Try later', '451 4.3.0: retry'],
    ['452 4.2.2 Over quota', '452 4.2.2: retry'],
    ['550 5.1.1 No such user', '550 5.1.1: bounced'],
    ['552 5.2.2 Mailbox full', '552 5.2.2: retry'],
    ['550 5.7.1 Not allowed', '550 5.7.1: retry, pause'],
    ['550 No', '550: bounced'],
  ])('%s', async (reply, expected) => {
    const relay = await relayThat({ onRecipient: () => reply })
    expect(summary((await attempt(relay.port)).outcome)).toBe(expected)
    expect(relay.received).toEqual([])
  })
})

describe('a reply after the message', () => {
  test.each([
    ['451 4.3.0 Try later', '451 4.3.0: retry'],
    ['554 5.6.0 Rejected', '554 5.6.0: bounced'],
    ['554 Rejected', '554: bounced'],
    ['550 5.7.1 Policy', '550 5.7.1: retry, pause'],
  ])('%s', async (reply, expected) => {
    const relay = await relayThat({ onMessage: () => reply })
    expect(summary((await attempt(relay.port)).outcome)).toBe(expected)
  })
})

describe('a relay that does not reply', () => {
  test('to the connection, since its queue is full', async () => {
    const port = await fullQueue()
    const { outcome, ms } = await attempt(port, {}, { connectMs: SHORT_MS })
    expect(summary(outcome)).toBe('connect: retry, pause')
    expect(ms).toBeGreaterThan(SHORT_MS - 50)
  })

  test('with a greeting', async () => {
    const port = await listener(() => {})
    expect(summary((await attempt(port, {}, { greetingMs: SHORT_MS })).outcome)).toBe('connect: retry, pause')
  })

  test.each([
    ['to the recipient', { onRecipient: () => 'hang' }],
    ['to the message', { onMessage: () => 'hang' }],
  ] satisfies [string, RelayOptions][])('%s', async (_, options) => {
    const relay = await relayThat(options)
    const { outcome } = await attempt(relay.port, {}, { idleMs: 2 * SHORT_MS })
    expect(summary(outcome)).toBe('timeout: retry, pause')
  })

  test('in time, but sends something all the while: the deadline of the attempt ends it', async () => {
    const port = await listener((socket) => {
      const timer = setInterval(() => socket.write('220-still busy\r\n'), 100)
      socket.on('close', () => clearInterval(timer))
    })
    const relay = openRelay({ ...plain, port }, { ...patient, attemptMs: SHORT_MS })
    const startedAt = performance.now()
    expect(summary(await relay.send(envelope, bytes))).toBe('connect: retry, pause')
    expect(performance.now() - startedAt).toBeGreaterThan(SHORT_MS - 50)
  })
})

describe('a relay that is lost', () => {
  test('before it has replied to the message', async () => {
    const relay = await relayThat({ onMessage: () => 'reset' })
    expect(summary((await attempt(relay.port)).outcome)).toBe('connection: retry, pause')
  })

  test('and does not listen at all', async () => {
    const port = await listener(() => {})
    await closeAll()
    expect(summary((await attempt(port)).outcome)).toBe('connect: retry, pause')
  })
})

describe('nothing is sent without encryption', () => {
  test('to a relay whose STARTTLS was stripped', async () => {
    const relay = await relayThat({ server: { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] } })
    expect(summary((await attempt(relay.port, { tls: 'starttls' })).outcome)).toBe('tls 500: retry, pause')
    expect(relay.received).toEqual([])
  })

  test.each(['starttls', 'implicit'] as const)('to a relay whose certificate is not trusted (%s)', async (tls) => {
    const relay = await relayThat({ server: { disabledCommands: [], secure: tls === 'implicit' } })
    expect(summary((await attempt(relay.port, { tls })).outcome)).toMatch(/^(tls|connect): retry, pause$/)
    expect(relay.received).toEqual([])
  })
})

test('a relay that refuses the credentials', async () => {
  const relay = await relayThat({
    server: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(Object.assign(new Error('5.7.8 No'), { responseCode: 535 })),
    },
  })
  const settings = { user: 'petstore', password: new Secret('wrong') }
  expect(summary((await attempt(relay.port, settings)).outcome)).toBe('authentication 535: retry, pause')
})

test('a connection is used again', async () => {
  const relay = await relayThat({})
  const sender = openRelay({ ...plain, port: relay.port }, patient)
  onTestFinished(() => sender.close())
  for (let sent = 0; sent < 3; sent++) expect((await sender.send(envelope, bytes)).kind).toBe('accepted')
  expect(relay.connections()).toBe(1)
})

test('without deadlines, a relay that hangs holds an attempt for good (negative control)', async () => {
  const relay = await relayThat({ onMessage: () => 'hang' })
  const forever = { connectMs: 600_000, greetingMs: 600_000, idleMs: 600_000, attemptMs: 600_000 }
  const sender = openRelay({ ...plain, port: relay.port }, forever)
  const first = await Promise.race([
    sender.send(envelope, bytes),
    new Promise((resolve) => setTimeout(resolve, 1500, 'held')),
  ])
  expect(first).toBe('held')
})

const opened: (() => Promise<unknown>)[] = []
const closeAll = async () => {
  for (const close of opened.splice(0)) await close()
}

/** A server that accepts connections and then does what it is given. */
async function listener(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  onTestFinished(closeAll)
  return (server.address() as AddressInfo).port
}

/** A port whose queue of new connections is full: the kernel drops every further attempt. */
async function fullQueue(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-queue-'))
  const file = join(folder, 'listen.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:net'
     const server = createServer(() => {})
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.send(server.address().port))`,
  )
  const child: ChildProcess = fork(file)
  const [port] = (await once(child, 'message')) as [number]
  child.kill('SIGSTOP')
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => {
    for (const socket of fillers) socket.destroy()
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  await Promise.any(fillers.map((socket) => once(socket, 'connect')))
  return port
}
