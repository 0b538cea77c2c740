// Tests of the guarantees of judging for any evidence, including unforeseen combinations.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DnsRecord, Lookup, LookupOutcome } from '../../foundation/dns/answer.ts'
import {
  NOW,
  aliased,
  apex,
  elsewhere,
  probeOf,
  proof,
  right,
  silent,
  target,
  token,
  www,
} from '../../../../testbed/evidence/advice-cases.ts'
import { causeCodes } from '../causes/causes.ts'
import { answer, evidenceOf, wantedFor } from '../../../../testbed/evidence/evidence.ts'
import { nothingKnown, type Evidence, type Known, type Probe, type Wanted } from '../observing/evidence.ts'
import { judge } from './judge.ts'

type World = { wanted: Wanted; evidence: Evidence; known: Known }

const lines = [
  right,
  `${www} CNAME shops.elsewhere.example`,
  `${www} CNAME petstore.example`,
  `${www} CNAME a.shop.example`,
  `a.shop.example CNAME ${www}`,
  `a.shop.example CNAME ${target}`,
  `${www} A ${elsewhere}`,
  `${www} A 192.0.2.10`,
  `${www} A 192.168.1.1`,
  `${www} AAAA 2001:db8:dead::1`,
  `${www} MX mail.shop.example`,
  `${www} CAA 0 issue "other.example"`,
  `${apex} A 192.0.2.10`,
  `${apex} A ${elsewhere}`,
  `${apex} AAAA 2001:db8::10`,
  `${apex} CNAME ${target}`,
  `${apex} CAA 0 issue ";"`,
  `${apex} TXT ${token}`,
  proof,
  '_petstore.shop.example TXT petstore-verify=other',
  `_petstore.${www} TXT ${token}`,
  `_petstore.${www} TXT "${token}"`,
  `*.shop.example CNAME ${target}`,
  `*.shop.example A ${elsewhere}`,
  `${www}.shop.example CNAME ${target}`,
]

const records = fc.oneof(
  fc.subarray(lines, { maxLength: 6 }),
  fc.constantFrom([right], [...aliased, proof], [right, `_petstore.${www} TXT ${token}`]),
)
const noAnswer: fc.Arbitrary<LookupOutcome> = fc.oneof(
  fc
    .constantFrom('timeout', 'refused', 'malformed', 'tcp_failed', 'skipped', 'not_allowed')
    .map((why): LookupOutcome => ({ kind: 'silence', why: why as 'timeout' })),
  fc.constantFrom('SERVFAIL', 'REFUSED', 'FORMERR', 'NOTIMP').map((rcode) => answer({ rcode })),
  fc.constant(answer({ isAuthoritative: false })),
)
/** Most servers have the records of the zone; the others have random ones, or do not answer. */
const source = fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, records, noAnswer)
const hostname = fc.constantFrom(www, apex)

const probe: fc.Arbitrary<Probe> = fc
  .tuple(
    fc.constantFrom(elsewhere, '2001:db8:dead::1'),
    fc.constantFrom<Probe['outcome']>(
      { kind: 'ours' },
      { kind: 'silence', why: 'timeout' },
      { kind: 'other', status: 200, server: 'nginx', headers: {}, body: 'hello' },
      { kind: 'redirect', status: 301, location: 'https://elsewhere.example/', refused: null },
    ),
  )
  .map(([address, outcome]) => probeOf(address, outcome))

const known: fc.Arbitrary<Known> = fc
  .record({
    isHeldByOther: fc.boolean(),
    isGuardedByOther: fc.boolean(),
    isProven: fc.boolean(),
    isCnameOlder: fc.boolean(),
    wasTokenSeen: fc.boolean(),
    isLive: fc.boolean(),
    planAllows: fc.boolean(),
    otherProjects: fc.subarray(['petstore.example', 'bird-house.petstore.example']),
  })
  .map((some) => ({ ...nothingKnown, ...some }))

