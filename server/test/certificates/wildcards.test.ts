// Wildcard certificates, which are validated by a TXT record, on a real PostgreSQL: the record is in
// the zone before the authority looks for it, and is removed afterwards, whatever happens in between.

import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { challengeRecordWork } from '../../src/certificates/jobs.io.ts'
import { DAY, MINUTE, SECOND } from '../../src/foundation/time.ts'
import { Crash, openEnvironment, type CertificatesEnvironment } from './environment.ts'

const ROOM = { perWindow: 1_000_000, forRenewals: 1000, perRegisteredDomain: 1_000_000, perName: 1_000_000 }

let environment: CertificatesEnvironment
let count = 0
const newName = () => `*.name-${++count}.example`

beforeAll(async () => {
  environment = await openEnvironment({ allowance: ROOM })
})
afterAll(() => environment.close())

describe('a wildcard certificate', () => {
  test('is issued by a TXT record, which is removed afterwards', async () => {
    const hostname = newName()
    const shown: string[] = []
    const present = environment.world.records.present.bind(environment.world.records)
    environment.world.records.present = async (name, value) => {
      shown.push(name)
      return present(name, value)
    }
    await environment.request(hostname)
    await environment.settle(hostname)
    environment.world.records.present = present
    const found = await environment.servable(hostname)
    expect(new X509Certificate(found?.chain ?? '').subjectAltName).toBe(`DNS:${hostname}`)
    expect([...new Set(shown)]).toEqual([`_acme-challenge.${hostname.slice(2)}`])
    expect(environment.world.zone.size).toBe(2)
    await environment.clean()
    expect([...environment.world.zone]).toEqual([])
  })

  test('is not ordered while the zone cannot be changed, and its renewal keeps the certificate', async () => {
    const hostname = newName()
    await environment.request(hostname)
    await environment.settle(hostname)
    const before = await environment.servable(hostname)
    const present = environment.world.records.present.bind(environment.world.records)
    environment.world.records.present = async () => 'The server rejected the update: BADSIG'
    environment.clock.now = (before?.renewAt ?? 0) + SECOND
    const placed = environment.primary.ordersOf(hostname).length
    expect(await environment.work(hostname)).toBe(5)
    expect(await environment.state(hostname)).toMatchObject({
      state: 'renewal_failing',
      serial: before?.serial,
      cause: { code: 'ca.malformed', detail: 'The server rejected the update: BADSIG' },
    })
    expect(environment.primary.ordersOf(hostname)).toHaveLength(placed)
    environment.world.records.present = present
    environment.clock.now += 5 * SECOND
    await environment.settle(hostname)
    expect((await environment.servable(hostname))?.serial).not.toBe(before?.serial)
    await environment.clean()
  })

  test('waits for slow nameservers before the authority looks, and for ten minutes at most', async () => {
    const missing = environment.world.records.missing.bind(environment.world.records)
    const [slow, never] = [newName(), newName()]
    let asked = 0
    environment.world.records.missing = async (name) =>
      name.endsWith(slow.slice(2)) && ++asked > 4 ? undefined : 'ns2 does not show it yet'
    await environment.request(slow)
    await environment.settle(slow)
    expect(asked).toBe(5)
    expect(await environment.state(slow)).toMatchObject({ state: 'issued' })
    await environment.request(never)
    await environment.settle(never, 5 * MINUTE)
    environment.world.records.missing = missing
    expect(await environment.state(never)).toMatchObject({ state: 'blocked', cause: { code: 'ca.dns' } })
    expect(environment.primary.calls.filter((call) => call === 'answerChallenge').length).toBeGreaterThan(0)
    expect(environment.primary.ordersOf(never)[0]?.challengeState).toBe('pending')
    await environment.clean()
    expect([...environment.world.zone]).toEqual([])
  })

  test('leaves no record behind, at whichever step the process ends', async () => {
    const steps = ['record_stored', 'self_checked', 'order_placed', 'challenge_stored', 'challenge_answered']
    for (const step of [...steps, 'validation_asked', 'finalize_asked', 'certificate_stored']) {
      const hostname = newName()
      await environment.request(hostname)
      let isCrashed = false
      environment.world.onStep = (name) => {
        if (name !== step || isCrashed) return
        isCrashed = true
        throw new Crash(step)
      }
      await environment.work(hostname).catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
      expect(isCrashed).toBe(true)
      environment.world.onStep = () => {}
      await environment.settle(hostname, 5 * MINUTE)
      expect(await environment.state(hostname)).toMatchObject({ state: 'issued' })
      await environment.clean()
    }
    expect([...environment.world.zone]).toEqual([])
  })

  test('that is dropped during its order is cleaned up, and so is what no one remembers', async () => {
    const hostname = newName()
    await environment.request(hostname)
    environment.world.onStep = (name) => {
      if (name === 'challenge_answered') throw new Crash(name)
    }
    await environment.work(hostname).catch(() => {})
    environment.world.onStep = () => {}
    expect(environment.world.zone.size).toBe(2)
    await environment.drop(hostname)
    await environment.clean()
    expect([...environment.world.zone]).toEqual([])
    // A process that ends right after the zone was changed: only the timer knows.
    const other = newName()
    await environment.request(other)
    environment.world.onStep = (name) => {
      if (name === 'self_checked') throw new Crash(name)
    }
    await environment.work(other).catch(() => {})
    environment.world.onStep = () => {}
    await environment.clean()
    expect(environment.world.zone.size, 'it is not removed while it may be needed').toBe(1)
    await environment.cleanLater()
    expect([...environment.world.zone]).toEqual([])
  })

  test('a record that cannot be removed is reported, and given up in the end', async () => {
    const remove = environment.world.records.remove.bind(environment.world.records)
    environment.world.records.remove = async () => 'no answer'
    const due = { kind: 'challenge_record', project: 0n, id: '_acme-challenge.x.example value', fence: 1n, attempts: 1 }
    const { work } = challengeRecordWork(environment.deps())
    await expect(work(due)).rejects.toThrow('The TXT record _acme-challenge.x.example was not removed: no answer.')
    expect(await work({ ...due, attempts: 21 })).toBeUndefined()
    environment.world.records.remove = remove
  })

  test('is not ordered without a way to change the zone (negative control)', async () => {
    const hostname = newName()
    const { records } = environment.world
    environment.world.records = undefined as never
    await environment.request(hostname)
    await environment.work(hostname)
    environment.world.records = records
    const { cause } = (await environment.state(hostname)) ?? {}
    expect(cause?.detail).toContain('DNS_UPDATE_SERVER')
    expect(environment.primary.ordersOf(hostname)).toEqual([])
    environment.clock.now += DAY
  })
})
