// Tests of where a name points, beyond one case per cause: servers that differ or are silent,
// proxies, apexes, and the rule that "almost right" is not right.

import { expect, test } from 'vitest'
import {
  NOW,
  aliased,
  apex,
  cloudflare,
  elsewhere,
  godaddy,
  namecheap,
  probeOf,
  proof,
  right,
  silent,
  target,
  token,
  worldOf,
  www,
} from '../../../../testbed/evidence/advice-cases.ts'
import { answer } from '../../../../testbed/evidence/evidence.ts'
import { at, codesOf, judged, type Given } from '../../../../testbed/evidence/judged.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judgement.ts'

const pointingCodes = (judgement: Judgement) => codesOf(judgement).filter((code) => /^(dns|own)\./.test(code))
const atApex = (...records: readonly string[]): Given => ({ hostname: apex, records: [...records, proof] })

test('rule 1: an existing A record blocks the CNAME, even if the CNAME exists next to it', () => {
  expect(judged(at(`${www} A ${elsewhere}`)).routing).toBe('conflict')
  const beside = judged(at(right, `${www} A 192.0.2.10`))
  expect(beside).toMatchObject({ routing: 'conflict', ownership: 'unproven' })
})

test('rule 1: a CNAME that differs from the advised value fails, even if visitors would reach us', () => {
  const indirect = judged(at(`${www} CNAME a.shop.example`, `a.shop.example CNAME ${target}`))
  expect(indirect).toMatchObject({ routing: 'wrong', ownership: 'unproven' })
  expect(judged(at(`${www} A 192.0.2.10`))).toMatchObject({ routing: 'conflict', ownership: 'unproven' })
})

test('a server that already has the change shows that the others are only late', () => {
  const given = { ...at(right), servers: { 'ns2.dns.example': [`${www} A ${elsewhere}`] } }
  const late = judged({ ...given, serials: { 'ns1.dns.example': 2, 'ns2.dns.example': 1 } })
  expect(late).toMatchObject({ routing: 'propagating', ownership: 'unproven' })
  expect(pointingCodes(late)).toEqual([])
  const missing = judged({ ...at(right), servers: { 'ns2.dns.example': [] } })
  expect(missing.routing).toBe('propagating')
  expect(pointingCodes(missing)).toEqual([])
})

test('servers with the same serial and different records are different zones, and the wrong one is reported', () => {
  const servers = { 'ns2.dns.example': [`${www} A ${elsewhere}`] }
  const given = { ...at(right), servers, serials: { 'ns1.dns.example': 7, 'ns2.dns.example': 7 } }
  expect(judged(given)).toMatchObject({ routing: 'conflict' })
  expect(pointingCodes(judged(given))).toEqual(['dns.conflict_a'])
})

test('a provider that gives every version of a zone the serial 1 is not trusted about its age', () => {
  const servers = { 'ns2.dns.example': [`${www} A ${elsewhere}`] }
  const given = { ...at(right), servers, serials: { 'ns1.dns.example': 1, 'ns2.dns.example': 1 } }
  expect(judged(given)).toMatchObject({ routing: 'propagating' })
  expect(pointingCodes(judged(given))).toEqual([])
})

test('one silent nameserver does not change what the other one answers', () => {
  const given = { servers: { 'ns2.dns.example': silent } }
  expect(judged({ ...at(right), ...given, checked: [right] })).toMatchObject({
    routing: 'pointing',
    ownership: 'proven',
  })
  expect(pointingCodes(judged({ ...at(), ...given }))).toEqual(['dns.no_record'])
})

test.each([
  ['silent', silent],
  ['failing', answer({ rcode: 'SERVFAIL' })],
  ['refusing', answer({ rcode: 'REFUSED' })],
  ['not authoritative', answer({ isAuthoritative: false })],
])('no record trouble is reported if all nameservers are %s', (_, outcome) => {
  const judgement = judged({ ...at(right), servers: { 'ns1.dns.example': outcome, 'ns2.dns.example': outcome } })
  expect(judgement.routing).toBe('unreachable')
  expect(pointingCodes(judgement)).toEqual([])
})

test('a server that answered only some types has not shown that there is no record', () => {
  const world = worldOf({ code: 'dns.no_record', given: at(`${apex} A ${elsewhere}`, `${www} TXT hello`) })
  const looks = world.evidence.looks.map((look) =>
    look.name === www && look.type === 'A' ? { ...look, outcome: silent } : look,
  )
  const judgement = judge({ ...world, evidence: { ...world.evidence, looks } }, NOW)
  expect(judgement.routing).toBe('unreachable')
  expect(pointingCodes(judgement)).toEqual([])
})

