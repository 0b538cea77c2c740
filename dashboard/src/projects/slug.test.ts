// The short name that is proposed.

import { expect, test } from 'vitest'
import { slugOf, typedSlug } from './slug.ts'

test.each([
  ['Happy Paws', 'happy-paws'],
  ['  Paws & Friends!  ', 'paws-friends'],
  ['Señor Whiskers', 'senor-whiskers'],
  ['Müllers Straße 12', 'mullers-strasse-12'],
  ["Mia's Shelter", 'mias-shelter'],
  ['42', 'shop-42'],
  ['xn--Paws', 'xn-paws'],
  ['猫の家', ''],
  ['', ''],
])("of '%s' is '%s'", (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('is never longer than a part of a hostname, and never ends in a hyphen', () => {
  expect(slugOf('a'.repeat(200))).toHaveLength(63)
  expect(slugOf(`${'a'.repeat(62)} b`)).toBe('a'.repeat(62))
})

test('What is typed is written small, and a space is a hyphen', () => {
  expect(typedSlug('Happy  Paws')).toBe('happy-paws')
})
