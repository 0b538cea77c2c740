// Certificates on a real PostgreSQL, with scripted authorities: issuance, failures, and the
// cost of a removal and a return.

import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../../testbed/harness/fake-acme.ts'
import { makeFakeChain } from '../../../testbed/harness/fake-chain.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/foundation/time.ts'
import { openKeys } from '../../src/certificates/key-encryption.io.ts'
import { rotateKeys } from '../../src/certificates/key-rotation-queries.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { BACKUP, newRingKey, openEnvironment, PRIMARY, type CertificatesEnvironment } from './environment.ts'

let environment: CertificatesEnvironment
let count = 0
const newName = () => `shop-${++count}.name-${count}.example`

beforeAll(async () => {
  environment = await openEnvironment()
})
afterAll(() => environment.close())

const keyOf = async (hostname: string, generation = 1n) => {
  const found = await environment.servable(hostname, generation)
  if (!found) throw new Error('there is nothing to serve')
  const keyPem = environment.deps().keys.open(found.sealedKey, { hostname, generation, purpose: 'certificate' })
  return { found, keyPem }
}

describe('a certificate', () => {
  test('is ordered once, checked and stored, and its requester is notified', async () => {
    const hostname = newName()
    expect(await environment.request(hostname)).toBe('ordered')
    expect(await environment.state(hostname)).toMatchObject({ state: 'queued', cause: null })
    await environment.settle(hostname)
    const { found, keyPem } = await keyOf(hostname)
    const leaf = new X509Certificate(found.chain)
    expect(leaf.subjectAltName).toBe(`DNS:${hostname}`)
    expect(keyPem).toContain('PRIVATE KEY')
    expect(environment.primary.ordersOf(hostname)).toHaveLength(1)
    expect(await environment.state(hostname)).toMatchObject({
      state: 'issued',
      notAfter: found.notAfter,
      authority: PRIMARY,
    })
    expect((await environment.timer('asker', hostname))?.seconds).toBeLessThanOrEqual(0)
    expect(await environment.request(hostname)).toBe('there')
  })

  test('is not ordered while the hostname does not respond as the authority requires', async () => {
    const hostname = newName()
    const before = environment.world.selfCheck
    environment.world.selfCheck = async () => ({
      ok: false,
      code: 'http.challenge_intercepted',
      detail: 'a login page',
    })
    await environment.request(hostname)
    expect(await environment.work(hostname)).toBe(5)
    expect(await environment.state(hostname)).toMatchObject({
      state: 'blocked',
      cause: { code: 'http.challenge_intercepted', detail: 'a login page' },
    })
    expect(environment.primary.ordersOf(hostname)).toEqual([])
    environment.world.selfCheck = before
    environment.clock.now += 5 * SECOND
    await environment.settle(hostname)
    expect(await environment.state(hostname)).toMatchObject({ state: 'issued', cause: null })
  })

  test('leaves no key in clear in the database', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    const { keyPem } = await keyOf(hostname)
    const secret = keyPem?.split('\n')[1] ?? 'no key'
    const rows = await asOwner(environment.storage, async (client) => {
      const { rows: found } = await client.query<{ row: string }>(
        `select row_to_json(certificates)::text as row from certificates
         union all select row_to_json(certificate_orders)::text from certificate_orders
         union all select row_to_json(authority_accounts)::text from authority_accounts`,
      )
      return found.map(({ row }) => row).join('\n')
    })
    expect(rows).not.toContain('PRIVATE KEY')
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(Buffer.from(secret, 'base64').toString('hex').slice(0, 40))
    expect(rows.length).toBeGreaterThan(1000)
  })
})

