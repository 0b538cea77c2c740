// The validity of slugs, decided without a lookup.

import { expect, test } from 'vitest'
import { slugFault, slugSentence } from './slugs.ts'

test.each(['x', 'happy-paws', '4-paws', 'a1', '1a', 'a--b', 'wwww', 'my-api', 'status-2', 'y'.repeat(63)])(
  "'%s' is a slug",
  (slug) => {
    expect(slugFault(slug)).toBeUndefined()
  },
)

test.each([
  ['nothing', ''],
  ['a hyphen in front', '-a'],
  ['a hyphen at the end', 'a-'],
  ['an underscore', 'a_b'],
  ['a dot', 'a.b'],
  ['a space', 'a b'],
  ['an upper-case letter', 'Paws'],
  ['a letter that is not of ASCII', 'käthe'],
  ['a line break at the end', 'a\n'],
  ['a line break in front', '\na'],
  ['digits alone, which could be an id', '2026'],
  ['64 characters', 'a'.repeat(64)],
])('%s is not a slug', (_, slug) => {
  expect(slugFault(slug)).toBe('invalid')
})

const promised = ['www', 'api', 'app', 'admin', 'mail', 'ns1', 'status', 'docs', 'platform', 'dashboard', 'edge']
const alsoPromised = ['cdn', 'static', 'assets', 'login', 'account', 'petstore', 'postmaster', 'wpad']

test.each([...promised, ...alsoPromised, 'xn--80ak6aa92e', 'xn--a'])("'%s' is reserved", (slug) => {
  expect(slugFault(slug)).toBe('reserved')
})

test('each reason has a sentence of its own', () => {
  const sentences = (['taken', 'reserved', 'invalid'] as const).map((reason) => slugSentence('www', reason))
  expect(new Set(sentences).size).toBe(3)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
