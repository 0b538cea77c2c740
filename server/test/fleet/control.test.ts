// The listener for edges: authentication and revocation, the acknowledged position of each
// edge, what is returned to it, and the operator's commands.

import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeys } from '../../src/certificates/key-encryption.io.ts'
import { putChallenge } from '../../src/certificates/stored-queries.ts'
import { parseConfig } from '../../src/program/config.ts'
import { edgeCommands } from '../../src/commands/edges.ts'
import { createEdgeGuard } from '../../src/fleet/edge-guard.io.ts'
import { addEdge, revokeEdge } from '../../src/fleet/edge-tokens.io.ts'
import { isEverywhere } from '../../src/fleet/confirmations.ts'
import { listEdges, putRoute, readClock } from '../../src/fleet/directory.io.ts'
import { awaitConfirmed } from '../../src/fleet/jobs.io.ts'
import type { DeliveredCertificate } from '../../src/fleet/protocol.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import type { Db } from '../../src/foundation/postgres/postgres.io.ts'
import { openEnvironment, type CertificatesEnvironment } from '../certificates/environment.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { GONE, SITE, elapsed, openFleet, say, until, type Edge, type Fleet } from './environment.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { enrolledWith } from '../../../testbed/harness/test-edges.ts'

let fleet: Fleet
type Visit = { slug: string; host: string; target: string; body: FastifyRequest['body'] }
const visits: Visit[] = []

beforeAll(async () => {
  fleet = await openFleet({
    serveSite: (request, reply, visit) => {
      visits.push({ ...visit, body: request.body })
      void reply.send('a page')
    },
  })
})
afterAll(() => fleet.close())

const edgeNamed = async (name: string) =>
  (await listEdges(fleet.database.run, 2)).find((edge) => edge.name === name) ?? {
    acknowledged: -1n,
    acknowledgedAt: null,
    seenAt: null,
  }

const unknownSignature = `Petstore-Edge edg_${'a'.repeat(24)} ${Date.now()} ${'A'.repeat(43)} ${'A'.repeat(86)}`

/** An edge that polls until it is stopped. */
function following(edge: Edge, from = 0) {
  const stopping = { is: false }
  const loop = async () => {
    for (let after = from; !stopping.is;) {
      const { routes, head } = await edge.changes(after, 200)
      after = routes.at(-1)?.seq ?? head
    }
  }
  const looping = loop()
  return () => ((stopping.is = true), looping)
}

describe('the listener for edges', () => {
  test.each([
    ['no token', {}],
    ['another scheme', { Authorization: 'Basic ZWRnZTplZGdl' }],
    ['a token of the wrong form', { Authorization: 'Bearer edge_short' }],
    ['an unknown token', { Authorization: `Bearer edge_${'A'.repeat(43)}` }],
    ['an unknown edge', { Authorization: unknownSignature }],
    ['a malformed signature', { Authorization: unknownSignature.slice(0, -1) }],
    ['a token in the query', {}],
  ])('refuses %s, and reveals nothing about what exists', async (_, headers) => {
    for (const path of ['/edge/v1/changes?after=0', '/edge/v1/site/', '/nothing', '/edge/v1/site/%zz', '/?token=x']) {
      const { status, headers: received } = await exchange(`http://127.0.0.1:${fleet.control.port}`, { path, headers })
      expect(status).toBe(401)
      expect(received['cache-control']).toBe('no-store')
    }
    expect(visits).toEqual([])
  })

  test('explains a malformed request, and keeps the connection', async () => {
    const edge = await fleet.newEdge('asker')
    for (const [path, status] of [
      ['/edge/v1/changes?after=x', 400],
      ['/edge/v1/certificates/UPPER.example.com?generation=1', 400],
      ['/edge/v1/certificates/none.example.com?generation=1', 404],
      ['/edge/v1/challenges/none.example.com/token', 404],
      ['/edge/v1/other', 404],
      ['/edge/v1/changes?after=0', 200],
    ] as const) {
      const answer = await edge.send({ path })
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', connection: 'keep-alive' })
    }
    expect((await edge.send({ method: 'POST', path: '/edge/v1/changes?after=0' })).status).toBe(404)
    expect((await edge.send({ method: 'PUT', path: '/edge/v1/site/' })).status).toBe(404)
  })

  test('passes pages on with path and query byte for byte, and forms as text', async () => {
    const edge = await fleet.newEdge('pages')
    const headers = { 'petstore-site': 'willow', 'petstore-host': 'shop.example.com' }
    visits.length = 0
    const targets = ['/', '/a/../b//c?x=%20+y&x', '/%zz', '/%C3%28?%', '/edge/v1/changes?after=0', '/?a=b?c']
    for (const target of targets)
      expect((await edge.send({ path: `/edge/v1/site${target}`, headers })).text).toBe('a page')
    expect(visits.map(({ target }) => target)).toEqual(targets)
    expect(visits[0]).toMatchObject({ slug: 'willow', host: 'shop.example.com' })

    visits.length = 0
    const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
    const post = (body: string, sent: Record<string, string> = form) =>
      edge.send({ method: 'POST', path: '/edge/v1/site/animals/1', headers: sent, body })
    expect((await post('name=Ada&x=%zz')).status).toBe(200)
    expect(visits).toMatchObject([{ target: '/animals/1', body: 'name=Ada&x=%zz' }])
    expect((await post('a'.repeat(32 * 1024 + 1))).status).toBe(400)
    expect((await post('{}', { ...headers, 'Content-Type': 'application/json' })).status).toBe(400)
    expect((await edge.send({ path: '/edge/v1/site/', headers: { 'petstore-site': 'willow' } })).status).toBe(400)
    expect(visits).toHaveLength(1)
  })
})