test('an apex points here if all of its addresses are ours, in any notation', () => {
  const given = atApex('shop.example A 192.0.2.10', 'shop.example AAAA 2001:0db8:0:0:0:0:0:10')
  expect(judged(given)).toMatchObject({ routing: 'pointing', how: 'address', ownership: 'proven', proof: 'txt' })
  expect(judged(atApex('shop.example AAAA 2001:db8::10')).routing).toBe('pointing')
})

test('a name whose traffic reaches us through a proxy points here', () => {
  const given = { ...at(`${www} A ${elsewhere}`, `_petstore.${www} TXT petstore-verify=3k7q2m9x4w8t6n1v5b0c`) }
  const judgement = judged({ ...given, probes: [probeOf(elsewhere, { kind: 'ours' })] })
  expect(judgement).toMatchObject({ routing: 'pointing', how: 'proxied', ownership: 'proven', proof: 'txt' })
  const dead = judged({ ...given, probes: [probeOf(elsewhere, { kind: 'silence', why: 'timeout' })] })
  expect(dead.routing).toBe('conflict')
  const halves = [probeOf(elsewhere, { kind: 'ours' }), probeOf(elsewhere, { kind: 'silence', why: 'timeout' })]
  expect(judged({ ...given, probes: halves }).routing).toBe('conflict')
})

test('a CNAME to another host fails even if that host forwards visitors to us', () => {
  const given = { ...at(`${www} CNAME d1.cdn.example`, `d1.cdn.example A ${elsewhere}`) }
  const judgement = judged({ ...given, probes: [probeOf(elsewhere, { kind: 'ours' })] })
  expect(judgement).toMatchObject({ routing: 'wrong', how: null, ownership: 'unproven' })
})

test('a former address of ours is only waited for if an alias may follow our name', () => {
  const wanted = { formerAddresses: ['192.0.2.99'] }
  const given = atApex('shop.example A 192.0.2.99')
  expect(judged({ ...given, delegated: namecheap }, { wanted })).toMatchObject({ routing: 'propagating' })
  expect(codesOf(judged({ ...given, delegated: godaddy }, { wanted }))).toEqual(['dns.conflict_a'])
})

test("advice for an apex never requests a CNAME, unless that is the provider's term", () => {
  for (const records of [
    [],
    [`shop.example A ${elsewhere}`],
    [`shop.example CNAME ${target}`],
    ['shop.example A 10.0.0.1'],
  ]) {
    for (const delegated of [godaddy, namecheap, ['ns1.dns.example', 'ns2.dns.example']]) {
      const { troubles } = judged({ ...atApex(...records), delegated })
      expect(troubles.map(({ advice }) => advice).join(' ')).not.toMatch(/(add|Type) (the )?CNAME/)
    }
  }
  const [root] = judged({ ...atApex(), delegated: cloudflare }).troubles
  expect(root?.advice).toContain('Type CNAME, Name @')
})

test('cached answers of resolvers delay a new name, and do not set back a live one', () => {
  const given = { ...at(right), checked: [`${www} A ${elsewhere}`] }
  expect(judged(given)).toMatchObject({ routing: 'propagating', ownership: 'unproven' })
  expect(judged(given, { known: { isProven: true, isLive: true } })).toMatchObject({
    routing: 'pointing',
    ownership: 'proven',
  })
  expect(judged({ ...atApex(...aliased), checked: [`shop.example A ${elsewhere}`] }).routing).toBe('propagating')
})

test('broken signatures stop a name that is otherwise right', () => {
  const judgement = judged({ ...at(right), checked: answer({ rcode: 'SERVFAIL' }), unchecked: [right] })
  expect(judgement).toMatchObject({ routing: 'unreachable', ownership: 'unproven' })
})

test('a record at nameservers without delegation is ignored', () => {
  const given = { ...at(), delegated: cloudflare, servers: { 'ns01.domaincontrol.com': [right] } }
  expect(judged(given)).toMatchObject({ routing: 'missing', ownership: 'unproven' })
})

test('an unpublished change is not suspected until the owner has requested another check', () => {
  const serials = { 'ns1.dns.example': 1, 'ns2.dns.example': 1 }
  const firstCheck = { at: NOW - 600_000, rememberedUntil: NOW, values: [], serials, delegated: [] }
  const codesAfter = (askedAgainAt: number | null, at_ = firstCheck) =>
    codesOf(judged(at(), { known: { firstCheck: at_, askedAgainAt } }))
  expect(codesAfter(NOW - 1000)).toContain('dns.record_disabled')
  expect(codesAfter(null)).not.toContain('dns.record_disabled')
  expect(codesAfter(NOW - 1000, { ...firstCheck, at: NOW - 60_000 })).not.toContain('dns.record_disabled')
  expect(codesAfter(NOW - 1000, { ...firstCheck, serials: { ...serials, 'ns1.dns.example': 9 } })).not.toContain(
    'dns.record_disabled',
  )
})

