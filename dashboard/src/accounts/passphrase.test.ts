import { expect, test } from 'vitest'
import { newPassphrase, passphraseOf } from './passphrase.ts'

test('a passphrase is five groups of four letters', () => {
  expect(newPassphrase()).toMatch(/^([bdfghjklmnprstvz][aeiou]){2}(-([bdfghjklmnprstvz][aeiou]){2}){4}$/)
})

test('a passphrase uses every consonant and every vowel, and no two are the same', () => {
  const made = Array.from({ length: 200 }, newPassphrase)
  expect(new Set(made).size).toBe(200)
  expect(new Set(made.join('').replaceAll('-', '')).size).toBe(21)
})

test('passphrases without randomness are the same (negative control)', () => {
  expect(passphraseOf(() => 0)).toBe('baba-baba-baba-baba-baba')
  expect(passphraseOf(() => 0)).toBe(passphraseOf(() => 0))
})