describe('an edge', () => {
  test('is refused within a second after it was revoked, even on a waiting request', async () => {
    const worst: number[] = []
    for (let round = 0; round < 5; round++) {
      const edge = await fleet.newEdge(`revoked-${round}`)
      const { head } = await readClock(fleet.database.run)
      const hanging = edge.changes(head, 1000).then(
        () => performance.now(),
        () => 0,
      )
      await edge.changes(0)
      await revokeEdge(fleet.database, edge.name)
      const begun = performance.now()
      await until(async () => (await edge.send({ path: '/edge/v1/changes?after=0' })).status === 401)
      worst.push(performance.now() - begun, (await hanging) - begun)
    }
    say(`refused after a revocation: at the latest ${Math.max(...worst).toFixed(0)} ms`)
    expect(Math.max(...worst)).toBeLessThan(1000)
  })

  test('is replaced by revoking its edge and adding one of the same name', async () => {
    const first = await fleet.newEdge('replaced')
    await expect(fleet.newEdge('replaced')).rejects.toThrow('already')
    await revokeEdge(fleet.database, 'replaced')
    await expect(revokeEdge(fleet.database, 'replaced')).rejects.toThrow('no edge')
    const second = await fleet.newEdge('replaced')
    expect(second.token).not.toBe(first.token)
    expect((await second.send({ path: '/edge/v1/changes?after=0' })).status).toBe(200)
    expect((await first.send({ path: '/edge/v1/changes?after=0' })).status).toBe(401)
    await expect(fleet.newEdge('Not A Name')).rejects.toThrow('The name of an edge')
  })

  test('has a token that is stored as a digest only', async () => {
    const { token } = await fleet.newEdge('stored')
    const { rows } = await asOwner(fleet.storage, (client) =>
      client.query<{ row: string }>('select edge_directory::text as row from edge_directory'),
    )
    expect(token).toMatch(/^edge_[\w-]{43}$/)
    expect(rows.map(({ row }) => row).join()).not.toContain(token.slice(5, 20))
  })

  test('that is guessed costs next to nothing, and others are not locked out', async () => {
    const asked: number[] = []
    const run: Db = (statement, ...values) => {
      if (statement.name === 'find-edges-by-credentials') asked.push((values[0] as string[]).length)
      return fleet.database.run(statement, ...values)
    }
    const received: string[] = []
    const guard = createEdgeGuard({
      run,
      monotonic: () => performance.now(),
      now: Date.now,
      failures: { points: 20, windowSeconds: 60 },
      onRefused: (address) => void received.push(address),
      onMisused: ({ name }) => void received.push(name),
    })
    const request = { method: 'GET', url: '/edge/v1/changes?after=0', headers: {} }
    const authorization = await (await fleet.newEdge('known')).authorize(request)
    const good = { ...request, headers: { authorization } }
    await guard.authenticate(good, '192.0.2.1')
    const guess = (token: string) =>
      guard.authenticate({ ...request, headers: { authorization: `Bearer ${token}` } }, '192.0.2.1').then(
        () => 'let in',
        (error: Error & { code: string }) => error.code,
      )
    const random = () => `edge_${randomBytes(32).toString('base64url')}`
    const same = random()
    asked.length = 0
    for (let count = 0; count < 100; count++) expect(await guess(same)).toBe('invalid_api_key')
    expect(asked).toEqual([1])
    const codes: string[] = []
    for (let count = 0; count < 500; count++) codes.push(await guess(random()))
    expect(codes.filter((code) => code === 'invalid_api_key')).toHaveLength(19)
    expect(new Set(codes.slice(20))).toEqual(new Set(['rate_limited']))
    expect(asked.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(21)
    expect(received).toEqual(['192.0.2.1'])
    expect((await guard.authenticate(good, '192.0.2.1')).id).toMatch(/^edg_/)
  })
})

describe('a polling edge', () => {
  test('acknowledges its position with the request, at once and not with the response', async () => {
    const edge = await fleet.newEdge('sayer')
    const seq = await fleet.put('said.example.com')
    const waiting = edge.changes(seq, 1000)
    let isAnswered = false
    void waiting.then(() => (isAnswered = true))
    await until(async () => (await edgeNamed('sayer')).acknowledged === BigInt(seq))
    expect(isAnswered).toBe(false)
    await waiting
    const before = await edgeNamed('sayer')
    await edge.changes(seq - 1)
    await until(async () => Number((await edgeNamed('sayer')).seenAt) > Number(before.seenAt))
    const after = await edgeNamed('sayer')
    expect(after).toMatchObject({ acknowledged: BigInt(seq), acknowledgedAt: before.acknowledgedAt })
  })

  test('is one of many, which together cost few statements', async () => {
    const edges = await Promise.all(Array.from({ length: 100 }, (_, index) => fleet.newEdge(`many-${index}`)))
    const seq = await fleet.put('many.example.com')
    // Edges stay connected: opening connections would spread their requests over time.
    await Promise.all(edges.map((edge) => edge.changes(seq)))
    fleet.counts.clear()
    await Promise.all(edges.map((edge) => edge.changes(seq, 50)))
    const statements = [...fleet.counts.values()].reduce((sum, count) => sum + count)
    say(`100 edges ask at once: ${statements} statements ${JSON.stringify(Object.fromEntries(fleet.counts))}`)
    expect(statements).toBeLessThan(60)
    await until(async () =>
      (await listEdges(fleet.database.run, 2))
        .filter(({ name }) => name.startsWith('many-'))
        .every(({ acknowledged }) => acknowledged === BigInt(seq)),
    )
  })
})

describe('waiting for a change to reach all edges', () => {
  test('ends when all connected edges have it, and does not wait for a silent one', async () => {
    const environment = await openFleet()
    const { run } = environment.database
    expect(isEverywhere(await awaitConfirmed(run, 1, { patienceMs: 1000 }))).toBe(false)
    const [one, two] = [await environment.newEdge('one'), await environment.newEdge('two')]
    await environment.newEdge('silent')
    const stops = [following(one), following(two)]
    await until(async () => (await listEdges(run, 2)).filter(({ isConnected }) => isConnected).length === 2)
    const times: number[] = []
    for (let round = 0; round < 20; round++) {
      const seq = await environment.put(`removed${round}.example.com`, GONE)
      const { ms, value } = await elapsed(() => awaitConfirmed(run, seq, { patienceMs: 1000 }))
      expect(value).toEqual([
        { edge: 'one', isConnected: true, confirmedAt: expect.any(Date) },
        { edge: 'silent', isConnected: false, confirmedAt: null },
        { edge: 'two', isConnected: true, confirmedAt: expect.any(Date) },
      ])
      expect(isEverywhere(value)).toBe(true)
      times.push(ms)
    }
    times.sort((a, b) => a - b)
    say(`confirmed by two edges: median ${times[10]?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms`)
    expect(times[17]).toBeLessThan(500)
    await Promise.all(stops.map((stop) => stop()))
    await environment.close()
  })

  test('ends at the timeout when a connected edge does not apply it', async () => {
    const environment = await openFleet()
    const stuck = await environment.newEdge('stuck')
    await stuck.changes(0)
    const seq = await environment.put('stuck.example.com')
    await until(async () => (await listEdges(environment.database.run, 2))[0]?.isConnected === true)
    const { ms, value } = await elapsed(() => awaitConfirmed(environment.database.run, seq, { patienceMs: 200 }))
    expect(value).toEqual([{ edge: 'stuck', isConnected: true, confirmedAt: null }])
    expect(ms).toBeGreaterThanOrEqual(195)
    expect(ms).toBeLessThan(1000)
    await environment.close()
  })
})

describe('the response to an edge', () => {
  let certificates: CertificatesEnvironment
  let handing: Fleet
  let edge: Edge
  const hostname = 'shop.handed.example.com'
  const ask = (generation: number, name = hostname) =>
    edge.send({ path: `/edge/v1/certificates/${name}?generation=${generation}` })
  const put = (leads: Parameters<typeof putRoute>[3], generation: bigint) =>
    certificates.database.transaction({}, (db) => putRoute(db, hostname, generation, leads))

  beforeAll(async () => {
    certificates = await openEnvironment()
    await certificates.request(hostname)
    await certificates.settle(hostname)
    const { storage, database, clock, world } = certificates
    handing = await openFleet({ storage, database, keys: openKeys(world.ring), now: () => clock.now })
    edge = await handing.newEdge('handed')
  })
  afterAll(async () => {
    await handing.close()
    await certificates.close()
  })

  test('is the certificate of the current generation of the hostname, with its key', async () => {
    expect((await ask(1)).status).toBe(404)
    await put(SITE, 1n)
    const { status, json } = await ask(1)
    expect(status).toBe(200)
    const response = json as DeliveredCertificate
    const stored = await certificates.servable(hostname)
    expect(response).toMatchObject({ hostname, generation: '1', serial: stored?.serial, chain: stored?.chain })
    expect(response.notAfter).toBe(new Date(stored?.notAfter ?? 0).toISOString())
    const key = edge.openKey(response) ?? ''
    expect(new X509Certificate(response.chain).checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect((await ask(2)).status).toBe(404)
    expect((await ask(1, 'other.handed.example.com')).status).toBe(404)
  })

  test('has nothing of an older generation, of a removed hostname, or that has expired', async () => {
    await put(SITE, 2n)
    expect((await ask(1)).status).toBe(404)
    expect((await ask(2)).status).toBe(404)
    await put(GONE, 1n)
    expect((await ask(1)).status).toBe(404)
    await put(SITE, 1n)
    expect((await ask(1)).status).toBe(200)
    const { now } = certificates.clock
    certificates.clock.now = (await certificates.servable(hostname))?.notAfter ?? 0
    expect((await ask(1)).status).toBe(404)
    certificates.clock.now = now
  })

  test('is the answer to a challenge of exactly this hostname, while it is open', async () => {
    const { database, clock } = certificates
    const keyAuthorization = 'a-token.the-secret-thumbprint'
    await putChallenge(database.run, { token: 'a-token', hostname, keyAuthorization }, clock.now + 1000)
    const lookUp = (name: string, token: string) => edge.send({ path: `/edge/v1/challenges/${name}/${token}` })
    expect((await lookUp(hostname, 'a-token')).json).toEqual({ keyAuthorization })
    expect((await lookUp('other.handed.example.com', 'a-token')).status).toBe(404)
    expect((await lookUp(hostname, 'b-token')).status).toBe(404)
    clock.now += 2000
    expect((await lookUp(hostname, 'a-token')).status).toBe(404)
  })

  test('is in no log, and neither is a token', async () => {
    const key = edge.openKey((await ask(1)).json as DeliveredCertificate) ?? ''
    // A damaged key is our failure: that is logged, and its content is not.
    await asOwner(certificates.storage, (client) =>
      client.query(`update certificates set sealed_key = set_byte(sealed_key, 90, get_byte(sealed_key, 90) # 1)`),
    )
    const { status, text } = await ask(1)
    expect(status).toBe(500)
    expect(text).not.toContain('PRIVATE')
    await edge.send({ path: '/edge/v1/changes?after=0', headers: { Authorization: `Bearer edge_${'x'.repeat(43)}` } })
    const log = [...handing.log, ...fleet.log].join('')
    expect(log).toContain(`the key of the certificate for ${hostname} cannot be opened`)
    expect(log).toContain('edge authentication failed')
    const secretsIn = (text: string) =>
      ['edge_', 'Bearer', 'PRIVATE KEY', key.slice(40, 80), 'secret-thumbprint', edge.token.slice(5)].filter((secret) =>
        text.includes(secret),
      )
    expect(secretsIn(log)).toEqual([])
    // Negative control: the search finds a secret.
    expect(secretsIn(`${log}${JSON.stringify({ token: edge.token })}`)).toHaveLength(2)
  })
})

describe('the commands for edges', () => {
  const printed: string[] = []
  const context = () => ({
    config: parseConfig({ DATABASE_URL: fleet.storage.appUrl }),
    print: (text: string) => void printed.push(text),
    invalid: (why: string) => new Error(why),
  })
  const edges = async (...args: string[]) => {
    printed.length = 0
    await edgeCommands(context).parseAsync(args, { from: 'user' })
    return printed.join('\n')
  }

  test('add, list and revoke', async () => {
    const added = JSON.parse(await edges('add', 'fra-1', '--json')) as { id: string; name: string; token: string }
    expect(added).toMatchObject({ id: expect.stringMatching(/^edg_/), name: 'fra-1' })
    expect(await edges('list')).toMatch(
      /fra-1 +not connected +\d+ changes behind +never seen +not enrolled, token valid until \d{4}-.{14} +edg_/,
    )
    const edge = fleet.edgeAt(fleet.control.port, await enrolledWith(fleet.database.run, added))
    const { head } = await readClock(fleet.database.run)
    await edge.changes(head)
    await until(async () => (await edgeNamed('fra-1')).seenAt !== null)
    expect(await edges('list')).toMatch(/fra-1 +connected +up to date +seen \d{4}-.{14} +enrolled \d{4}-/)
    const listed = JSON.parse(await edges('list', '--json')) as { head: number; edges: { name: string }[] }
    expect(listed.head).toBe(head)
    expect(listed.edges.find(({ name }) => name === 'fra-1')).toMatchObject({
      isConnected: true,
      acknowledged: head,
      behind: 0,
    })
    expect(await edges('revoke', 'fra-1')).toBe(`fra-1 (${added.id}) has been revoked.`)
    expect(await edges('list')).not.toContain('fra-1')
    await expect(edges('revoke', 'fra-1')).rejects.toThrow('no edge')
    await edges('add', 'fra-2', '--serves-api')
    expect(await edges('list')).toMatch(/fra-2 .* serves the API$/m)
    await edges('revoke', 'fra-2')
    expect(await edges('add', 'fra-1')).toMatch(
      /^edge_[\w-]{43}\n\nThis token \(edg_\w+\) is shown only once, and enrols one edge/,
    )
  })
})

test('stopping responds to waiting edges, and ends at once', async () => {
  const environment = await openFleet()
  const edge = await environment.newEdge('waits')
  const hanging = edge.changes(0, 1000)
  await until(async () => (await listEdges(environment.database.run, 2))[0]?.isConnected === true)
  const { ms } = await elapsed(() => environment.control.stop())
  expect(await hanging).toEqual({ head: 0, isReset: false, routes: [] })
  expect(ms).toBeLessThan(500)
  await addEdge({ run: environment.database.run, newId, randomBytes }, 'later')
  await environment.close()
})