test('a wildcard record is detected even if its sibling was queried for fewer types', () => {
  const given = at(`*.shop.example A ${elsewhere}`, '*.shop.example AAAA 2001:db8:dead::1')
  const world = worldOf({ code: 'dns.no_record', given })
  const looks = world.evidence.looks.filter(
    ({ name, type }) => !(name.startsWith('petstore-wildcard-') && type === 'AAAA'),
  )
  expect(codesOf(judge({ ...world, evidence: { ...world.evidence, looks } }, NOW))).toEqual(['dns.no_record'])
})

test('no A record is reported behind the orange cloud, because the owner has none', () => {
  const given = { ...at(`${www} A 104.16.1.1`, `${www} AAAA 2606:4700::1`), delegated: cloudflare }
  expect(codesOf(judged(given))).toEqual(['proxy.cloudflare_blocks'])
  const outcome = { kind: 'other', status: 404, server: 'cloudflare', headers: {}, body: '' } as const
  const probed = judged({ ...given, probes: [probeOf('104.16.1.1', outcome)] })
  expect(probed.routing).toBe('conflict')
  expect(codesOf(probed)[0]).toMatch(/^proxy\./)
  expect(pointingCodes(probed)).toEqual([])
})

test('an address of Cloudflare in a zone of another provider is a record like any other', () => {
  expect(codesOf(judged(at(`${www} A 104.16.1.1`)))).toEqual(['dns.conflict_a'])
})

test('an address in a private network that responded to us is only a wrong address', () => {
  const outcome = { kind: 'other', status: 200, server: 'nginx', headers: {}, body: '' } as const
  const given = { ...at(`${www} A 127.0.80.9`), probes: [probeOf('127.0.80.9', outcome)] }
  expect(codesOf(judged(given))).toEqual(['dns.conflict_a', 'http.not_us'])
  const refused = probeOf('127.0.80.9', { kind: 'silence', why: 'not_allowed' })
  expect(codesOf(judged({ ...given, probes: [refused] }))).toEqual(['dns.reserved_ip'])
})

const refused = [probeOf(elsewhere, { kind: 'silence', why: 'refused' })]

test('an owner who put the token at a subdomain intends its address: the response there is the trouble', () => {
  const records = [`${www} A ${elsewhere}`, `_petstore.${www} TXT ${token}`]
  expect(codesOf(judged({ ...at(...records), probes: refused }))).toEqual(['http.refused'])
  const proven = { known: { isProven: true, wasTokenSeen: true } }
  expect(codesOf(judged({ ...at(`${www} A ${elsewhere}`), probes: refused }, proven))).toContain('http.refused')
})

test('an address is a conflict if no token shows that it is intended, or it could not be probed', () => {
  const records = [`${www} A ${elsewhere}`, `_petstore.${www} TXT ${token}`]
  const root = (judgement: Judgement) => codesOf(judgement)[0]
  expect(root(judged({ ...at(`${www} A ${elsewhere}`), probes: refused }))).toBe('dns.conflict_a')
  expect(root(judged(at(...records)))).toBe('dns.conflict_a')
  expect(root(judged({ ...atApex(`${apex} A ${elsewhere}`), probes: refused }))).toBe('dns.conflict_a')
  const held = { known: { isHeldByOther: true } }
  expect(codesOf(judged({ ...at(...records), probes: refused }, held))).toContain('dns.conflict_a')
})

test('a wildcard record at a parking provider is a parking page', () => {
  const given = { ...at(`*.${apex} A ${elsewhere}`), delegated: ['ns1.sedoparking.com', 'ns2.sedoparking.com'] }
  expect(codesOf(judged(given))).toEqual(['dns.parked'])
  expect(codesOf(judged(at(`*.${apex} A ${elsewhere}`)))).toEqual(['dns.no_record'])
})

test('a dot that belongs to the value cannot be mistaken for the end of the sentence', () => {
  const hetzner = { delegated: ['hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com'] }
  const [wrong] = judged({ ...at(`${www} CNAME other.example`), ...hetzner }).troubles
  expect(wrong?.advice).toBe(`${www} points to \`other.example\`. Change the value to \`${target}.\`.`)
})

test('several conflicting addresses must all be deleted', () => {
  const [two] = judged(at(`${www} A ${elsewhere}`, `${www} A 203.0.113.10`)).troubles
  expect(two?.advice).toContain('They block the CNAME: delete them all, then')
})
