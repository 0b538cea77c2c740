// Tests of cached answers and their expiry: each cause with its full text, and the
// calculation of the times.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer } from '../../../../testbed/evidence/evidence.ts'
import type { FirstCheck } from '../observing/evidence.ts'
import { dnssecTrouble } from './judge-dnssec.ts'
import { propagationTroubles } from './judge-propagation.ts'
import type { Scene } from './scene.ts'
import {
  NOW,
  address,
  cname,
  failure,
  lookup,
  ns,
  records,
  sceneWith,
  soa,
} from '../../../../testbed/evidence/zone-evidence.ts'

const apex = 'happypaws.example'
const www = `www.${apex}`
const target = 'happy-paws.petstore.example'
const right = { hostname: www, records: [`${www} CNAME ${target}`] }
const no = (ttl: number, minimum: number, rcode = 'NXDOMAIN') => answer({ rcode, authority: [soa(apex, ttl, minimum)] })
const resolver = (type: string, outcome: Parameters<typeof lookup>[1], name = www) =>
  lookup(`checked resolver: ${type} ${name}`, outcome)

const pointing = { routing: 'pointing' } as const
const reported = (scene: Scene) =>
  propagationTroubles(scene, pointing).map(({ code, until, advice }) => [code, until, advice])
const seenWith = (...looks: ReturnType<typeof lookup>[]) => sceneWith({ ...right, looks })

describe('a propagation cause', () => {
  test('prop.negative_cache has its text', () => {
    expect(reported(seenWith(resolver('A', no(1140, 3600))))).toEqual([
      [
        'prop.negative_cache',
        NOW + 1_140_000,
        'Your record is correct. Some resolvers have cached, until about 08:19 UTC, that it did not exist. Nothing to do.',
      ],
    ])
  })

  test('prop.old_ttl has its text', () => {
    expect(reported(seenWith(resolver('A', records(address(www, '203.0.113.1', 60_000)))))).toEqual([
      [
        'prop.old_ttl',
        NOW + 60_000_000,
        'Your record is correct. Some resolvers have the old value cached until about 16 January, 00:40 UTC. Nothing to do.',
      ],
    ])
  })

  const bogus = failure('SERVFAIL', { code: 9, text: '' })
  const withoutDnssec = (...looks: ReturnType<typeof lookup>[]) =>
    sceneWith({ ...right, checked: bogus, unchecked: right.records, looks })
  const oldKey = { name: apex, ttl: 1800, type: 'DS', keyTag: 1, algorithm: 13, digestType: 2, digest: '00' } as const

  test('replaces the advice to turn DNSSEC off once it is off, until the cached key expires', () => {
    const gone = lookup(`parent a.nic.example: DS ${apex}`, answer())
    const cached = withoutDnssec(gone, lookup(`unchecked resolver: DS ${apex}`, records(oldKey)))
    expect(reported(cached)).toMatchObject([['prop.old_ttl', NOW + 1_800_000, expect.stringContaining('08:30 UTC')]])
    expect(dnssecTrouble(cached)).toBeNull()
    expect(reported(withoutDnssec(gone))).toMatchObject([['prop.old_ttl', NOW + 86_400_000, expect.any(String)]])
  })

  test('is not reported if the registry does not confirm it, or in a zone below another: DNSSEC is broken then', () => {
    expect(dnssecTrouble(withoutDnssec())?.code).toBe('zone.dnssec_bogus')
    expect(reported(withoutDnssec())).toEqual([])
    const deep = sceneWith({
      hostname: `www.eu.${apex}`,
      apex: `eu.${apex}`,
      records: [`www.eu.${apex} CNAME ${target}`],
      checked: bogus,
      unchecked: [`www.eu.${apex} CNAME ${target}`],
      looks: [lookup(`parent ns1.dns.example: DS eu.${apex}`, answer())],
    })
    expect(dnssecTrouble(deep)?.code).toBe('zone.dnssec_bogus')
  })

  const firstCheck: FirstCheck = {
    at: NOW - 1,
    rememberedUntil: NOW + 7_200_000,
    values: [],
    serials: {},
    delegated: ['old1.example', 'old2.example'],
  }
  const moved = (...looks: ReturnType<typeof lookup>[]) => sceneWith({ ...right, looks, known: { firstCheck } })

  test('prop.ns_change has its text', () => {
    const cached = resolver('NS', records(ns(apex, 'old1.example', 5400), ns(apex, 'old2.example', 5400)), apex)
    expect(reported(moved(resolver('A', no(60, 60)), cached))).toEqual([
      [
        'prop.ns_change',
        NOW + 5_400_000,
        'Your record is correct. You changed nameservers recently, and some resolvers use the old ones until about 09:30 UTC. Until then keep the records at the old provider as well.',
      ],
    ])
  })

  test('is a cached answer if the resolver already has the new nameservers', () => {
    const fresh = resolver('NS', records(ns(apex, 'ns1.dns.example'), ns(apex, 'ns2.dns.example')), apex)
    expect(reported(moved(resolver('A', no(60, 60)), fresh)).map(([code]) => code)).toEqual(['prop.negative_cache'])
  })

  test('is the change of nameservers if the resolver was not queried for them', () => {
    expect(reported(moved(resolver('A', no(60, 60)))).map(([code, until]) => [code, until])).toEqual([
      ['prop.ns_change', firstCheck.rememberedUntil],
    ])
  })
})

