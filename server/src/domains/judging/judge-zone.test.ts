// The zone as owners read it: each cause with its full text, and the cases in which it is absent.

import { describe, expect, test } from 'vitest'
import type { DnsRecord, Lookup } from '../../foundation/dns/answer.ts'
import { isNewer } from './judge-disagreement.ts'
import { answer } from '../../../../testbed/evidence/evidence.ts'
import { zoneTroubles } from './judge-zone.ts'
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
  silence,
  soa,
} from '../../../../testbed/evidence/zone-evidence.ts'

const apex = 'happypaws.example'
const www = `www.${apex}`
const target = 'happy-paws.petstore.example'
const ns1 = 'ns1.dns.example'
const ns2 = 'ns2.dns.example'
const right = { hostname: www, records: [`${www} CNAME ${target}`] }
const reported = (scene: Scene) => zoneTroubles(scene).map(({ code, severity, advice }) => [code, severity, advice])
const codes = (scene: Scene) => zoneTroubles(scene).map(({ code }) => code)

/** Replaces answers of single servers to single queries. */
const instead = (scene: Scene, change: (seen: Lookup) => Lookup['outcome'] | undefined): Scene => ({
  ...scene,
  evidence: {
    ...scene.evidence,
    looks: scene.evidence.looks.map((seen) => ({ ...seen, outcome: change(seen) ?? seen.outcome })),
  },
})

test('a zone whose nameservers all agree has no trouble', () => {
  expect(reported(sceneWith(right))).toEqual([])
})

