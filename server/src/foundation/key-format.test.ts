import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf, displayOf, isKey, type KeyKind, makeKey } from './key-format.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const VECTORS: [string, KeyKind][] = [
  ['pets_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2q5cvK', 'test'],
  ['pets_live_0123456789ABCDEFGHIJKLMNOPQRSTUV0nACet', 'live'],
  ['pets_test_000000000000000000000000000000010J5rQl', 'test'],
]

describe('a key', () => {
  test.each(VECTORS)('%s, as published, is a key of %s', (key, kind) => {
    expect(isKey(key, kind)).toBe(true)
  })

  test.each(VECTORS)('%s is generated from the random bytes of its characters', (key, kind) => {
    const bytes = Uint8Array.from(Array.from(key.slice(10, 42), (char) => ALPHABET.indexOf(char)))
    expect(makeKey(kind, () => bytes)).toBe(key)
  })

  test.each(VECTORS)('%s is rejected by the other installation', (key, kind) => {
    expect(isKey(key, kind === 'live' ? 'test' : 'live')).toBe(false)
  })

  test.each(VECTORS)('%s is rejected with any single character changed, removed or added', (key, kind) => {
    const mutants = new Set<string>()
    for (let at = 0; at <= key.length; at++) {
      const [before, rest, after] = [key.slice(0, at), key.slice(at), key.slice(at + 1)]
      mutants.add(before + after)
      for (const char of `${ALPHABET}_-. \n\0é`) mutants.add(before + char + after).add(before + char + rest)
    }
    mutants.delete(key)
    expect([...mutants].filter((mutant) => isKey(mutant, kind))).toEqual([])
  })

  test('no text that was not generated as a key is accepted as one', () => {
    fc.assert(fc.property(fc.string(), (text) => !isKey(text, 'live') && !isKey(text, 'test')))
    expect(isKey('', 'live')).toBe(false)
    expect(isKey(`pets_live_${'0'.repeat(100_000)}`, 'live')).toBe(false)
  })

  test('a text of another length is rejected even if its checksum is right', () => {
    const sealed = (text: string) => {
      let rest = crc32(text)
      let digits = ''
      while (digits.length < 6) {
        digits = ALPHABET.charAt(rest % 62) + digits
        rest = Math.floor(rest / 62)
      }
      return text + digits
    }
    const passes = [31, 32, 33, 64].map((length) => isKey(sealed(`pets_live_${'x'.repeat(length)}`), 'live'))
    expect(passes).toEqual([false, true, false, false])
  })

  test('a new key has the published form and passes its own check', () => {
    for (const kind of ['live', 'test'] as const) {
      const key = makeKey(kind, randomBytes)
      expect(key).toMatch(/\bpets_(live|test)_[0-9A-Za-z]{38}\b/)
      expect(key).toHaveLength(48)
      expect(isKey(key, kind)).toBe(true)
    }
  })
})

describe('the random part', () => {
  test('maps exactly four byte values to every character, and draws the remaining eight again', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      // The byte under test comes once and first; only z follows it.
      let isFirst = true
      const key = makeKey('live', (count) => {
        const bytes = new Uint8Array(count).fill(61)
        if (isFirst) bytes[0] = byte
        isFirst = false
        return bytes
      })
      const char = key.charAt(10)
      counts.set(char, (counts.get(char) ?? 0) + 1)
    }
    // Where the byte was skipped, the z after it appears.
    expect(counts.get('z')).toBe(4 + 8)
    counts.delete('z')
    expect(counts.size).toBe(61)
    expect(new Set(counts.values())).toEqual(new Set([4]))
  })

  test('draws only as many bytes as characters are missing', () => {
    const requested: number[] = []
    makeKey('test', (count) => {
      requested.push(count)
      return new Uint8Array(count).map((_, at) => (requested.length === 1 && at < 3 ? 248 : 0))
    })
    expect(requested).toEqual([32, 3])
  })
})

test('the digest is the SHA-256 of the key as 32 bytes', () => {
  const [key] = VECTORS[0] as [string, KeyKind]
  expect(digestOf(key)).toEqual(createHash('sha256').update(key).digest())
  expect(digestOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a list shows the first 14 and the last 4 characters of a key', () => {
  expect(displayOf('pets_live_0123456789ABCDEFGHIJKLMNOPQRSTUV0nACet')).toEqual({
    prefix: 'pets_live_0123',
    lastFour: 'ACet',
  })
})