const world = (knowledge: fc.Arbitrary<Known> = known): fc.Arbitrary<World> =>
  fc
    .record({
      hostname,
      records,
      ns1: source,
      ns2: source,
      checked: source,
      unchecked: source,
      isResolved: fc.boolean(),
      probes: fc.array(probe, { maxLength: 2 }),
      known: knowledge,
      hasZone: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
    })
    .map(({ hasZone, isResolved, known: mine, ns1, ns2, checked, unchecked, ...given }) => {
      const servers = { 'ns1.dns.example': ns1 ?? given.records, 'ns2.dns.example': ns2 ?? given.records }
      const resolvers = { checked: checked ?? given.records, unchecked: unchecked ?? given.records }
      const evidence = evidenceOf({ ...given, servers, ...(isResolved && resolvers) })
      const zone = hasZone ? evidence.zone : null
      return { wanted: wantedFor(given.hostname), known: mine, evidence: { ...evidence, zone } }
    })

const roughly = { numRuns: 200 }

test('any evidence can be judged, and every advice is filled with values', () => {
  fc.assert(
    fc.property(world(), (seen) => {
      const judgement = judge(seen, NOW)
      for (const { code, advice } of judgement.troubles) {
        expect(causeCodes).toContain(code)
        expect(advice).not.toMatch(/[{}]|undefined|\bnull\b/)
      }
      expect(judge(structuredClone(seen), NOW)).toEqual(judgement)
    }),
    roughly,
  )
})

test('waiting is never the root cause while something blocks the owner', () => {
  fc.assert(
    fc.property(world(), (seen) => {
      const { troubles } = judge(seen, NOW)
      const [root] = troubles
      if (troubles.some(({ severity, actor }) => severity === 'blocks' && actor === 'owner')) {
        expect(root?.severity).toBe('blocks')
      }
    }),
    roughly,
  )
})

const unanswered = (evidence: Evidence): Evidence => ({
  ...evidence,
  looks: evidence.looks.map((look): Lookup => ({ ...look, outcome: silent })),
})

test('silence is never "no record": if no server answers, owners are not advised to change a record', () => {
  fc.assert(
    fc.property(world(), (seen) => {
      const { troubles, routing, ownership } = judge({ ...seen, evidence: unanswered(seen.evidence) }, NOW)
      const blamed = troubles.filter(({ code, actor }) => /^(dns|own|caa)\./.test(code) && actor === 'owner')
      expect(blamed).toEqual([])
      expect(routing).toBe('unreachable')
      expect(ownership).toBe('unknown')
    }),
    roughly,
  )
})

test('a check that learned nothing has a reason, and never looks like progress', () => {
  const denied: Lookup = {
    to: 'parent',
    server: 'resolver-one',
    address: '9.9.9.9',
    name: 'example',
    type: 'NS',
    outcome: answer({ rcode: 'NXDOMAIN', isAuthoritative: false }),
    ms: 12,
  }
  for (const looks of [[], [denied], [{ ...denied, outcome: silent }]]) {
    const evidence = { hostname: www, at: NOW, zone: null, looks, probes: [] }
    const { troubles, routing } = judge({ wanted: wantedFor(www), evidence, known: nothingKnown }, NOW)
    expect(routing).toBe('unknown')
    expect(troubles).toMatchObject([{ code: 'zone.not_queried', severity: 'waits', actor: 'platform' }])
    expect(troubles[0]?.advice).toMatch(/^We could not query the DNS of www\.shop\.example, so we do not know/)
  }
  fc.assert(
    fc.property(world(), (seen) => {
      const { troubles, routing } = judge(seen, NOW)
      if (routing !== 'unknown' && routing !== 'unreachable') return
      expect(troubles.map(({ severity }) => severity)).toContainEqual(expect.stringMatching(/blocks|waits/))
    }),
    roughly,
  )
})