describe('a broken nameserver', () => {
  test('is zone.lame_ns and a warning while another server answers', () => {
    const scene = sceneWith({ ...right, servers: { [ns2]: failure('REFUSED') } })
    expect(reported(scene)).toEqual([
      [
        'zone.lame_ns',
        'warns',
        '1 of 2 nameservers of happypaws.example do not answer correctly: ns2.dns.example refuses to answer for the domain. At your registrar, enter only the nameservers that your DNS provider gave you, or ask the provider to set up happypaws.example on them.',
      ],
    ])
  })

  test.each([
    ['SERVFAIL', failure('SERVFAIL'), 'fails to answer for the domain'],
    ['an answer that is not authoritative', answer({ isAuthoritative: false }), 'does not have the domain'],
    ['a malformed answer', silence('malformed'), 'sends an invalid answer'],
    ['an address that we must not query', silence('not_allowed'), 'has an address in a private network'],
  ])('blocks if every server has %s', (_, outcome, words) => {
    const [found] = zoneTroubles(sceneWith({ ...right, servers: { [ns1]: outcome, [ns2]: outcome } }))
    expect(found).toMatchObject({ code: 'zone.lame_ns', severity: 'blocks', actor: 'owner' })
    expect(found?.advice).toContain(
      `2 of 2 nameservers of happypaws.example do not answer correctly: ns1.dns.example ${words}`,
    )
  })

  test('is lame if it has no address, unless we may have failed to find it', () => {
    const without = (name: string) => ({ delegated: [ns1, ns2, name], own: [ns1, ns2, name], withoutAddress: [name] })
    const lame = (name: string) => [
      expect.stringContaining(
        `1 of 3 nameservers of happypaws.example do not answer correctly: ${name} has no address.`,
      ),
    ]
    const inside = `ns.${apex}`
    expect(zoneTroubles(sceneWith({ ...right, zone: without(inside) })).map(({ advice }) => advice)).toEqual(
      lame(inside),
    )
    expect(reported(sceneWith({ ...right, zone: without('gone.example') }))).toEqual([])
    const resolved = sceneWith({ ...right, zone: without('gone.example'), checked: right.records })
    expect(zoneTroubles(resolved).map(({ advice }) => advice)).toEqual(lame('gone.example'))
  })

  test('is zone.ns_unreachable if it is silent, and a warning while another server answers', () => {
    const scene = sceneWith({ ...right, servers: { [ns2]: silence('timeout') } })
    expect(reported(scene)).toEqual([
      [
        'zone.ns_unreachable',
        'warns',
        'We get no answer from ns2.dns.example. This is usually temporary, and we keep trying. If it lasts, ask your DNS provider.',
      ],
    ])
  })

  test('blocks if no other answers, and a third party must act', () => {
    const servers = { [ns1]: silence('timeout'), [ns2]: silence('refused') }
    const looks = [lookup(`parent a.tld: NS ${apex}`, answer({ authority: [ns(apex, ns1), ns(apex, ns2)] }))]
    expect(zoneTroubles(sceneWith({ ...right, servers, looks }))).toMatchObject([
      { code: 'zone.ns_unreachable', severity: 'blocks', actor: 'third_party' },
    ])
  })

  test('may be a problem on our side if nothing answers at all, so the owner only waits', () => {
    const servers = { [ns1]: silence('timeout'), [ns2]: silence('unreachable') }
    expect(zoneTroubles(sceneWith({ ...right, servers }))).toMatchObject([
      { code: 'zone.ns_unreachable', severity: 'waits', actor: 'platform' },
    ])
  })

  test.each([
    ['an answer that is not authoritative', answer({ isAuthoritative: false }), 'zone.lame_ns'],
    ['no answer', silence('timeout'), 'zone.ns_unreachable'],
  ])('knows the zone, but has %s for the hostname', (_, outcome, code) => {
    const scene = instead(sceneWith(right), ({ name }) => (name === www ? outcome : undefined))
    expect(zoneTroubles(scene)).toMatchObject([{ code, severity: 'blocks' }])
  })

  test('is not reported if there was no time to query it', () => {
    expect(reported(sceneWith({ ...right, servers: { [ns2]: silence('skipped') } }))).toEqual([])
  })

  test('with a dead IPv6 address counts only if IPv6 works for us', () => {
    const dead = { ...lookup(`authoritative ${ns1}: A ${www}`, silence('unreachable')), address: '2001:db8::1' }
    const alive = { ...lookup(`authoritative ${ns2}: A ${www}`, records(cname(www, target))), address: '2001:db8::2' }
    expect(reported(sceneWith({ ...right, looks: [dead] }))).toEqual([])
    expect(reported(sceneWith({ ...right, looks: [dead, alive] }))[0]?.[2]).toMatch(
      /^We get no answer from ns1.dns.example at 2001:db8::1\./,
    )
  })
})

describe('a disagreement between nameservers', () => {
  test('is zone.ns_disagree with the number of servers that have the change', () => {
    expect(reported(sceneWith({ ...right, servers: { [ns2]: [] } }))).toEqual([
      [
        'zone.ns_disagree',
        'waits',
        '1 of 2 nameservers of happypaws.example already have your change. The others need a little longer. Nothing to do; we keep checking.',
      ],
    ])
  })

  test.each([
    ['the TXT record', [`_petstore.${www} TXT petstore-verify=3k7q2m9x4w8t6n1v5b0c`], []],
    ['CAA', [`${apex} CAA 0 issue "letsencrypt.org"`], [`${apex} CAA 0 issue "digicert.com"`]],
    ['the kind of record', [`${www} A 203.0.113.1`], [`${www} CNAME other.example`]],
  ])('is detected in %s', (_, lines, other) => {
    expect(codes(sceneWith({ hostname: www, records: lines, servers: { [ns2]: other } }))).toEqual(['zone.ns_disagree'])
  })

  test('ignores foreign addresses, which may differ in every answer', () => {
    const scene = sceneWith({
      hostname: www,
      records: [`${www} A 203.0.113.1`],
      servers: { [ns2]: [`${www} A 203.0.113.2`] },
    })
    expect(reported(scene)).toEqual([])
  })

  test('in serials matters only while no server has the right record', () => {
    const older = (seen: Lookup) =>
      seen.type === 'SOA' && seen.name === apex && seen.server === ns2 ? records(soa(apex, 300, 300, 0)) : undefined
    expect(codes(instead(sceneWith(right), older))).toEqual([])
    expect(codes(instead(sceneWith({ hostname: www, records: [] }), older))).toEqual(['zone.ns_disagree'])
  })

  test('compares serials with wrap-around', () => {
    expect([isNewer(2, 1), isNewer(1, 2), isNewer(1, 1), isNewer(0, 4_294_967_295), isNewer(4_294_967_295, 0)]).toEqual(
      [true, false, false, true, false],
    )
  })

  test('with the parent is zone.ns_mismatch_parent_child', () => {
    expect(reported(sceneWith({ ...right, own: [ns1, 'ns3.dns.example'] }))).toEqual([
      [
        'zone.ns_mismatch_parent_child',
        'warns',
        'Your registrar lists ns1.dns.example and ns2.dns.example as nameservers of happypaws.example, but these list ns1.dns.example and ns3.dns.example themselves. Visitors may get old answers. Enter the same nameservers in both places.',
      ],
    ])
  })
})

