// How an edge becomes known to its control plane, and what its credentials are worth: a token enrols one pair of keys and
// nothing afterwards, a signature is good for its request and its time, and private keys leave in bounded numbers. An
// edge that an earlier release has added continues until it enrols.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeys } from '../../src/certificates/key-encryption.io.ts'
import { listEdges, putRoute, type Leads } from '../../src/fleet/directory.io.ts'
import { addEdge, revokeEdge } from '../../src/fleet/edge-tokens.io.ts'
import { createEdgeGuard, type KnownEdge } from '../../src/fleet/edge-guard.io.ts'
import { limitExports } from '../../src/fleet/key-export.io.ts'
import { SETTINGS_FOR, type CertificateResponse, type DeliveredCertificate } from '../../src/fleet/protocol.ts'
import { SKEW_MS } from '../../src/fleet/request-signature.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { DAY, HOUR } from '../../src/foundation/time.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import {
  edgeOfEarlierRelease,
  enrolledEdge,
  identityOf,
  newEdgeKeys,
  type TestEdgeKeys,
} from '../../../testbed/harness/test-edges.ts'
import { openEnvironment, type CertificatesEnvironment } from '../certificates/environment.ts'
import { GONE, SITE, openFleet, type Fleet } from './environment.ts'

const HOSTNAME = 'shop.enrolled.example.com'
const CERTIFICATE = `/edge/v1/certificates/${HOSTNAME}?generation=1`
const PROBE_SECRET = 'a secret of this installation, for probes'
const CHANGES = '/edge/v1/changes?after=0'

let certificates: CertificatesEnvironment
let fleet: Fleet

beforeAll(async () => {
  certificates = await openEnvironment()
  await certificates.request(HOSTNAME)
  await certificates.settle(HOSTNAME)
  const { storage, database, clock, world } = certificates
  fleet = await openFleet({
    storage,
    database,
    keys: openKeys(world.ring),
    now: () => clock.now,
    env: { PROBE_SECRET },
  })
  await database.transaction({}, (db) => putRoute(db, HOSTNAME, 1n, SITE))
})
afterAll(async () => {
  await fleet.close()
  await certificates.close()
})

const send = (path: string, headers: Record<string, string>, more: { method?: string; body?: string } = {}) =>
  exchange(`http://127.0.0.1:${fleet.control.port}`, { path, headers, ...more })