/** Whether one answer alone proves the name; written independently of the code under test. */
const proves = (seen: World, rows: readonly DnsRecord[], kind: 'cname' | 'txt'): boolean =>
  kind === 'txt'
    ? rows.some(
        (row) =>
          row.type === 'TXT' &&
          row.name === `_petstore.${seen.wanted.hostname}` &&
          row.text.replaceAll('"', '') === token,
      )
    : rows.some((row) => row.type === 'CNAME' && row.name === seen.wanted.hostname && row.target === target)

function objections(seen: World, kind: 'cname' | 'txt'): Lookup[] {
  const { evidence, wanted } = seen
  const name = kind === 'txt' ? `_petstore.${wanted.hostname}` : wanted.hostname
  const type = kind === 'txt' ? 'TXT' : 'CNAME'
  return evidence.looks.filter((look) => {
    const { outcome } = look
    if (look.name !== name || look.type !== type || outcome.kind === 'silence') return false
    const isUsable = outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN'
    if (look.to === 'checked') return outcome.rcode === 'SERVFAIL' || (isUsable && !proves(seen, outcome.records, kind))
    return look.to === 'authoritative' && outcome.isAuthoritative && isUsable && !proves(seen, outcome.records, kind)
  })
}

const newcomer = known.map((mine): Known => ({ ...mine, isProven: false }))

test('no name is proven while a server of its zone or a validating resolver contradicts', () => {
  let proven = 0
  fc.assert(
    fc.property(world(newcomer), (seen) => {
      const { ownership, proof: kind } = judge(seen, NOW)
      expect(ownership === 'proven').toBe(kind !== null)
      if (kind === null) return
      proven += 1
      expect(objections(seen, kind)).toEqual([])
      expect(seen.evidence.zone).not.toBeNull()
      if (kind === 'cname')
        expect([seen.known.isHeldByOther, seen.known.isGuardedByOther, seen.known.isCnameOlder]).toEqual([
          false,
          false,
          false,
        ])
      if (kind === 'cname') expect(seen.wanted.hostname).not.toBe(apex)
    }),
    { numRuns: 600 },
  )
  // The property is meaningful only if proofs occur in it.
  expect(proven).toBeGreaterThan(20)
})

test('the check above detects one server that contradicts (negative control)', () => {
  const servers = { 'ns2.dns.example': [`${www} CNAME shops.elsewhere.example`] }
  const evidence = evidenceOf({ hostname: www, records: [right], servers })
  const seen = { wanted: wantedFor(www), evidence, known: nothingKnown }
  expect(objections(seen, 'cname')).toHaveLength(1)
})

test('answers without validation prove nothing and disprove nothing', () => {
  fc.assert(
    fc.property(world(newcomer), (seen) => {
      const looks = seen.evidence.looks.filter(({ to }) => to !== 'unchecked')
      const without = judge({ ...seen, evidence: { ...seen.evidence, looks } }, NOW)
      const { ownership, proof: kind } = judge(seen, NOW)
      expect({ ownership, kind }).toEqual({ ownership: without.ownership, kind: without.proof })
    }),
    roughly,
  )
})

test('a project that holds a name keeps it if no server can be queried', () => {
  const evidence = unanswered(evidenceOf({ hostname: www, records: [right] }))
  const judgement = judge({ wanted: wantedFor(www), evidence, known: { ...nothingKnown, isProven: true } }, NOW)
  expect(judgement.ownership).toBe('unknown')
  expect(judgement.troubles.map(({ code }) => code)).not.toContain('own.lost')
})

test('a light check of one of several servers proves nothing new', () => {
  const evidence = evidenceOf({ hostname: www, records: [right] })
  const looks = evidence.looks.filter(({ server }) => server === 'ns1.dns.example')
  const judgement = judge({ wanted: wantedFor(www), evidence: { ...evidence, looks }, known: nothingKnown }, NOW)
  expect(judgement).toMatchObject({ routing: 'pointing', ownership: 'unproven', proof: null })
})