describe('no propagation trouble', () => {
  test.each([
    ['a resolver that has the record', resolver('A', records(cname(www, target), address(target, '192.0.2.10')))],
    ['a resolver that failed', resolver('A', failure('SERVFAIL'))],
    ['a resolver lookup of another name', resolver('A', no(60, 60), apex)],
  ])('is reported for %s', (_, seen) => {
    expect(reported(seenWith(seen))).toEqual([])
  })

  test('is reported for a record that is not right yet', () => {
    const scene = sceneWith({ hostname: www, records: [], looks: [resolver('A', no(60, 60))] })
    expect(propagationTroubles(scene, { routing: 'missing' })).toEqual([])
  })

  test('is reported for nameservers that disagree', () => {
    const scene = sceneWith({ ...right, servers: { 'ns2.dns.example': [] }, looks: [resolver('A', no(60, 60))] })
    expect(propagationTroubles(scene, { routing: 'propagating' })).toEqual([])
  })

  test('is reported for an apex with only one address family', () => {
    const scene = sceneWith({
      hostname: apex,
      records: [`${apex} A 192.0.2.10`],
      looks: [resolver('AAAA', no(60, 60, 'NOERROR'), apex)],
    })
    expect(reported(scene)).toEqual([])
  })

  test('is reported for other addresses of ours at an apex', () => {
    const seen = resolver('A', records(address(apex, '192.0.2.11')), apex)
    const given = { hostname: apex, records: [`${apex} A 192.0.2.10`], looks: [seen] }
    expect(reported(sceneWith({ ...given, wanted: { addresses: ['192.0.2.10', '192.0.2.11'] } }))).toEqual([])
    expect(reported(sceneWith(given)).map(([code]) => code)).toEqual(['prop.old_ttl'])
  })

  test('is reported for addresses of a proxy, which vary by location', () => {
    const seen = resolver('A', records(address(www, '203.0.113.2')))
    expect(reported(sceneWith({ hostname: www, records: [`${www} A 203.0.113.1`], looks: [seen] }))).toEqual([])
  })
})

test('an address of the former site that the nameservers no longer have is still cached elsewhere', () => {
  const old = answer({ records: [{ name: apex, ttl: 600, type: 'AAAA', address: '2001:db8:ffff::1' }] })
  const scene = sceneWith({ hostname: apex, records: [`${apex} A 192.0.2.10`], looks: [resolver('AAAA', old, apex)] })
  expect(reported(scene).map(([code, until]) => [code, until])).toEqual([['prop.old_ttl', NOW + 600_000]])
})

test('a TXT record that resolvers do not have yet is waited for', () => {
  const name = `_petstore.${apex}`
  const given = {
    hostname: apex,
    records: [`${apex} A 192.0.2.10`, `${name} TXT petstore-verify=3k7q2m9x4w8t6n1v5b0c`],
  }
  const scene = sceneWith({ ...given, looks: [resolver('TXT', no(120, 900), name)] })
  expect(reported(scene).map(([code, until]) => [code, until])).toEqual([['prop.negative_cache', NOW + 120_000]])
})

test('a negative answer without SOA lasts until the time recorded at the first check', () => {
  const firstCheck = {
    at: NOW,
    rememberedUntil: NOW + 900_000,
    values: [],
    serials: {},
    delegated: ['ns1.dns.example', 'ns2.dns.example'],
  }
  const bare = resolver('A', answer({ rcode: 'NXDOMAIN' }))
  expect(reported(sceneWith({ ...right, looks: [bare], known: { firstCheck } }))[0]?.[1]).toBe(NOW + 900_000)
  expect(reported(seenWith(bare))[0]?.[1]).toBe(NOW + 3_600_000)
})

describe('the expiry of a cached answer', () => {
  test('is never more than a week away', () => {
    const week = NOW + 604_800_000
    expect(reported(seenWith(resolver('A', no(2 ** 31, 2 ** 31))))[0]?.[1]).toBe(week)
    expect(reported(seenWith(resolver('A', records(address(www, '203.0.113.1', 2 ** 31)))))[0]?.[1]).toBe(week)
  })

  const seconds = fc.nat(604_800)

  test('is the smaller of its two values for a negative answer, and the latest of several', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(seconds, seconds), { minLength: 1, maxLength: 4 }), (times) => {
        const looks = times.map(([ttl, minimum], index) =>
          lookup(`checked resolver${index}: A ${www}`, no(ttl, minimum)),
        )
        const expected = NOW + 1000 * Math.max(...times.map(([ttl, minimum]) => Math.min(ttl, minimum)))
        expect(reported(seenWith(...looks)).map(([code, until]) => [code, until])).toEqual([
          ['prop.negative_cache', expected],
        ])
      }),
    )
  })

  test('is the TTL for an old answer, and never before now', () => {
    fc.assert(
      fc.property(seconds, fc.nat(604_800_000), (ttl, later) => {
        const scene = { ...seenWith(resolver('A', records(address(www, '203.0.113.1', ttl)))), now: NOW + later }
        expect(reported(scene)[0]?.[1]).toBe(Math.max(NOW + later, NOW + 1000 * ttl))
      }),
    )
  })
})