describe('the cause zone.subdelegated', () => {
  const shop = { hostname: `www.shop.${apex}`, apex: `shop.${apex}`, records: [] }
  const referral = (...names: string[]) =>
    lookup(`parent a.tld: NS ${apex}`, answer({ authority: names.map((name) => ns(apex, name)) }))

  test('names the delegated part, and the provider of the rest', () => {
    expect(
      reported(sceneWith({ ...shop, looks: [referral('ada.ns.cloudflare.com', 'bob.ns.cloudflare.com')] })),
    ).toEqual([
      [
        'zone.subdelegated',
        'blocks',
        'shop.happypaws.example is run by other nameservers (ns1.dns.example and ns2.dns.example) than happypaws.example. Add the record there, not at Cloudflare.',
      ],
    ])
  })

  test.each([
    ['the same nameservers run both', { ...shop, looks: [referral(ns1)] }],
    ['the nameservers of the domain are unknown', shop],
    [
      'the record already exists',
      { ...shop, records: [`www.shop.${apex} CNAME ${target}`], looks: [referral('other.example')] },
    ],
    ['the zone is the registered domain', { ...right, records: [], looks: [referral('other.example')] }],
  ])('is absent if %s', (_, given) => {
    expect(codes(sceneWith(given))).toEqual([])
  })
})

