// Seals of private keys: a seal opens for exactly the purpose that it was made for, and nowhere
// else.

import { createPrivateKey, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Secret } from '../foundation/secret.ts'
import { newKeyPem, openKeys, sealIdOf, type SealedFor } from './key-encryption.io.ts'

const ringKey = (id: string) => ({ id, key: new Secret(randomBytes(32).toString('base64')) })
const first = ringKey('2026-a')
const second = ringKey('2027-b')
const keys = openKeys([first])
const what: SealedFor = { hostname: 'shop.example', generation: 3n, purpose: 'certificate' }
const keyPem = newKeyPem()
const sealed = keys.seal(keyPem, what)

test('a new key is ECDSA on P-256, and different each time', () => {
  expect(createPrivateKey(keyPem).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  expect(newKeyPem()).not.toBe(keyPem)
})

test('a seal opens for its purpose, reveals nothing, and is never the same twice', () => {
  expect(keys.open(sealed, what)).toBe(keyPem)
  expect(sealed.toString('latin1')).not.toContain('PRIVATE KEY')
  expect(keys.seal(keyPem, what).equals(sealed)).toBe(false)
  expect(sealIdOf(sealed)).toBe('2026-a')
})

test('a seal with any flipped bit is refused', () => {
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const broken = Buffer.from(sealed)
    broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(keys.open(broken, what)).toBeNull()
  }
})

test('a truncated or extended seal is refused', () => {
  for (let length = 0; length < sealed.length; length++) expect(keys.open(sealed.subarray(0, length), what)).toBeNull()
  expect(keys.open(Buffer.concat([sealed, Buffer.from([0])]), what)).toBeNull()
})

describe('a seal is refused', () => {
  test.each<[string, Partial<SealedFor>]>([
    ['in the row of another hostname', { hostname: 'other.example' }],
    ['in an older generation', { generation: 2n }],
    ['in a newer generation', { generation: 4n }],
    ['for another purpose', { purpose: 'account' }],
    ['with the parts shifted', { hostname: '3\nshop.example' }],
  ])('%s', (_, changes) => {
    expect(keys.open(sealed, { ...what, ...changes })).toBeNull()
    expect(keys.reseal(sealed, { ...what, ...changes })).toBeNull()
  })

  test('with the data key of another seal', () => {
    const other = keys.seal(newKeyPem(), what)
    const head = 2 + '2026-a'.length + 60
    expect(keys.open(Buffer.concat([other.subarray(0, head), sealed.subarray(head)]), what)).toBeNull()
  })

  test('by a ring that lacks its key, or has another key under the same id', () => {
    expect(openKeys([second]).open(sealed, what)).toBeNull()
    expect(openKeys([{ ...second, id: first.id }]).open(sealed, what)).toBeNull()
  })
})

test('a ring with a new first key opens old seals, and re-encrypts them with the new key', () => {
  const both = openKeys([second, first])
  expect(both.open(sealed, what)).toBe(keyPem)
  const anew = both.reseal(sealed, what) ?? Buffer.alloc(0)
  expect(sealIdOf(anew)).toBe('2027-b')
  expect(openKeys([second]).open(anew, what)).toBe(keyPem)
  expect(keys.open(anew, what)).toBeNull()
  const moved = both.reseal(sealed, what, { ...what, generation: 9n }) ?? Buffer.alloc(0)
  expect(both.open(moved, what)).toBeNull()
  expect(both.open(moved, { ...what, generation: 9n })).toBe(keyPem)
})

test.each([
  ['without a key', []],
  ['with a key that is too short', [{ id: 'a', key: new Secret('c2hvcnQ=') }]],
  ['with an id that is too long', [{ ...first, id: 'x'.repeat(33) }]],
  ['with two keys of one id', [first, { ...second, id: first.id }]],
])('a ring %s is refused, and the error shows no key', (_, ring) => {
  expect(() => openKeys(ring)).toThrow(/key-encryption key/)
  for (const { key } of ring) expect(() => openKeys(ring)).not.toThrow(key.reveal())
})
