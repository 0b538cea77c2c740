// Tests of what proves a name and what does not, beyond one case per cause.

import { expect, test } from 'vitest'
import {
  NOW,
  aliased,
  elsewhere,
  probeOf,
  proof,
  right,
  silent,
  token,
  worldOf,
  www,
} from '../../../../testbed/evidence/advice-cases.ts'
import { answer, evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import { at, atApex, codesOf, judged } from '../../../../testbed/evidence/judged.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judgement.ts'

const ownToken = `_petstore.${www} TXT ${token}`

test('the CNAME from our advice proves a subdomain', () => {
  expect(judged(at(right))).toMatchObject({ ownership: 'proven', proof: 'cname', troubles: [] })
})

test('an apex needs the token, which is requested after the missing record', () => {
  expect(judged(atApex(...aliased, proof))).toMatchObject({ ownership: 'proven', proof: 'txt', troubles: [] })
  expect(codesOf(judged(atApex()))).toEqual(['dns.no_record', 'own.txt_missing'])
})

test('an address of ours proves nothing', () => {
  expect(judged(atApex(...aliased))).toMatchObject({ ownership: 'unproven', proof: null })
  expect(judged(at(`${www} A 192.0.2.10`))).toMatchObject({ ownership: 'unproven', proof: null })
})

test.each([
  ['held by another project', { isHeldByOther: true }, 'contested'],
  ['under a name that another project holds', { isGuardedByOther: true }, 'unproven'],
  ['pointing here since before the project', { isCnameOlder: true }, 'unproven'],
] as const)('a name %s is proven by the token alone', (_, known, state) => {
  expect(judged(at(right), { known })).toMatchObject({ ownership: state, proof: null })
  expect(judged(at(right, ownToken), { known })).toMatchObject({ ownership: 'proven', proof: 'txt' })
})

test('a project that has proven the name keeps it although the CNAME is older than the project', () => {
  const known = { isCnameOlder: true, isProven: true }
  expect(judged(at(right), { known })).toMatchObject({ ownership: 'proven', proof: 'cname', troubles: [] })
})

test('a token counts only if every nameserver that answered has it', () => {
  const others = { servers: { 'ns2.dns.example': aliased } }
  expect(judged({ ...atApex(...aliased, proof), ...others }).ownership).toBe('unproven')
})

test('a silent nameserver is made up for only by a validating resolver that confirms', () => {
  const given = { ...atApex(...aliased, proof), servers: { 'ns2.dns.example': silent } }
  expect(judged(given).ownership).toBe('unproven')
  expect(judged({ ...given, checked: [...aliased, proof] }).ownership).toBe('proven')
  expect(judged({ ...given, unchecked: [...aliased, proof] }).ownership).toBe('unproven')
  expect(judged({ ...given, checked: silent }).ownership).toBe('unproven')
})

test.each([
  ['contradicts', [...aliased]],
  ['finds the signatures broken', answer({ rcode: 'SERVFAIL' })],
])('a validating resolver that %s prevents the proof', (_, checked) => {
  expect(judged({ ...atApex(...aliased, proof), checked }).ownership).toBe('unproven')
})

test('resolvers alone prove nothing', () => {
  const servers = { 'ns1.dns.example': silent, 'ns2.dns.example': silent }
  expect(judged({ ...at(right), servers, checked: [right, ownToken] })).toMatchObject({
    ownership: 'unknown',
    proof: null,
  })
})

test('one of several TXT records must be ours', () => {
  const other = '_petstore.shop.example TXT something else'
  expect(judged(atApex(...aliased, other, proof))).toMatchObject({ ownership: 'proven', troubles: [] })
})

test('a token in capitals, or with characters added or missing, is rejected', () => {
  for (const text of [token.toUpperCase(), `${token}x`, `x${token}`, token.slice(0, -1)]) {
    const judgement = judged(atApex(...aliased, `_petstore.shop.example TXT ${text}`))
    expect(judgement.ownership).toBe('unproven')
    expect(codesOf(judgement)).toEqual(['own.txt_mismatch'])
  }
})

test('the TXT record may be deleted after it was observed, while the name points here', () => {
  const known = { isProven: true, wasTokenSeen: true }
  expect(judged(atApex(...aliased), { known })).toMatchObject({ ownership: 'proven', proof: 'txt', troubles: [] })
  const moved = judged(atApex(`shop.example A ${elsewhere}`), { known })
  expect(moved.ownership).toBe('unproven')
  expect(codesOf(moved)).toContain('own.lost')
})

test('the token proves a name even if it points elsewhere', () => {
  const known = { isProven: true, wasTokenSeen: true }
  const judgement = judged(atApex(`shop.example A ${elsewhere}`, proof), { known })
  expect(judgement).toMatchObject({ ownership: 'proven', routing: 'conflict' })
  expect(codesOf(judgement)).not.toContain('own.lost')
})

test('a record that conflicts with the CNAME does not take a proven name from its project', () => {
  const judgement = judged(at(right, `${www} A ${elsewhere}`), { known: { isProven: true } })
  expect(judgement).toMatchObject({ ownership: 'proven', routing: 'conflict' })
})

test('a check without a project requests no token', () => {
  const judgement = judged(atApex(...aliased), { wanted: { token: null } })
  expect(judgement.troubles).toEqual([])
  expect(judgement.records.map(({ type }) => type)).toEqual(['ALIAS'])
})

test('nameservers without delegation neither prove nor disprove', () => {
  const undelegated = 'ns1.former.example'
  const servers = { 'ns1.dns.example': silent, 'ns2.dns.example': silent, [undelegated]: [...aliased, proof] }
  expect(judged({ ...atApex(...aliased, proof), servers, checked: [...aliased, proof] }).ownership).not.toBe('proven')
  expect(judged({ ...atApex(...aliased, proof), servers: { [undelegated]: [] } }).ownership).toBe('proven')
})

test('a token that only some nameservers have is propagating, and owners are not advised to add it', () => {
  const judgement = judged({ ...atApex(...aliased, proof), servers: { 'ns2.dns.example': aliased } })
  expect(codesOf(judgement).filter((code) => code.startsWith('own.'))).toEqual([])
  expect(judgement.records[1]).toMatchObject({ type: 'TXT', action: 'wait' })
})

test('a CNAME at an apex proves nothing, not even to the project that held the name', () => {
  const known = { isProven: true, wasTokenSeen: true }
  expect(judged(atApex('shop.example CNAME happy-paws.petstore.example'), { known }).proof).toBeNull()
})

test('a proven name that moves behind a proxy without a token is not reported as lost', () => {
  const given = { ...at(`${www} A ${elsewhere}`), probes: [probeOf(elsewhere, { kind: 'ours' })] }
  const judgement = judged(given, { known: { isProven: true } })
  expect(judgement).toMatchObject({ ownership: 'unknown', routing: 'pointing', how: 'proxied', troubles: [] })
})

const withResolvers = (...resolvers: readonly (readonly string[] | typeof silent)[]): Judgement => {
  const { wanted, known, evidence } = worldOf({ code: 'own.txt_missing', given: at(right) })
  const looks = resolvers.flatMap((source, index) =>
    evidenceOf({ hostname: www, records: [], checked: source })
      .looks.filter(({ to }) => to === 'checked')
      .map((look) => ({ ...look, server: `resolver ${index + 1}` })),
  )
  return judge({ wanted, known, evidence: { ...evidence, looks: [...evidence.looks, ...looks] } }, NOW)
}

test('two validating resolvers confirm a proof, and a third may be silent', () => {
  expect(withResolvers([right], [right])).toMatchObject({ ownership: 'proven', troubles: [] })
  expect(withResolvers([right], [right], silent)).toMatchObject({ ownership: 'proven', troubles: [] })
})

test('one poisoned resolver prevents the proof', () => {
  expect(withResolvers([right], [`${www} CNAME other.example`]).ownership).not.toBe('proven')
  expect(withResolvers([right], [right], []).ownership).not.toBe('proven')
})

test('nothing is proven if too few resolvers answer, and that is reported as a problem on our side', () => {
  const alone = withResolvers([right], silent)
  expect(alone.ownership).toBe('unproven')
  expect(codesOf(alone)).toEqual(['platform.internal'])
  expect(codesOf(withResolvers(silent, silent))).toEqual(['platform.internal'])
})
