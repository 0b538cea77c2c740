// The ACME client against a real authority: pebble, which resolves hostnames through the
// test internet's resolver and fetches the challenge response from a website on loopback.

import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChallengeServer, type ChallengeServer } from '../../../testbed/internet/challenge-server.ts'
import { startPebble, type Pebble } from '../../../testbed/internet/pebble.ts'
import { startWorld, type World } from '../../../testbed/internet/world.ts'
import { checkLeaf } from '../../src/foundation/acme/leaf.io.ts'
import { authorize, issue, newKeyPem, openAccount, problemOf, step } from './acme-issuance.ts'

let world: World
let website: ChallengeServer
let pebble: Pebble
let nuisance: Pebble

beforeAll(async () => {
  ;[world, website] = await Promise.all([
    startWorld({
      zones: [
        {
          zone: 'happy-paws.test',
          servers: [{ name: 'ns1.happy-paws.test', role: 'first' }],
          records: ['@ A 127.0.80.200', '* A 127.0.80.200', 'nobody A 127.0.80.250'],
        },
      ],
    }),
    startChallengeServer(),
  ])
  const [resolver] = world.dns.resolvers
  const dnsServer = `${resolver?.address}:${resolver?.port}`
  ;[pebble, nuisance] = await Promise.all([
    startPebble({ dnsServer, httpPort: website.port, validitySeconds: 3600 }),
    startPebble({
      dnsServer,
      httpPort: website.port,
      nuisances: true,
      sleepSeconds: 0,
      authorizationReusePercent: 100,
    }),
  ])
})

afterAll(async () => {
  await Promise.all([pebble?.close(), nuisance?.close(), website?.close()])
  await world?.close()
})

const accountAt = (at: Pebble, more = {}) => openAccount({ directoryUrl: at.directoryUrl, ca: at.tlsRootPem, ...more })

test('an order becomes a chain that leads to the root of the authority', async () => {
  const acme = await accountAt(pebble)
  const { chainPem, keyPem, order } = await issue(acme, 'happy-paws.test', website)
  expect(order).toMatchObject({ status: 'valid', problem: null })
  const now = Date.now()
  const verdict = checkLeaf({ chainPem, hostname: 'happy-paws.test', keyPem, now, replacesNotAfter: null })
  if (!verdict.ok) throw new Error(verdict.reason)
  expect(verdict.leaf.notAfter - verdict.leaf.notBefore).toBeLessThanOrEqual(3600_000)
  expect(verdict.leaf.certificateId).toMatch(/^[\w-]{27}\.[\w-]+$/)
  const [, issuer = ''] = chainPem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
  const root = new X509Certificate(await pebble.rootPem())
  expect(new X509Certificate(issuer).verify(root.publicKey)).toBe(true)
  // The same chain is not valid for another name, key or time.
  const others = [{ hostname: 'x.test' }, { keyPem: newKeyPem() }, { now: now + 7200_000 }]
  for (const other of others) {
    const checked = { chainPem, hostname: 'happy-paws.test', keyPem, now, replacesNotAfter: null, ...other }
    expect(checkLeaf(checked).ok).toBe(false)
  }
})

test('names longer than a common name may be are issued as well', async () => {
  const acme = await accountAt(pebble)
  const hostname = `${'a'.repeat(60)}.${'b'.repeat(40)}.happy-paws.test`
  const { chainPem, keyPem } = await issue(acme, hostname, website)
  expect(checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null }).ok).toBe(true)
})

test('twenty orders succeed with half of all nonces rejected, and valid authorizations are reused', async () => {
  const acme = await accountAt(nuisance)
  const again = [1, 2, 3, 4].flatMap((n) => Array.from({ length: 5 }, () => `n${n}.happy-paws.test`))
  const reused: boolean[] = []
  for (const hostname of again) {
    const { chainPem, keyPem, wasValid } = await issue(acme, hostname, website)
    expect(checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null }).ok).toBe(true)
    reused.push(wasValid)
  }
  expect(reused.filter(Boolean)).toHaveLength(16)
})

