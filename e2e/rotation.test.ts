// Rotation of the keys that encrypt private keys, back and forth in a whole environment under
// load, as `petstore certificates rotate-keys` does it. No handshake fails, neither at edges
// that have the certificate cached, nor for an edge with an empty cache that requests it from
// the control plane during the rotation.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeys, type KeyRing } from '../server/src/certificates/key-encryption.io.ts'
import { rotateKeys } from '../server/src/certificates/key-rotation-queries.ts'
import { addDomain, getDomain } from '../server/src/domains/domains.io.ts'
import { findRoute } from '../server/src/fleet/directory.io.ts'
import { CERTIFICATES_PATH, type DeliveredCertificate } from '../server/src/fleet/protocol.ts'
import { Secret } from '../server/src/foundation/secret.ts'
import { startEnvironment, type Environment } from '../testbed/harness/full-environment.ts'
import { enrolledEdge, type EnrolledEdge } from '../testbed/harness/test-edges.ts'
import { visit } from '../testbed/harness/visitor.ts'
import { until } from '../testbed/internet/processes.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

const ZONE = 'willow-street.test'
const names = ['one', 'two', 'three', 'four'].map((label) => `${label}.${ZONE}`)
const ids = ['old', 'new', 'unknown'] as const
const values = Object.fromEntries(ids.map((id) => [id, randomBytes(32).toString('base64')]))
const ring = (...order: (typeof ids)[number][]): KeyRing =>
  order.map((id) => ({ id, key: new Secret(values[id] ?? '') }))

const ROUNDS = 150

let environment: Environment
let asker: EnrolledEdge
let ca: string

beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  environment = await startEnvironment(appUrl, {
    edges: 2,
    env: { CERTIFICATE_KEYS: `old=${values['old']},new=${values['new']}`, EDGE_KEYS_PER_HOUR: '1000000' },
    world: {
      zones: [
        {
          zone: ZONE,
          servers: [{ name: `ns1.${ZONE}`, role: 'first' }],
          records: names.map((name) => `${name}. 60 CNAME happy-paws.petstore.test.`),
        },
      ],
    },
  })
  ca = await environment.pebble.rootPem()
  asker = await enrolledEdge(environment.service.database.run, 'asker')
  const { domains, owner } = environment.service
  for (const name of names) await addDomain(domains, owner, name)
  for (const name of names) {
    await until(`${name} live`, async () => (await getDomain(domains, owner, name)).status.name === 'live', 60_000)
  }
})
afterAll(() => environment.close())

/** Requests the certificate as an edge does that knows the name and has none cached. */
async function requestCertificate(hostname: string): Promise<number> {
  const { controlPort, database } = environment.service
  const generation = (await findRoute(database.run, hostname))?.generation ?? ''
  const path = `${CERTIFICATES_PATH}${hostname}?generation=${generation}`
  const Authorization = await asker.authorize({ method: 'GET', url: path, headers: {} })
  const response = await fetch(`http://127.0.0.1:${controlPort}${path}`, { headers: { Authorization } })
  if (response.status !== 200) await response.arrayBuffer()
  else expect(asker.openKey((await response.json()) as DeliveredCertificate)).toContain('PRIVATE KEY')
  return response.status
}

test('rotating the keys under load fails no handshake', async () => {
  const { run } = environment.service.database
  const state = { isOver: false }
  const handshakes = { good: 0, failed: [] as string[] }
  const requests = { good: 0, failed: [] as number[] }
  const visitors = environment.edges.map(async ({ address }, edge) => {
    for (let turn = edge; !state.isOver; turn++) {
      const met = await visit({ address, port: environment.httpsPort, ca }, names[turn % names.length] ?? '')
      if (met.status === 200) handshakes.good += 1
      else handshakes.failed.push(`${met.status} ${met.why}`)
    }
  })
  const uncached = [0, 1].map(async (offset) => {
    for (let turn = offset; !state.isOver; turn++) {
      const status = await requestCertificate(names[turn % names.length] ?? '')
      if (status === 200) requests.good += 1
      else requests.failed.push(status)
    }
  })
  let resealed = 0
  for (let round = 0; round < ROUNDS; round++) {
    const keys = openKeys(round % 2 === 0 ? ring('new', 'old') : ring('old', 'new'))
    const rotated = await rotateKeys(run, keys)
    resealed += rotated.resealed
    expect(rotated.unreadable).toEqual([])
  }
  state.isOver = true
  await Promise.all([...visitors, ...uncached])
  process.stdout.write(
    `rotation: ${resealed} keys sealed anew; ${handshakes.good} handshakes, ${handshakes.failed.length} failed; ` +
      `${requests.good} certificates asked for, ${requests.failed.length} refused\n`,
  )
  expect(handshakes.failed).toEqual([])
  expect(requests.failed).toEqual([])
  // The keys of four names and of the account, in each round.
  expect(resealed).toBe(ROUNDS * 5)
  expect(Math.min(handshakes.good, requests.good)).toBeGreaterThan(20)
})

test('encryption with a key that the control plane does not have makes it respond with 500 (negative control)', async () => {
  await rotateKeys(environment.service.database.run, openKeys(ring('unknown', 'new', 'old')))
  expect(await requestCertificate(names[0] ?? '')).toBe(500)
  // Edges continue with their cached certificates.
  expect((await visit({ address: '127.0.80.1', port: environment.httpsPort, ca }, names[0] ?? '')).status).toBe(200)
})