describe('a DNSSEC cause', () => {
  const ds: DnsRecord = { name: apex, ttl: 3600, type: 'DS', keyTag: 4711, algorithm: 13, digestType: 2, digest: 'ab' }
  const key: DnsRecord = {
    name: apex,
    ttl: 3600,
    type: 'DNSKEY',
    keyTag: 4711,
    algorithm: 13,
    flags: 257,
    sha256: 'ab',
  }
  const old: DnsRecord = {
    name: www,
    ttl: 60,
    type: 'RRSIG',
    covers: 'CNAME',
    keyTag: 1,
    signer: apex,
    expiresAt: NOW - 86_400_000,
  }
  const atParent = lookup(`parent a.tld: DS ${apex}`, records(ds))
  const withKeys = (scene: Scene, ...more: DnsRecord[]) =>
    instead(scene, ({ to, type, name }) =>
      to === 'authoritative' && type === 'DNSKEY' && name === apex ? records(key, ...more) : undefined,
    )
  const bogus = failure('SERVFAIL', { code: 6, text: 'signature crypto failed' })

  test('zone.dnssec_ds_stale has its text', () => {
    expect(reported(sceneWith({ ...right, looks: [atParent] }))).toEqual([
      [
        'zone.dnssec_ds_stale',
        'blocks',
        'DNSSEC of happypaws.example is broken: the DS record at your registrar (key tag 4711) belongs to keys that are no longer used, most likely those of your previous DNS provider. Delete it there; that takes effect after about 60 minutes.',
      ],
    ])
  })

  test('zone.dnssec_expired has its text', () => {
    expect(reported(withKeys(sceneWith({ ...right, looks: [atParent] }), old))).toEqual([
      [
        'zone.dnssec_expired',
        'blocks',
        'The DNSSEC signatures of happypaws.example expired on 14 January 2027. Ask your DNS provider to sign the domain again, or turn DNSSEC off at your registrar.',
      ],
    ])
  })

  test('zone.dnssec_bogus is detected by the difference that validation makes', () => {
    const scene = withKeys(sceneWith({ ...right, looks: [atParent], checked: bogus, unchecked: right.records }))
    expect(reported(scene)).toEqual([
      [
        'zone.dnssec_bogus',
        'blocks',
        'DNSSEC of happypaws.example is broken, so certificate authorities must refuse. At your registrar turn DNSSEC off (delete the DS record); it takes effect after about 60 minutes. Or have your DNS provider repair the keys.',
      ],
    ])
  })

  test('is only the most precise one', () => {
    expect(codes(sceneWith({ ...right, looks: [atParent], checked: bogus, unchecked: right.records }))).toEqual([
      'zone.dnssec_ds_stale',
    ])
  })

  test.each([
    ['without error code, and there is no DS', { checked: failure('SERVFAIL'), unchecked: right.records }],
    [
      'because of the network',
      { checked: failure('SERVFAIL', { code: 23, text: '' }), unchecked: right.records, looks: [atParent] },
    ],
    ['and was not queried without validation', { checked: bogus }],
  ])('is absent if a resolver fails %s', (_, given) => {
    expect(codes(withKeys(sceneWith({ ...right, ...given })))).toEqual([])
  })

  test('is absent if the signatures of the name that is pointed to fail', () => {
    const scene = withKeys(sceneWith({ ...right, looks: [atParent], checked: right.records, unchecked: right.records }))
    const beyond = instead(scene, ({ to, type, name }) =>
      to === 'checked' && type === 'A' && name === www ? bogus : undefined,
    )
    expect(codes(beyond)).toEqual([])
  })
})

describe('a trouble that only resolvers show', () => {
  const down = failure('SERVFAIL', { code: 22, text: 'no reachable authority' })

  test('zone.servfail_other has its text', () => {
    expect(reported(sceneWith({ ...right, checked: down, unchecked: down }))).toEqual([
      [
        'zone.servfail_other',
        'blocks',
        'DNS queries for www.happypaws.example return an error. Contact your DNS provider and quote: SERVFAIL, extended error 22 (no reachable authority). We will check again automatically.',
      ],
    ])
  })

  test('is absent if the nameservers are broken themselves, or if the resolver fails for other names too', () => {
    const lame = { [ns1]: failure('REFUSED'), [ns2]: failure('REFUSED') }
    expect(codes(sceneWith({ ...right, servers: lame, checked: down, unchecked: down }))).toEqual(['zone.lame_ns'])
    const looks = [lookup(`checked resolver: CAA ${target}`, failure('SERVFAIL'))]
    expect(codes(sceneWith({ ...right, checked: down, unchecked: down, looks }))).toEqual([])
  })

  const elsewhere = (outcome: Lookup['outcome']) => [
    lookup(`checked far: A ${www}`, outcome),
    lookup(`unchecked far: A ${www}`, outcome),
  ]

  test('is zone.geo_blocked if one resolver gets through and another is shut out', () => {
    expect(reported(sceneWith({ ...right, checked: right.records, looks: elsewhere(down) }))).toEqual([
      [
        'zone.geo_blocked',
        'blocks',
        'The DNS of www.happypaws.example answers differently in different parts of the world. Certificate checks come from several continents. At your DNS provider, remove rules by country, and allow queries from everywhere.',
      ],
    ])
  })

  test('is a shut-out without error code if the resolver fails at every query for the name', () => {
    const bare = failure('SERVFAIL')
    const given = { ...right, checked: right.records }
    const all = (['A', 'CNAME'] as const).flatMap((type) => [
      lookup(`checked far: ${type} ${www}`, bare),
      lookup(`unchecked far: ${type} ${www}`, bare),
    ])
    expect(codes(sceneWith({ ...given, looks: all }))).toEqual(['zone.geo_blocked'])
    expect(codes(sceneWith({ ...given, looks: elsewhere(bare) }))).toEqual([])
    const once = [...elsewhere(bare), lookup(`checked far: CNAME ${www}`, records(cname(www, target)))]
    expect(codes(sceneWith({ ...given, looks: once }))).toEqual([])
  })

  const firstCheck = {
    at: NOW - 7_200_000,
    rememberedUntil: NOW - 3_600_000,
    values: ['A 203.0.113.1'],
    serials: {},
    delegated: [ns1, ns2],
  }
  const foreign = elsewhere(records(address(www, '203.0.113.9')))

  test('depends on the location if a value cannot be cached any longer, and otherwise on time', () => {
    const given = { ...right, checked: right.records, looks: foreign }
    expect(codes(sceneWith({ ...given, known: { firstCheck } }))).toEqual(['zone.geo_blocked'])
    expect(codes(sceneWith(given))).toEqual([])
    expect(codes(sceneWith({ ...given, known: { firstCheck: { ...firstCheck, rememberedUntil: NOW + 1 } } }))).toEqual(
      [],
    )
    expect(codes(sceneWith({ ...given, known: { firstCheck: { ...firstCheck, values: ['A 203.0.113.9'] } } }))).toEqual(
      [],
    )
  })
})