test.each([null, 'mailto:care@petstore.example'])(
  'registering twice gives the same account, with contact %s',
  async (contact) => {
    const acme = await accountAt(pebble, { contact })
    const [first, second] = [await step(() => acme.register()), await step(() => acme.register())]
    expect(first.accountUrl).toBe(second.accountUrl)
  },
)

test('an order continues in another process that knows the account by its URL', async () => {
  const accountKeyPem = newKeyPem()
  const before = await accountAt(pebble, { accountKeyPem })
  const { accountUrl } = await step(() => before.register())
  const order = await step(() => before.placeOrder('resumed.happy-paws.test', { replaces: null }))
  const after = await accountAt(pebble, { accountKeyPem, accountUrl })
  expect((await step(() => after.readOrder(order.url))).status).toBe('pending')
  await authorize(after, order, 'resumed.happy-paws.test', website)
  const finalized = await step(() => after.finalize(order, 'resumed.happy-paws.test', newKeyPem()))
  expect(['processing', 'valid']).toContain(finalized.status)
})

test('an unreachable website is a problem of the authorization', async () => {
  const acme = await accountAt(pebble)
  const order = await step(() => acme.placeOrder('nobody.happy-paws.test', { replaces: null }))
  await expect(authorize(acme, order, 'nobody.happy-paws.test', website)).rejects.toMatchObject({
    problem: { type: 'connection', status: 400 },
  })
  expect((await step(() => acme.readOrder(order.url))).status).toBe('invalid')
})

test('a wrong response of the website is a problem of the authorization', async () => {
  const acme = await accountAt(pebble)
  const order = await step(() => acme.placeOrder('wrong.happy-paws.test', { replaces: null }))
  const silent = { ...website, put: () => undefined }
  await expect(authorize(acme, order, 'wrong.happy-paws.test', silent)).rejects.toMatchObject({
    problem: { type: 'unauthorized', status: 403 },
  })
})

test('an authority without renewal information is no problem', async () => {
  const acme = await accountAt(pebble)
  expect(await acme.renewalInfo('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')).toEqual({ ok: true, value: null })
})

test('an order without an account is rejected with the problem type that the authority would use', async () => {
  const acme = await accountAt(pebble, { accountUrl: null })
  expect(await problemOf(acme.placeOrder('happy-paws.test', { replaces: null }))).toMatchObject({
    type: 'accountDoesNotExist',
  })
})

test('an authority with an untrusted certificate is not contacted', async () => {
  const { directoryUrl } = pebble
  const acme = await openAccount({ directoryUrl, accountUrl: 'https://127.0.0.1/my-account/1' })
  const problem = await problemOf(acme.placeOrder('happy-paws.test', { replaces: null }))
  expect(problem).toMatchObject({ type: 'unreachable', status: null })
  expect(problem.detail).toMatch(/self.signed/i)
})

// Last, because it stops the authority that the other tests need.
describe('an authority that has lost its state', () => {
  test('reports the account as unknown, and registers it again', async () => {
    const acme = await accountAt(pebble)
    const order = await step(() => acme.placeOrder('happy-paws.test', { replaces: null }))
    await pebble.restart()
    expect(await problemOf(acme.readOrder(order.url))).toMatchObject({ type: 'accountDoesNotExist' })
    await step(() => acme.register())
    expect(await problemOf(acme.readOrder(order.url))).toMatchObject({ status: 404 })
    const { chainPem, keyPem } = await issue(acme, 'happy-paws.test', website)
    expect(
      checkLeaf({ chainPem, hostname: 'happy-paws.test', keyPem, now: Date.now(), replacesNotAfter: null }).ok,
    ).toBe(true)
  })

  test('is unreachable once it has stopped', async () => {
    const acme = await accountAt(pebble)
    await pebble.stop()
    expect(await problemOf(acme.register())).toMatchObject({ type: 'unreachable', status: null })
  })
})
