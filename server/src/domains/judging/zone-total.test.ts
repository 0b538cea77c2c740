// Tests that judging is total: it returns filled advice for any answers, and reports no
// trouble of the owner if no server answered.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DnsAnswer, DnsRecord, Lookup, LookupOutcome, QuestionType, Silence } from '../../foundation/dns/answer.ts'
import type { FirstCheck } from '../observing/evidence.ts'
import { answer } from '../../../../testbed/evidence/evidence.ts'
import { allowedAuthorities, caaAdvice, caaTroubles } from './judge-caa.ts'
import { propagationTroubles } from './judge-propagation.ts'
import { zoneTroubles } from './judge-zone.ts'
import type { Scene } from './scene.ts'
import { NOW, bothAuthorities, sceneWith } from '../../../../testbed/evidence/zone-evidence.ts'

const apex = 'happypaws.example'
const target = 'happy-paws.petstore.example'
const names = [`www.${apex}`, apex, 'example', target, `_petstore.www.${apex}`, `x.${apex}`, '']
const name = fc.constantFrom(...names)
const ttl = fc.nat(2 ** 31)
const number = fc.nat(65_535)
const word = fc.constantFrom(
  '',
  'issue',
  'issuewild',
  'tbs',
  ';',
  'letsencrypt.org',
  'letsencrypt.org; accounturi=x',
  'ab',
  '{host}',
  '\\000',
)

const record: fc.Arbitrary<DnsRecord> = fc.oneof(
  fc.record({
    name,
    ttl,
    type: fc.constantFrom('A', 'AAAA'),
    address: fc.constantFrom('192.0.2.10', '203.0.113.1', '::1', 'x'),
  }),
  fc.record({
    name,
    ttl,
    type: fc.constantFrom('CNAME', 'NS', 'DNAME', 'MX'),
    target: fc.constantFrom(...names, 'ns1.dns.example'),
  }),
  fc.record({ name, ttl, type: fc.constant('TXT'), text: word, strings: fc.array(word) }),
  fc.record({ name, ttl, type: fc.constant('SOA'), primary: name, serial: fc.nat(2 ** 32 - 1), minimum: ttl }),
  fc.record({
    name,
    ttl,
    type: fc.constant('CAA'),
    isCritical: fc.boolean(),
    flags: fc.nat(255),
    tag: word,
    value: word,
  }),
  fc.record({
    name,
    ttl,
    type: fc.constant('DS'),
    keyTag: number,
    algorithm: fc.nat(20),
    digestType: fc.nat(5),
    digest: word,
  }),
  fc.record({
    name,
    ttl,
    type: fc.constant('DNSKEY'),
    keyTag: number,
    algorithm: fc.nat(20),
    flags: number,
    sha256: word,
  }),
  fc.record({
    name,
    ttl,
    type: fc.constant('RRSIG'),
    covers: word,
    keyTag: number,
    signer: name,
    expiresAt: fc.nat(2 * NOW),
  }),
)

const anyAnswer: fc.Arbitrary<DnsAnswer> = fc
  .record({
    rcode: fc.constantFrom('NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED', 'FORMERR', 'BADVERS', 'NOTIMP', 'RCODE16'),
    isAuthoritative: fc.boolean(),
    records: fc.array(record, { maxLength: 4 }),
    authority: fc.array(record, { maxLength: 2 }),
    errors: fc.array(fc.record({ code: fc.nat(30), text: word }), { maxLength: 2 }),
    isCut: fc.boolean(),
    isCaseKept: fc.boolean(),
  })
  .map(answer)
const silent: fc.Arbitrary<Silence> = fc.record({
  kind: fc.constant('silence'),
  why: fc.constantFrom('timeout', 'refused', 'unreachable', 'malformed', 'tcp_failed', 'not_allowed', 'skipped'),
})

const looksWith = (outcome: fc.Arbitrary<LookupOutcome>): fc.Arbitrary<Lookup[]> =>
  fc.array(
    fc.record({
      to: fc.constantFrom<Lookup['to']>('parent', 'authoritative', 'checked', 'unchecked'),
      server: fc.constantFrom('ns1.dns.example', 'ns2.dns.example', 'resolver', ''),
      address: fc.constantFrom('198.51.100.1', '2001:db8::1'),
      name,
      type: fc.constantFrom<QuestionType>('A', 'AAAA', 'CNAME', 'NS', 'TXT', 'SOA', 'CAA', 'DS', 'DNSKEY', 'MX'),
      outcome,
      ms: number,
    }),
    { maxLength: 30 },
  )

const firstCheck: fc.Arbitrary<FirstCheck | null> = fc.option(
  fc.record({
    at: fc.nat(NOW),
    rememberedUntil: fc.nat(2 * NOW),
    values: fc.array(word),
    serials: fc.constant({}),
    delegated: fc.subarray(['ns1.dns.example', 'old.example']),
  }),
)

