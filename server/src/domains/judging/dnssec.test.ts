// Tests of keys and signatures: the right fault is found, and none where there is none.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dnssecFault, type DnsKey, type Ds, type Signature } from './judge-dnssec.ts'

const now = 1_800_000_000_000
const name = 'happypaws.example'
const ds = (changes: Partial<Ds> = {}): Ds => ({
  name,
  ttl: 3600,
  type: 'DS',
  keyTag: 1,
  algorithm: 13,
  digestType: 2,
  digest: 'AB',
  ...changes,
})
const key = (changes: Partial<DnsKey> = {}): DnsKey => ({
  name,
  ttl: 3600,
  type: 'DNSKEY',
  keyTag: 1,
  algorithm: 13,
  flags: 257,
  sha256: 'ab',
  ...changes,
})
const signature = (covers: string, expiresAt: number): Signature => ({
  name,
  ttl: 3600,
  type: 'RRSIG',
  covers,
  keyTag: 1,
  signer: name,
  expiresAt,
})
const zone = { ds: [ds()], keys: [key()], signatures: [signature('A', now + 1)], now }
const stale = { kind: 'ds_stale', keyTags: [1] }

test('a DS that matches a key, with a valid signature, is not a fault', () => {
  expect(dnssecFault(zone)).toBeNull()
})

test.each([
  ['the zone has no keys at all', { keys: [] }],
  ['the tag is another', { keys: [key({ keyTag: 2 })] }],
  ['the algorithm is another', { keys: [key({ algorithm: 8 })] }],
  ['the digest is another', { keys: [key({ sha256: 'cd' })] }],
  ['the key is not one for zones', { keys: [key({ flags: 1 })] }],
])('a DS is stale where %s', (_, changes) => {
  expect(dnssecFault({ ...zone, ...changes })).toEqual(stale)
})

test.each([
  ['no DS', { ds: [], keys: [], signatures: [signature('A', now - 1)] }],
  ['no answer about the keys', { keys: null }],
  ['a second DS that fits', { ds: [ds({ keyTag: 9 }), ds()] }],
  ['a digest that we cannot compare', { ds: [ds({ digestType: 4, digest: 'zz' })] }],
  ['an algorithm that validators do not know', { ds: [ds({ algorithm: 200 })], keys: [] }],
  ['a digest type that validators do not know', { ds: [ds({ digestType: 99 })], keys: [] }],
])('%s is not a fault', (_, changes) => {
  expect(dnssecFault({ ...zone, ...changes })).toBeNull()
})

test('signatures have expired where a record set has no valid one left, and the earliest expiry is reported', () => {
  const signatures = [
    signature('A', now - 500),
    signature('A', now - 200),
    signature('TXT', now - 100),
    signature('MX', now + 1),
  ]
  expect(dnssecFault({ ...zone, signatures })).toEqual({ kind: 'expired', at: now - 200 })
  expect(dnssecFault({ ...zone, signatures: [signature('A', now - 500), signature('A', now)] })).toBeNull()
})

test('a stale DS is reported before expired signatures, which it makes irrelevant', () => {
  expect(dnssecFault({ ...zone, keys: [], signatures: [signature('A', now - 1)] })).toEqual(stale)
})

test('one matching DS is enough, however many do not match', () => {
  const other = fc
    .record({ keyTag: fc.nat(65_535), algorithm: fc.constantFrom(8, 13), digestType: fc.constantFrom(1, 2, 4) })
    .map(ds)
  fc.assert(fc.property(fc.array(other), (others) => dnssecFault({ ...zone, ds: [...others, ds()] }) === null))
})