const enrol = (
  token: string,
  { public: { signKey, sealKey } }: TestEdgeKeys,
  body = `sign=${signKey}&seal=${sealKey}`,
) =>
  send(
    '/edge/v1/enrolment',
    { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    { method: 'POST', body },
  )

const add = (name: string, more: Parameters<typeof addEdge>[2] = {}) =>
  addEdge({ run: fleet.database.run, newId, randomBytes }, name, more)

const listed = async (name: string) => (await listEdges(fleet.database.run, 2)).find((edge) => edge.name === name)

/** As the holder of these keys would be served. */
async function statusOf(id: string, keys: TestEdgeKeys, path = CERTIFICATE, now = Date.now): Promise<number> {
  const authorization = await identityOf(id, keys, now).authorize({ method: 'GET', url: path, headers: {} })
  return (await send(path, { Authorization: authorization })).status
}

describe('the settings that edges have in common', () => {
  const SETTINGS = '/edge/v1/settings'

  test('are encrypted to the edge that asks, and to no other', async () => {
    const { id, token } = await add('settings')
    const [own, other] = [newEdgeKeys(), newEdgeKeys()]
    await enrol(token, own)
    const Authorization = await identityOf(id, own).authorize({ method: 'GET', url: SETTINGS, headers: {} })
    const { json, text } = await send(SETTINGS, { Authorization })
    const sealed = { ...(json as DeliveredCertificate), ...SETTINGS_FOR }
    expect(JSON.parse(identityOf(id, own).openKey(sealed) ?? '')).toEqual({
      PLATFORM_HOST: 'petstore.localhost:3080',
      PROBE_SECRET,
    })
    expect(identityOf(id, other).openKey(sealed)).toBeUndefined()
    expect(text).not.toContain(PROBE_SECRET)
  })

  test('are not for a token, nor for an edge that an earlier release has added', async () => {
    const { token } = await add('settings-token')
    expect((await send(SETTINGS, { Authorization: `Bearer ${token}` })).status).toBe(401)
    const earlier = await edgeOfEarlierRelease(fleet.database.run, 'settings-earlier')
    expect((await send(SETTINGS, { Authorization: `Bearer ${earlier.token}` })).status).toBe(404)
  })
})

describe('an enrolment token', () => {
  test('enrols one pair of keys, and the same pair again if the response was lost', async () => {
    const { id, token } = await add('once')
    const keys = newEdgeKeys()
    expect(await listed('once')).toMatchObject({ enrolledAt: null, enrolmentEndsAt: expect.any(Date) })
    for (const _ of [1, 2]) {
      const { status, json } = await enrol(token, keys)
      expect([status, json]).toEqual([200, { id }])
    }
    expect(await listed('once')).toMatchObject({ enrolledAt: expect.any(Date), tokenMisusedAt: null })
    expect(await statusOf(id, keys)).toBe(200)
  })

  test('that was used enrols no one else, and the operator sees the attempt', async () => {
    const { id, token } = await add('used')
    const [own, stolen] = [newEdgeKeys(), newEdgeKeys()]
    await enrol(token, own)
    expect((await enrol(token, stolen)).status).toBe(401)
    expect(await statusOf(id, stolen)).toBe(401)
    expect(await statusOf(id, own)).toBe(200)
    expect(await listed('used')).toMatchObject({ tokenMisusedAt: expect.any(Date) })
    expect(fleet.log.filter((line) => line.includes('was used again')).map((line) => JSON.parse(line))).toMatchObject([
      { edge: 'used', address: '127.0.0.1' },
    ])
  })

  test('that has expired enrols no one, and the operator sees the attempt', async () => {
    const { id, token } = await add('late', { enrolmentSeconds: 0 })
    const keys = newEdgeKeys()
    expect((await enrol(token, keys)).status).toBe(401)
    expect(await statusOf(id, keys)).toBe(401)
    expect(await listed('late')).toMatchObject({ enrolledAt: null, tokenMisusedAt: expect.any(Date) })
  })

  test('of two that present it at the same time enrols one', async () => {
    const { id, token } = await add('race')
    const pairs = Array.from({ length: 4 }, newEdgeKeys)
    const statuses = await Promise.all(pairs.map(async (keys) => (await enrol(token, keys)).status))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401, 401])
    const served = await Promise.all(pairs.map((keys) => statusOf(id, keys)))
    expect(served).toEqual(statuses)
  })

  test('gives access to nothing, before it was used and afterwards', async () => {
    const { token } = await add('alone')
    const sendBearer = async () => {
      const found = await Promise.all(
        [CERTIFICATE, CHANGES, '/edge/v1/site/'].map((path) => send(path, { Authorization: `Bearer ${token}` })),
      )
      return found.map(({ status }) => status)
    }
    expect(await sendBearer()).toEqual([401, 401, 401])
    expect((await enrol(token, newEdgeKeys())).status).toBe(200)
    expect(await sendBearer()).toEqual([401, 401, 401])
  })

  test('is of no use after its edge was revoked, nor are its keys', async () => {
    const { id, token } = await add('ended')
    const keys = newEdgeKeys()
    await revokeEdge(fleet.database, 'ended')
    expect((await enrol(token, keys)).status).toBe(401)
    expect(await statusOf(id, keys)).toBe(401)
  })

  test.each([
    ['no keys', ''],
    ['one key', `sign=${'A'.repeat(43)}`],
    ['something else', '{}'],
  ])('is not used up by %s', async (what, body) => {
    const name = what.replaceAll(' ', '-')
    const { token } = await add(name)
    expect((await enrol(token, newEdgeKeys(), body)).status).toBe(400)
    expect((await listed(name))?.enrolledAt).toBeNull()
    expect((await send('/edge/v1/enrolment', { Authorization: `Bearer ${token}` })).status).toBe(404)
  })
})