describe('a failed attempt', () => {
  test.each([
    ['a wrong name', (hostname: string, keyPem: string) => makeFakeChain({ hostnames: [`x.${hostname}`], keyPem })],
    ['a wrong key', (hostname: string) => makeFakeChain({ hostnames: [hostname] })],
  ])('a certificate with %s is not stored', async (_, chain) => {
    const hostname = newName()
    await environment.request(hostname)
    environment.primary.behaviour.chainFor = async (name, keyPem) => (await chain(name, keyPem)).chainPem
    await environment.settle(hostname, 10 * SECOND)
    environment.primary.behaviour.chainFor = null
    expect(await environment.servable(hostname)).toBeUndefined()
    expect(await environment.state(hostname)).toMatchObject({ state: 'blocked', cause: { code: 'ca.outage' } })
  })

  test('Retry-After is respected to the second, by the background and by people', async () => {
    const hostname = newName()
    await environment.request(hostname)
    const detail = 'too many failed authorizations (5) for this name'
    environment.primary.says('placeOrder', problem('rateLimited', { status: 429, retryAfterMs: 20 * MINUTE, detail }))
    expect(await environment.work(hostname)).toBeCloseTo(20 * 60, 0)
    expect(await environment.state(hostname)).toMatchObject({
      state: 'rate_limited',
      cause: { code: 'ca.rate_limited_failures', until: environment.clock.now + 20 * MINUTE },
    })
    expect(await environment.retry(hostname)).toBe(environment.clock.now + 20 * MINUTE)
    environment.clock.now += 20 * MINUTE
    await environment.settle(hostname)
    expect(await environment.state(hostname)).toMatchObject({ state: 'issued' })
  })

  test('what only DNS can fix waits for other evidence, not for time', async () => {
    const hostname = newName()
    await environment.request(hostname)
    environment.primary.says('placeOrder', problem('caa', { status: 403, detail: 'CAA forbids' }))
    await environment.work(hostname)
    expect(await environment.state(hostname)).toMatchObject({
      state: 'blocked',
      cause: { code: 'ca.caa', until: null },
    })
    environment.clock.now += 3 * DAY
    expect(await environment.work(hostname)).toBeGreaterThan(3600)
    expect(await environment.request(hostname)).toBe('there')
    expect(environment.primary.ordersOf(hostname)).toHaveLength(0)
    await environment.request(hostname, { evidence: 'another record' })
    await environment.settle(hostname)
    expect(await environment.state(hostname)).toMatchObject({ state: 'issued' })
  })

  test('after two failures of one authority the next one is tried', async () => {
    const hostname = newName()
    environment.primary.behaviour.isDown = true
    await environment.request(hostname)
    await environment.settle(hostname, 30 * MINUTE)
    environment.primary.behaviour.isDown = false
    expect(await environment.servable(hostname)).toMatchObject({ authority: BACKUP })
    environment.clock.now += HOUR
  })

  test('an order that stays open is given up after ten minutes, and another one is placed', async () => {
    const hostname = newName()
    environment.primary.behaviour.hangs = 'processing'
    await environment.request(hostname)
    const begun = environment.clock.now
    while ((await environment.state(hostname))?.cause === null) {
      const seconds = (await environment.work(hostname)) ?? 0
      environment.clock.now += Math.ceil(seconds * SECOND)
    }
    expect(environment.clock.now - begun).toBeGreaterThanOrEqual(10 * MINUTE)
    expect(environment.clock.now - begun).toBeLessThan(13 * MINUTE)
    environment.primary.behaviour.hangs = null
    await environment.settle(hostname, 10 * MINUTE)
    expect(await environment.state(hostname)).toMatchObject({ state: 'issued' })
    expect(environment.primary.ordersOf(hostname)).toHaveLength(2)
  })

  test('a new account is registered when the authority has lost ours', async () => {
    const hostname = newName()
    environment.primary.forgets()
    await environment.request(hostname)
    await environment.settle(hostname, 5 * MINUTE)
    expect(await environment.servable(hostname)).toMatchObject({ authority: PRIMARY })
  })

  test('at most three authorizations fail per hour automatically, and a fourth when a person requests it', async () => {
    const hostname = newName()
    await environment.request(hostname)
    const failed: number[] = []
    const fail = async () => {
      environment.world.onStep = (name) => {
        if (name === 'order_placed') environment.primary.failsOpen(problem('unauthorized', { status: 403 }))
      }
      const before = environment.primary.ordersOf(hostname).length
      const seconds = (await environment.work(hostname)) ?? 0
      if (environment.primary.ordersOf(hostname).length > before) failed.push(environment.clock.now)
      return seconds
    }
    const begun = environment.clock.now
    while (environment.clock.now - begun < 50 * MINUTE) environment.clock.now += Math.ceil((await fail()) * SECOND)
    expect(failed.filter((at) => at < begun + HOUR)).toHaveLength(3)
    environment.clock.now = begun + 50 * MINUTE
    expect(await environment.retry(hostname)).toBe(environment.clock.now)
    await fail()
    expect(failed).toHaveLength(4)
    expect(await environment.retry(hostname)).toBeGreaterThanOrEqual(begun + HOUR)
    expect(await environment.state(hostname)).toMatchObject({ state: 'blocked', cause: { code: 'ca.unauthorized' } })
    environment.world.onStep = () => {}
  })
})

describe('removal and return', () => {
  test('a removed certificate is kept for thirty days, and costs no order when the hostname returns', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    const { found } = await keyOf(hostname)
    await environment.drop(hostname)
    expect(await environment.servable(hostname)).toBeUndefined()
    expect(await environment.state(hostname)).toBeUndefined()
    environment.clock.now += 29 * DAY
    await environment.sweep()
    expect(await environment.request(hostname, { generation: 3n })).toBe('taken_over')
    const { found: again, keyPem } = await keyOf(hostname, 3n)
    expect(again.serial).toBe(found.serial)
    expect(keyPem).toContain('PRIVATE KEY')
    expect(await environment.servable(hostname, 1n)).toBeUndefined()
    expect(environment.primary.ordersOf(hostname)).toHaveLength(1)
  })

  test('a removed certificate does not return for another project', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    expect(await environment.request(hostname, { generation: 2n, client: 'client-2' })).toBe('ordered')
    expect(await environment.servable(hostname, 1n)).toBeUndefined()
    await environment.settle(hostname)
    expect(await environment.servable(hostname, 2n)).toBeDefined()
    expect(environment.primary.ordersOf(hostname)).toHaveLength(2)
    // And the first project gets its own again.
    expect(await environment.request(hostname, { generation: 3n })).toBe('taken_over')
  })

  test('after thirty days a removed certificate is deleted', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    await environment.drop(hostname)
    environment.clock.now += 30 * DAY
    await environment.sweep()
    expect(await environment.records(hostname)).toBeUndefined()
    expect(await environment.counts(hostname)).toEqual({ active: 0, total: 0 })
    expect(await environment.work(hostname)).toBeUndefined()
    expect(await environment.request(hostname, { generation: 5n })).toBe('ordered')
  })

  test('an older generation no longer requests anything', async () => {
    const hostname = newName()
    await environment.request(hostname, { generation: 4n })
    expect(await environment.request(hostname, { generation: 3n })).toBe('outdated')
  })
})

