import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Severity } from '../causes/cause.ts'
import { causeCodes, causes, type CauseCode } from '../causes/causes.ts'
import { explainedBy } from './explains.ts'
import { layerOf, ranked } from './rank-root-cause.ts'
import type { Trouble } from './trouble.ts'

const some = (code: CauseCode, changes: Partial<Trouble> = {}): Trouble => {
  const { severity, actor } = causes[code]
  return { code, severity, actor, advice: `about ${code}`, until: null, ...changes }
}
const codes = (...troubles: readonly CauseCode[]): CauseCode[] =>
  ranked(troubles.map((code) => some(code))).map(({ code }) => code)

test('the order is name, plan, zone, ownership, wrong zone, conflict, record, CAA, proxy, reach, authority', () => {
  const order: readonly CauseCode[] = [
    'name.unregistered',
    'plan.lapsed',
    'zone.dnssec_bogus',
    'own.contested',
    'dns.wrong_zone_edited',
    'dns.conflict_a',
    'dns.no_record',
    'caa.blocked',
    'proxy.cloudflare_blocks',
    'http.not_us',
    'ca.policy',
  ]
  const layers = order.map(layerOf)
  expect(layers).toEqual(layers.toSorted((left, right) => left - right))
  expect(new Set(layers).size).toBe(order.length)
  expect(layerOf('prop.old_ttl')).toBeGreaterThan(layerOf('ca.policy'))
})

test('the missing record is ranked before the missing proof if nothing was set up yet', () => {
  expect(codes('own.txt_missing', 'dns.no_record')).toEqual(['dns.no_record', 'own.txt_missing'])
  expect(codes('own.txt_missing', 'dns.apex_no_alias')).toEqual(['dns.apex_no_alias', 'own.txt_missing'])
})

test('a wrong proof is ranked before a missing record', () => {
  expect(codes('dns.no_record', 'own.txt_mismatch')).toEqual(['own.txt_mismatch', 'dns.no_record'])
})

test.each<[CauseCode, CauseCode]>([
  ['zone.dnssec_bogus', 'caa.lookup_failed'],
  ['zone.dnssec_ds_stale', 'zone.dnssec_bogus'],
  ['zone.subdelegated', 'dns.no_record'],
  ['name.unregistered', 'dns.no_record'],
  ['dns.name_doubled', 'dns.no_record'],
  ['dns.parked', 'http.not_us'],
  ['http.ipv6_broken', 'dns.conflict_aaaa'],
  ['proxy.cloudflare_blocks', 'dns.conflict_a'],
  ['caa.blocked', 'ca.caa'],
])('%s explains %s, which is then not reported', (explanation, explained) => {
  expect(codes(explained, explanation)).toEqual([explanation])
})

test('the server at a wrong address is reported as well', () => {
  expect(codes('http.not_us', 'dns.conflict_a')).toEqual(['dns.conflict_a', 'http.not_us'])
})

test('a warning does not hide a trouble that blocks the owner', () => {
  const lame = some('zone.lame_ns', { severity: 'warns' })
  const failed = some('caa.lookup_failed')
  expect(ranked([lame, failed]).map(({ code }) => code)).toEqual(['caa.lookup_failed', 'zone.lame_ns'])
})

test('waiting is ranked after required actions, and before optional ones', () => {
  expect(codes('zone.ns_disagree', 'dns.wildcard_match', 'caa.blocked')).toEqual([
    'caa.blocked',
    'zone.ns_disagree',
    'dns.wildcard_match',
  ])
})

test('the same trouble is reported once', () => {
  expect(codes('dns.no_record', 'dns.no_record')).toEqual(['dns.no_record'])
})

test('no trouble explains itself, directly or through others', () => {
  const loops = causeCodes.filter((code) => isReached(code, code, new Set()))
  expect(loops).toEqual([])
})

function isReached(from: CauseCode, to: CauseCode, seen: Set<CauseCode>): boolean {
  return [...explainedBy(from)].some((next) => {
    if (next === to) return true
    if (seen.has(next)) return false
    seen.add(next)
    return isReached(next, to, seen)
  })
}

const severity = fc.constantFrom<Severity>('blocks', 'warns', 'informs', 'waits')
const anyTrouble = fc
  .tuple(fc.constantFrom(...causeCodes), severity, fc.constantFrom('one', 'two'), fc.option(fc.nat({ max: 9 })))
  .map(([code, level, advice, until]) => some(code, { severity: level, advice, until }))

test('any troubles in any order are ranked the same way', () => {
  const shuffled = fc
    .array(anyTrouble, { maxLength: 12 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      const result = ranked(list)
      expect(ranked(other)).toEqual(result)
      expect(ranked(result)).toEqual(result)
    }),
    { numRuns: 500 },
  )
})

test('at least one trouble always remains, and none is invented', () => {
  fc.assert(
    fc.property(fc.array(anyTrouble, { minLength: 1, maxLength: 12 }), (list) => {
      const result = ranked(list)
      expect(result.length).toBeGreaterThan(0)
      for (const one of result) expect(list).toContainEqual(one)
    }),
  )
})

test('waiting is never first while something blocks the owner, and a change is never first while only time is needed', () => {
  fc.assert(
    fc.property(fc.array(anyTrouble, { minLength: 1, maxLength: 12 }), (list) => {
      const [root] = ranked(list)
      if (list.some((one) => one.severity === 'blocks')) expect(root?.severity).toBe('blocks')
      else if (list.some((one) => one.severity === 'waits')) expect(root?.severity).toBe('waits')
    }),
  )
})