describe('a request of an edge', () => {
  test('is accepted with the signature of its own keys, and while it is current', async () => {
    const { id, token } = await add('signs')
    const keys = newEdgeKeys()
    await enrol(token, keys)
    const [late, early] = [() => Date.now() - SKEW_MS - 10_000, () => Date.now() + SKEW_MS + 60_000]
    // Rejected before the edge is cached, and afterwards.
    expect(await statusOf(id, keys, CERTIFICATE, late)).toBe(401)
    expect(await statusOf(id, keys)).toBe(200)
    expect(await statusOf(id, keys, CERTIFICATE, late)).toBe(401)
    expect(await statusOf(id, keys, CERTIFICATE, early)).toBe(401)
    expect(await statusOf(id, newEdgeKeys())).toBe(401)
    expect(await statusOf(id, keys, CERTIFICATE, () => Date.now() - SKEW_MS / 2)).toBe(200)
  })

  test('is rejected with the signature of another request, or with another body than was signed', async () => {
    const edge = await enrolledEdge(fleet.database.run, 'forms')
    const headers = {
      'petstore-site': 'willow',
      'petstore-host': 'shop.example.com',
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const path = '/edge/v1/site/animals/1'
    const body = 'name=Ada'
    const Authorization = await edge.authorize({ method: 'POST', url: path, headers }, Buffer.from(body))
    const post = (more: { path?: string; body?: string; headers?: Record<string, string> }) =>
      send(
        more.path ?? path,
        { Authorization, ...headers, ...more.headers },
        { method: 'POST', body: more.body ?? body },
      )
    expect((await post({})).status).toBe(200)
    expect((await post({ body: 'name=Eve' })).status).toBe(400)
    expect((await post({ path: '/edge/v1/site/animals/2' })).status).toBe(401)
    expect((await post({ headers: { 'petstore-site': 'oak' } })).status).toBe(401)
    expect((await post({ headers: { 'petstore-visitor': '192.0.2.9' } })).status).toBe(401)
  })

  test('that is recorded reveals no private key, and neither does it when it is sent again', async () => {
    const edge = await enrolledEdge(fleet.database.run, 'recorded')
    const Authorization = await edge.authorize({ method: 'GET', url: CERTIFICATE, headers: {} })
    const [first, again] = [await send(CERTIFICATE, { Authorization }), await send(CERTIFICATE, { Authorization })]
    for (const { status, text, json } of [first, again]) {
      expect(status).toBe(200)
      expect(text).not.toContain('PRIVATE')
      expect(edge.openKey(json as DeliveredCertificate)).toContain('PRIVATE KEY')
      const other = identityOf(edge.id, newEdgeKeys())
      expect(other.openKey(json as DeliveredCertificate)).toBeUndefined()
    }
  })

  test('gets the private key of a name that it serves, and of no other', async () => {
    const { database } = fleet
    const edges = [
      await enrolledEdge(database.run, 'sites'),
      await enrolledEdge(database.run, 'api', { servesApi: true }),
    ]
    const statuses = async () => {
      const found = edges.map(async (edge) => {
        const Authorization = await edge.authorize({ method: 'GET', url: CERTIFICATE, headers: {} })
        return (await send(CERTIFICATE, { Authorization })).status
      })
      return Promise.all(found)
    }
    const put = (leads: Leads) => database.transaction({}, (db) => putRoute(db, HOSTNAME, 1n, leads))
    await put({ kind: 'service', serial: '01' })
    expect(await statuses()).toEqual([404, 200])
    await put(GONE)
    expect(await statuses()).toEqual([404, 404])
    await put(SITE)
    expect(await statuses()).toEqual([200, 200])
  })

  test('with a wrong clock does not count as guessing', async () => {
    const edge = await enrolledEdge(fleet.database.run, 'slow')
    let refusals = 0
    const guard = createEdgeGuard({
      run: fleet.database.run,
      monotonic: () => performance.now(),
      now: () => Date.now() + HOUR,
      failures: { points: 3, windowSeconds: 60 },
      onRefused: () => void (refusals += 1),
      onMisused: () => {},
    })
    const authorization = await edge.authorize({ method: 'GET', url: CHANGES, headers: {} })
    for (let count = 0; count < 10; count++) {
      const asked = guard.authenticate({ method: 'GET', url: CHANGES, headers: { authorization } }, '192.0.2.1')
      await expect(asked).rejects.toThrow('The clock of the edge differs by 3600 s; 300 s are allowed.')
    }
    expect(refusals).toBe(0)
  })
})

describe('an edge that an earlier release has added', () => {
  test('continues with its token until it enrols with it, once', async () => {
    const edge = await edgeOfEarlierRelease(fleet.database.run, 'earlier')
    const bearer = { Authorization: `Bearer ${edge.token}` }
    const { status, json } = await send(CERTIFICATE, bearer)
    expect(status).toBe(200)
    expect((json as CertificateResponse).key).toContain('PRIVATE KEY')
    expect(await listed('earlier')).toMatchObject({ enrolledAt: null, enrolmentEndsAt: null })

    const keys = newEdgeKeys()
    expect((await enrol(edge.token, keys)).json).toEqual({ id: edge.id })
    expect(await statusOf(edge.id, keys)).toBe(200)
    await expect.poll(async () => (await send(CERTIFICATE, bearer)).status, { timeout: 10_000 }).toBe(401)
    expect((await enrol(edge.token, newEdgeKeys())).status).toBe(401)
  })
})

describe('the number of private keys that an edge receives', () => {
  const known = (name: string, enrolledAt: number | undefined): KnownEdge =>
    ({
      id: newId('edg'),
      name,
      servesApi: false,
      identity: enrolledAt === undefined ? undefined : { enrolledAt },
    }) as KnownEdge

  function limited(perHour: number | undefined) {
    const state = { now: Date.now(), stopped: [] as string[] }
    const count = limitExports({
      run: fleet.database.run,
      now: () => state.now,
      monotonic: () => performance.now(),
      perHour,
      onStopped: ({ name }, most) => void state.stopped.push(`${name} ${most}`),
    })
    /** How many of so many were allowed. */
    const take = async (edge: KnownEdge, times: number) => {
      let taken = 0
      for (let time = 0; time < times; time++) {
        await count(edge).then(
          () => (taken += 1),
          (error: Error) => expect(error.message).toContain('private keys within an hour. Retry in '),
        )
      }
      return taken
    }
    return { state, take }
  }

  test('is bounded in each hour, and the operator is alerted once', async () => {
    const { state, take } = limited(5)
    const edge = known('bounded', state.now - 2 * DAY)
    expect(await take(edge, 9)).toBe(5)
    expect(await take(known('other', state.now - 2 * DAY), 4)).toBe(4)
    expect(state.stopped).toEqual(['bounded 5'])
    state.now += HOUR + 1000
    expect(await take(edge, 9)).toBe(5)
    expect(state.stopped).toEqual(['bounded 5', 'bounded 5'])
  })

  test('is the same whichever process they come from', async () => {
    const [one, other] = [limited(5), limited(5)]
    const edge = known('shared', one.state.now - 2 * DAY)
    expect((await one.take(edge, 3)) + (await other.take(edge, 9))).toBe(5)
  })

  test('includes each name once more on the day of its enrolment, and never again', async () => {
    const { state, take } = limited(5)
    const edge = known('new', state.now - 1000)
    // There is one name.
    expect(await take(edge, 20)).toBe(1 + 5)
    state.now += HOUR + 1000
    expect(await take(edge, 20)).toBe(5)
    state.now += DAY
    expect(await take(edge, 20)).toBe(5)
  })

  test('is bounded for an edge of an earlier release as well, and by the number of names unless it is set', async () => {
    const { state, take } = limited(undefined)
    expect(await take(known('earlier', undefined), 120)).toBe(100)
    expect(state.stopped).toEqual(['earlier 100'])
  })

  test('is shown to the operator when it is reached, and the response says when to retry', async () => {
    const edge = await enrolledEdge(fleet.database.run, 'stopped')
    const ask = async () => {
      const Authorization = await edge.authorize({ method: 'GET', url: CERTIFICATE, headers: {} })
      return send(CERTIFICATE, { Authorization })
    }
    const statuses = []
    for (let count = 0; count < 102; count++) statuses.push((await ask()).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(101)
    const last = await ask()
    expect(last.status).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(3000)
    expect(await listed('stopped')).toMatchObject({ exportStoppedAt: expect.any(Date) })
    expect(fleet.log.filter((line) => line.includes('as many private keys as it may'))).toHaveLength(1)
    // Everything else continues.
    const Authorization = await edge.authorize({ method: 'GET', url: CHANGES, headers: {} })
    expect((await send(CHANGES, { Authorization })).status).toBe(200)
  })
})
