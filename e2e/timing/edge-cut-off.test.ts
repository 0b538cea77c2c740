// Isolated edges. Guarantees:
// - an edge without its control plane keeps serving the names that it knows, across its own
//   restart and that of the server in front of it;
// - removals in the meantime are reported as not confirmed by it;
// - whatever the control plane does when an edge requests a certificate, no visitor waits long;
// - no process of an edge ever connects to a certificate authority.
//
// Three edges: the first is never isolated; the second runs in this process, so that its
// clock can be advanced; the third is a separate process, which is killed.

import { hash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEdge, revokeEdge } from '../../server/src/fleet/edge-tokens.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { certificateFaults, startLine, type Line } from '../../testbed/harness/network-partition.ts'
import { startEnvironment, type Environment, type EnvironmentEdge } from '../../testbed/harness/full-environment.ts'
import { visit, type Met, type VisitorTarget } from '../../testbed/harness/visitor.ts'
import { until } from '../../testbed/internet/processes.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { startEdgeProcess, type EdgeProcess } from '../edge-process.ts'
import { connectionsAt, socketsOf } from '../sockets.ts'

const ZONE = 'willow-street.test'
const names = Array.from({ length: 10 }, (_, index) => `shop-${index}.${ZONE}`)
const [gone = '', goneLater = '', ...staying] = names
const HOUR = 3_600_000
/** Error of the client if Caddy has no certificate. */
const NO_CERTIFICATE = 'EPROTO'
const DEADLINE_MS = 2000
/** Of a busy machine; without a deadline, all of this would wait for ever. */
const NOISE_MS = 3000

let environment: Environment
let line: Line
let ca: string
let killed: EdgeProcess
let ahead = 0
const serials = new Map<string, string | null>()

beforeAll(async () => {
  line = await startLine()
  const { appUrl } = await cloneDatabase()
  const records = names.map((name) => `${name}. 60 CNAME happy-paws.petstore.test.`)
  const controlFor = (port: number, edge: string) => {
    line.leadTo(port)
    return edge === 'edge-1' ? `http://127.0.0.1:${port}` : line.url
  }
  const world = { zones: [{ zone: ZONE, records }] }
  environment = await startEnvironment(appUrl, { edges: 2, controlFor, edgeNow: () => Date.now() + ahead, world })
  killed = await startEdgeProcess(environment, { name: 'edge-3', address: '127.0.80.3', controlUrl: line.url })
  ca = await environment.pebble.rootPem()
  for (const hostname of names) expect(await request('POST', '', { hostname })).toMatchObject({ status: 201 })
  await allLive()
  await until('That all edges serve all names', async () => {
    const lost = await Promise.all([first(), second(), killed].map((edge) => lostAt(edge, names)))
    return lost.flat().length === 0
  })
  for (const name of names) serials.set(name, (await visit(targetOf(first()), name)).serial)
})

async function allLive(): Promise<void> {
  let notYet: string[] = []
  const check = async () => {
    const found = (await request('GET', '?limit=50')).body as unknown as { hostname: string; status: string }[]
    notYet = found.filter(({ status }) => status !== 'live').map((one) => JSON.stringify(one))
    return notYet.length === 0
  }
  await until('That all names are live', check, 60_000).catch((error: unknown) => {
    throw new Error(notYet.join('\n'), { cause: error })
  })
}

afterAll(async () => {
  await killed?.close()
  await environment?.close()
  await line?.close()
})

const edgeAt = (index: number): EnvironmentEdge => {
  const edge = environment.edges[index]
  if (!edge) throw new Error('there is no such edge')
  return edge
}
const first = () => edgeAt(0)
const second = () => edgeAt(1)
const targetOf = ({ address }: { address: string }): VisitorTarget => ({ address, port: environment.httpsPort, ca })

type TimedResponse = { status: number; ms: number; body: Record<string, unknown> }