describe('an outdated nameserver', () => {
  test('is zone.edns_tcp_broken and blocks if no server gives a good answer', () => {
    const scene = sceneWith({ ...right, servers: { [ns1]: failure('FORMERR'), [ns2]: failure('BADVERS') } })
    expect(reported(scene)).toEqual([
      [
        'zone.edns_tcp_broken',
        'blocks',
        'The nameservers of happypaws.example do not handle modern DNS queries correctly (ns1.dns.example: answers FORMERR and ns2.dns.example: answers BADVERS). Ask your DNS provider to fix this, or move the DNS of happypaws.example to another provider.',
      ],
    ])
  })

  test('is a warning while another server has the answer', () => {
    const scene = instead(sceneWith(right), ({ server, type }) =>
      server === ns2 && type === 'TXT' ? silence('tcp_failed') : undefined,
    )
    expect(zoneTroubles(scene)).toMatchObject([{ code: 'zone.edns_tcp_broken', severity: 'warns' }])
    expect(reported(scene)[0]?.[2]).toContain('(ns2.dns.example: no answer over TCP)')
  })

  test('that drops EDNS queries is distinguished from a dead one, and from a lost packet', () => {
    const dropped = { [ns1]: silence('edns_dropped'), [ns2]: silence('edns_dropped') }
    expect(reported(sceneWith({ ...right, servers: dropped }))[0]?.[2]).toContain('no answer to queries with EDNS')
    expect(codes(sceneWith({ ...right, servers: { [ns1]: silence('timeout'), [ns2]: silence('timeout') } }))).toEqual([
      'zone.ns_unreachable',
    ])
    const lost = instead(sceneWith(right), ({ type }) => (type === 'SOA' ? silence('edns_dropped') : undefined))
    expect(codes(lost)).toEqual([])
  })

  test('that changes the case of queries is zone.case_0x20', () => {
    const scene = instead(sceneWith(right), ({ server, outcome }) =>
      server === ns2 && outcome.kind === 'answer' ? { ...outcome, isCaseKept: false } : undefined,
    )
    expect(reported(scene)).toEqual([
      [
        'zone.case_0x20',
        'blocks',
        'The nameservers of happypaws.example change the letter case of queries (ns2.dns.example), which certificate authorities rely on for security. Ask your DNS provider to fix this, or move the DNS of happypaws.example to another provider.',
      ],
    ])
  })
})