describe('a renewal', () => {
  test('starts when the authority suggests it and names what it replaces, and the old certificate is served until then', async () => {
    const hostname = newName()
    environment.primary.behaviour.window = null
    await environment.request(hostname)
    await environment.settle(hostname)
    const { found } = await keyOf(hostname)
    const start = environment.clock.now + 10 * DAY
    environment.primary.behaviour.window = { start, end: start + HOUR, retryAfterMs: 6 * HOUR }
    environment.clock.now += DAY
    await environment.work(hostname)
    const { certificate } = (await environment.records(hostname)) ?? {}
    expect(certificate?.renewAt).toBeGreaterThanOrEqual(start)
    expect(certificate?.renewAt).toBeLessThanOrEqual(start + HOUR)
    environment.clock.now = start + HOUR
    environment.primary.behaviour.isDown = true
    await environment.settle(hostname, MINUTE / 2)
    expect(await environment.state(hostname)).toMatchObject({ state: 'renewal_failing', cause: { code: 'ca.outage' } })
    expect((await environment.servable(hostname))?.serial).toBe(found.serial)
    environment.primary.behaviour.isDown = false
    await environment.settle(hostname, 10 * MINUTE)
    expect((await environment.servable(hostname))?.serial).not.toBe(found.serial)
    expect(environment.primary.ordersOf(hostname).map(({ replaces }) => replaces)).toEqual([null, found.certificateId])
    expect(await environment.state(hostname)).toMatchObject({ state: 'issued', cause: null })
    environment.primary.behaviour.window = null
  })

  test('an unavailable suggestion changes nothing', async () => {
    const hostname = newName()
    environment.primary.says('renewalInfo', problem('serverInternal', { status: 500 }))
    await environment.request(hostname)
    await environment.settle(hostname)
    const { certificate } = (await environment.records(hostname)) ?? {}
    const left = (certificate?.notAfter ?? 0) - (certificate?.renewAt ?? 0)
    expect(left).toBeGreaterThanOrEqual(29 * DAY)
    expect(left).toBeLessThan(39 * DAY)
  })

  test('a certificate that expires before the one it replaces is not stored', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    const { found } = await keyOf(hostname)
    environment.clock.now = found.renewAt
    environment.primary.behaviour.lifeMs = DAY
    await environment.settle(hostname, MINUTE / 2)
    environment.primary.behaviour.lifeMs = 90 * DAY
    expect((await environment.servable(hostname))?.serial).toBe(found.serial)
    expect(await environment.state(hostname)).toMatchObject({ state: 'renewal_failing' })
  })
})

test('rotating the encryption keys re-encrypts everything, and the old key can be dropped', async () => {
  const own = await openEnvironment()
  const names = [newName(), newName(), newName()]
  for (const name of names) {
    await own.request(name)
    await own.settle(name)
  }
  const open = newName()
  await own.request(open)
  own.world.onStep = (step) => {
    if (step === 'intent_stored') throw new Error('the end')
  }
  await expect(own.work(open)).rejects.toThrow('the end')
  own.world.onStep = () => {}
  const [old] = own.world.ring
  if (!old) throw new Error('there is a key')
  const fresh = newRingKey('second')
  own.world.ring = [fresh, old]
  // The account, three certificates and the key of the order in progress.
  expect(await rotateKeys(own.database.run, openKeys(own.world.ring), 2)).toEqual({ resealed: 5, unreadable: [] })
  own.world.ring = [fresh]
  const keys = openKeys(own.world.ring)
  for (const hostname of names) {
    const found = await own.servable(hostname)
    expect(found && keys.open(found.sealedKey, { hostname, generation: 1n, purpose: 'certificate' })).toContain(
      'PRIVATE',
    )
  }
  await own.settle(open)
  expect(await own.state(open)).toMatchObject({ state: 'issued' })
  expect(own.primary.ordersOf(open)).toHaveLength(1)
  // Another key ring decrypts nothing, and reports that.
  expect((await rotateKeys(own.database.run, openKeys([newRingKey('third')]), 2)).unreadable).toHaveLength(5)
  await own.close()
})