async function request(method: string, path: string, body?: object): Promise<TimedResponse> {
  const { origin, headers } = environment.service
  const began = performance.now()
  const response = await fetch(`${origin}/platform/v1/projects/happy-paws/domains${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Record<string, unknown>
  return { status: response.status, ms: performance.now() - began, body: json }
}

/** Each name that is not served with its site and its own certificate, with the actual response. */
async function lostAt(edge: { address: string }, wanted: readonly string[]): Promise<string[]> {
  const met = await Promise.all(wanted.map(async (name) => ({ name, ...(await visit(targetOf(edge), name)) })))
  return met.filter((one) => !isServed(one)).map(({ name, status, why }) => `${name}: ${status} ${why}`)
}

/** The visitor trusts only the test authority and checks the name, so any response came with a valid certificate. */
const isServed = ({ name, status, body, serial }: Met & { name: string }) =>
  status === 200 && body.includes('<title>Happy Paws</title>') && (serials.get(name) ?? serial) === serial

async function timed(edge: { address: string }, name: string): Promise<Met & { ms: number }> {
  const began = performance.now()
  return { ...(await visit(targetOf(edge), name)), ms: performance.now() - began }
}

const worstOf = (met: readonly { ms: number }[]) => Math.round(Math.max(...met.map(({ ms }) => ms)))
const print = (text: string) => void process.stdout.write(`edge cut off: ${text}\n`)

test('an edge connects to no certificate authority and only to its control plane, even for unknown names', async () => {
  const authority = Number(new URL(environment.pebble.directoryUrl).port)
  // Connections left over from ordering do not count.
  const before = connectionsAt(authority)
  const isAllowed = new Set([Number(new URL(line.url).port), killed.requestPort, killed.certificatePort])
  const unexpected = new Set<string>()
  const check = () => {
    for (const { local, remote, isListening } of socketsOf([killed.pid(), killed.caddy.processId()])) {
      const isVisitor = local.address === killed.address
      const isKnown = isListening || isVisitor || isAllowed.has(local.port) || isAllowed.has(remote.port)
      if (!isKnown) unexpected.add(`${remote.address}:${remote.port}`)
    }
  }
  for (let round = 0; round < 4; round++) {
    const unknown = Array.from({ length: 5 }, (_, index) => `nobody-${round}-${index}.${ZONE}`)
    const met = [killed, second()].flatMap((edge) => unknown.map((name) => visit(targetOf(edge), name)))
    check()
    expect((await Promise.all(met)).map(({ why }) => why)).toEqual(met.map(() => NO_CERTIFICATE))
  }
  expect([...unexpected]).toEqual([])
  expect([...connectionsAt(authority)].filter((one) => !before.has(one))).toEqual([])
  expect(killed.caddy.stored().filter((path) => /acme|\.(crt|key)$/.test(path))).toEqual([])
  // Negative control: the same check finds this process, which runs the background work.
  const socket = connect(authority, '127.0.0.1')
  await until('A connection', async () => !socket.connecting)
  expect(socketsOf([process.pid]).some(({ remote }) => remote.port === authority)).toBe(true)
  expect([...connectionsAt(authority)].filter((one) => !before.has(one))).toHaveLength(1)
  socket.destroy()
})

test('an edge serves certificates only to its own machine', async () => {
  const listening = socketsOf([killed.pid()]).filter(({ isListening }) => isListening)
  expect(listening.map(({ local }) => local)).toEqual(
    expect.arrayContaining([{ address: '127.0.0.1', port: killed.certificatePort }]),
  )
  expect(listening.filter(({ local }) => local.address !== '127.0.0.1')).toEqual([])
  const outside = Object.values(networkInterfaces()).flatMap((some) => (some ?? []).filter((one) => !one.internal))
  for (const { address } of outside) expect(await opens(address, killed.certificatePort)).toBe(false)
  expect(await opens('127.0.0.1', killed.certificatePort)).toBe(true)
})

function opens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => resolve((socket.destroy(), true)))
    socket.on('timeout', () => socket.destroy(new Error('timeout')))
    socket.on('error', () => resolve(false))
  })
}

test.for(certificateFaults)(
  'when the control plane responds to certificate requests with %s, no handshake waits long, and known names are served',
  async (how) => {
    const [missing, known] = [staying.slice(0, 5), staying.slice(5)]
    await second().stop()
    line.certificates(how)
    for (const name of missing)
      rmSync(join(second().directory, 'edge', 'certificates', hash('sha256', name)), { force: true })
    await second().start()
    // Four visitors of each name at once: they share one certificate request.
    const waiting = [...missing, ...missing, ...missing, ...missing].map((name) => timed(second(), name))
    const knownMet = await Promise.all([...known, ...known].map((name) => timed(second(), name)))
    const met = await Promise.all(waiting)
    print(
      `certificates answered with ${how}: ${met.length} handshakes, worst ${worstOf(met)} ms; ` +
        `known names, worst ${worstOf(knownMet)} ms`,
    )
    expect(line.asked()).toBeGreaterThan(0)
    expect(met.filter(({ why }) => why !== NO_CERTIFICATE)).toEqual([])
    expect(worstOf(met)).toBeLessThan(DEADLINE_MS + NOISE_MS)
    expect(knownMet.filter(({ status }) => status !== 200)).toEqual([])
    expect(worstOf(knownMet)).toBeLessThan(DEADLINE_MS + NOISE_MS)
    line.certificates(undefined)
    // A failed certificate request is retried after a while; a restart does not wait for that.
    await second().stop()
    await second().start()
    await until('That all is served again', async () => (await lostAt(second(), staying)).length === 0)
  },
)

test('an isolated edge keeps serving across restarts and is listed as unconfirmed for removals', async () => {
  const cutOff = [second(), killed]
  await line.cut()
  // At this moment both still count as connected: the removal waits for their confirmation, briefly.
  const removed = await request('DELETE', `/${gone}`)
  expect(removed.status).toBe(200)
  expect(removed.ms).toBeLessThan(1000 + NOISE_MS)
  expect(removed.body['edges']).toMatchObject([
    { edge: 'edge-1', isConnected: true, confirmedAt: expect.any(String) as string },
    { edge: 'edge-2', confirmedAt: null },
    { edge: 'edge-3', confirmedAt: null },
  ])
  expect(await visit(targetOf(first()), gone)).toMatchObject({ status: 0, why: NO_CERTIFICATE })
  expect(await lostEverywhere(cutOff)).toEqual([])

  await second().stop()
  await killed.kill()
  await second().start()
  await killed.start()
  expect(await lostEverywhere(cutOff)).toEqual([])
  await Promise.all(cutOff.map((edge) => edge.caddy.restart()))
  expect(await lostEverywhere(cutOff)).toEqual([])

  for (const edge of cutOff) {
    const reserved = await visit(targetOf(edge), staying[0] ?? '', { method: 'POST', path: '/a/1' })
    expect(reserved).toMatchObject({ status: 503, headers: { 'retry-after': '60' } })
    expect(reserved.body).toContain('Please go back and send the form again in a few minutes.')
  }

  await until(
    'That the edges are known to be away',
    async () => notConnected(await request('GET', `/${gone}/removal`)) === 2,
  )
  const away = { isConnected: false, confirmedAt: null }
  const later = await request('DELETE', `/${goneLater}`)
  expect(later.ms).toBeLessThan(1000)
  for (const { body } of [
    later,
    await request('GET', `/${gone}/removal`),
    await request('GET', `/${goneLater}/removal`),
  ]) {
    expect(body['edges']).toMatchObject([
      { edge: 'edge-1', isConnected: true, confirmedAt: expect.any(String) as string },
      { edge: 'edge-2', ...away },
      { edge: 'edge-3', ...away },
    ])
  }
  // An isolated edge cannot know of the removals, as reported.
  expect(await lostEverywhere(cutOff)).toEqual([])
  print(`removals answered after ${Math.round(removed.ms)} ms (just cut off) and ${Math.round(later.ms)} ms`)

  const whole = performance.now()
  await line.restore()
  const back = await Promise.all(
    cutOff.map(async (edge) => {
      await until('That removed names are refused', () => areRefused(edge, [gone, goneLater]))
      const answeredAt = line.answeredAt(edge.id) ?? Number.NaN
      return { awayMs: Math.round(answeredAt - whole), ms: performance.now() - answeredAt }
    }),
  )
  print(
    `line whole again: first answers after ${back.map(({ awayMs }) => awayMs).join(' and ')} ms, ` +
      `removed names refused at most ${worstOf(back)} ms after that`,
  )
  expect(worstOf(back)).toBeLessThan(1000)
  await until('That the removals are confirmed', async () => {
    const found = await Promise.all([gone, goneLater].map((name) => request('GET', `/${name}/removal`)))
    return found.every(({ body }) =>
      (body['edges'] as Edge[]).every((one) => one.isConnected && one.confirmedAt !== null),
    )
  })
  expect((await Promise.all(cutOff.map((edge) => lostAt(edge, staying)))).flat()).toEqual([])
})

type Edge = { edge: string; isConnected: boolean; confirmedAt: string | null }

const lostEverywhere = async (edges: readonly { address: string }[]) =>
  (await Promise.all(edges.map((edge) => lostAt(edge, names)))).flat()

const notConnected = ({ body }: TimedResponse) =>
  (body['edges'] as Edge[]).filter(({ isConnected }) => !isConnected).length

async function areRefused(edge: { address: string }, wanted: readonly string[]): Promise<boolean> {
  const met = await Promise.all(wanted.map((name) => visit(targetOf(edge), name)))
  return met.every(({ why }) => why === NO_CERTIFICATE)
}

test('a control plane that accepts requests and never responds does not affect known names', async () => {
  line.silence()
  const rounds: (Met & { ms: number })[] = []
  for (let round = 0; round < 5; round++)
    rounds.push(...(await Promise.all(staying.map((name) => timed(second(), name)))))
  print(`a silent control plane: ${rounds.length} visits, worst ${worstOf(rounds)} ms`)
  expect(rounds.filter(({ status }) => status !== 200)).toEqual([])
  expect(worstOf(rounds)).toBeLessThan(DEADLINE_MS + NOISE_MS)
  await line.restore()
})

test('an isolated edge serves for 72 hours, then stops until it reaches its control plane again', async () => {
  await line.cut()
  ahead = 72 * HOUR - HOUR / 60
  expect(await lostAt(second(), staying)).toEqual([])
  ahead = 72 * HOUR + HOUR / 60
  expect(await lostAt(second(), staying)).toHaveLength(staying.length)
  expect(await visit(targetOf(second()), staying[0] ?? '')).toMatchObject({ status: 0, why: NO_CERTIFICATE })
  await second().stop()
  await second().start()
  expect(await lostAt(second(), staying)).toHaveLength(staying.length)
  // A connected edge is not affected: its time counts from the next response, which arrives within a second.
  await until('That the first one serves', async () => (await lostAt(first(), staying)).length === 0)
  await line.restore()
  await until('That all is served again', async () => (await lostAt(second(), staying)).length === 0)
  ahead = 0
})

test('an isolated edge that has lost its disk serves no names until it was added again (negative control)', async () => {
  const { database } = environment.service
  const { name } = second()
  await line.cut()
  await second().stop()
  rmSync(join(second().directory, 'edge'), { recursive: true, force: true })
  await revokeEdge(database, name)
  await second().start((await addEdge({ run: database.run, newId, randomBytes }, name)).token)
  expect(await lostAt(second(), staying)).toHaveLength(staying.length)
  await line.restore()
  await until('That all is served again', async () => (await lostAt(second(), staying)).length === 0)
})