const lines = [
  `www.${apex} CNAME ${target}`,
  `www.${apex} A 203.0.113.1`,
  `${apex} A 192.0.2.10`,
  `${apex} CAA 0 issue "digicert.com"`,
  `${apex} CAA 0 issue "sectigo.com"`,
  `${apex} CAA 0 issue ";"`,
  `${apex} CAA 0 issuewild "digicert.com"`,
  `${apex} CAA 128 tbs "x"`,
  `${apex} CAA 0 issue "letsencrypt.org; accounturi=x"`,
  `${apex} CAA 0 issue "letsencrypt.org; validationmethods=dns-01"`,
  `${target} CAA 0 issue "letsencrypt.org"`,
]

/** A plausible zone in which some answers were replaced by random ones, and to which some were added. */
const scenes = (outcome: fc.Arbitrary<LookupOutcome>, isWhole = true): fc.Arbitrary<Scene> =>
  fc
    .record({
      hostname: fc.constantFrom(`www.${apex}`, apex),
      records: fc.subarray(lines, { maxLength: 4 }),
      checked: fc.option(fc.subarray(lines, { maxLength: 4 })),
      unchecked: fc.option(fc.subarray(lines, { maxLength: 4 })),
      replaced: fc.array(fc.tuple(fc.nat(600), outcome), { maxLength: 40 }),
      added: looksWith(outcome),
      firstCheck,
      delegated: fc.option(fc.subarray(['ns1.dns.example', 'ns2.dns.example', `gone.${apex}`]), { freq: 3 }),
      hasZone: fc.boolean(),
    })
    .map(({ replaced, added, delegated, hasZone, checked, unchecked, firstCheck, ...given }) => {
      const zone = delegated ? { delegated, withoutAddress: delegated.filter((one) => one.startsWith('gone')) } : {}
      const known = { firstCheck }
      const resolvers = { ...(checked && { checked }), ...(unchecked && { unchecked }) }
      const scene = sceneWith({
        ...given,
        ...resolvers,
        apex,
        zone: hasZone ? zone : null,
        known,
        wanted: bothAuthorities,
      })
      const others = new Map(replaced.map(([index, other]) => [index, other]))
      const looks = scene.evidence.looks.map((seen, index) => {
        const other = others.get(index)
        return other ? { ...seen, outcome: about(seen, other) } : seen
      })
      return { ...scene, evidence: { ...scene.evidence, looks: isWhole ? [...looks, ...added] : added } }
    })

/** The same answer, about the queried name. */
const about = ({ name }: Lookup, outcome: LookupOutcome): LookupOutcome =>
  outcome.kind === 'silence' ? outcome : { ...outcome, records: outcome.records.map((one) => ({ ...one, name })) }

const troublesOf = (scene: Scene) => [
  ...zoneTroubles(scene),
  ...caaTroubles(scene),
  ...caaTroubles(scene, { isWildcard: true }),
  ...propagationTroubles(scene, { routing: 'pointing' }),
]

test('judging never throws, and every advice is filled', () => {
  fc.assert(
    fc.property(scenes(fc.oneof(anyAnswer, silent)), (scene) => {
      for (const { advice, until } of troublesOf(scene)) {
        expect(advice).not.toMatch(/undefined|NaN|null|Invalid/)
        expect(advice.length).toBeGreaterThan(20)
        if (until !== null) expect(until).toBeGreaterThanOrEqual(scene.now)
      }
      const advice = caaAdvice(scene)
      if (advice) expect(allowedAuthorities(scene)).toEqual([])
    }),
    { numRuns: 400 },
  )
})

test('random scenes are not empty: together they show most causes', () => {
  const some = fc.sample(scenes(fc.oneof(anyAnswer, silent)), { numRuns: 300, seed: 1 })
  const seen = new Set(some.flatMap(troublesOf).map(({ code }) => code))
  expect(seen.size).toBeGreaterThanOrEqual(15)
})

test('the same evidence in another order gives the same causes', () => {
  const codes = (scene: Scene) => new Set(troublesOf(scene).map(({ code }) => code))
  fc.assert(
    fc.property(scenes(fc.oneof(anyAnswer, silent)), (scene) => {
      const turned = { ...scene, evidence: { ...scene.evidence, looks: scene.evidence.looks.toReversed() } }
      expect(codes(zoneOnly(turned))).toEqual(codes(zoneOnly(scene)))
    }),
  )
})

test('CAA is not a trouble and no authority is used if no server answered', () => {
  fc.assert(
    fc.property(scenes(silent, false), (scene) => {
      expect(caaTroubles(scene)).toEqual([])
      const blamed = zoneTroubles(scene).filter(({ code }) => !['zone.lame_ns', 'zone.edns_tcp_broken'].includes(code))
      for (const { severity } of blamed) expect(severity).not.toBe('blocks')
    }),
  )
})

/** Only causes of the zone: which CAA record is reported first may depend on the order of the answers. */
const zoneOnly = (scene: Scene): Scene => ({ ...scene, wanted: { ...scene.wanted, authorities: [] } })
