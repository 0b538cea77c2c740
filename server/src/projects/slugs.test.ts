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

const lookAlikes =
  `petstore-support pet-store my-petstore petstore-official-help petst0re adm1n a-p-i rnail petstore-login
   logln log-in sign-in-here happy-paws-login2 verify-account verificar-cuenta passw0rd-reset paypal paypa1
   pay-pal paypai-help my-faceb00k g00gle rnicrosoft netfllx`.split(/\s+/)

test.each(lookAlikes)("'%s' is reserved: it looks like a page of the platform or of a company", (slug) => {
  expect(slugFault(slug)).toBe('reserved')
})

const names = `happy-petstore annas-petstore petstore-berlin pet-store-on-main-street the-blog-in-paris log-inn
   amazon-parrots apple-valley-pets ferret-support secure-paws bank-street-vets visage corner-cats
   help-a-hound adoption-center second-chance welpen-4-u chats-et-cie la-cuenta-de-patas turner-dogs`.split(/\s+/)

test.each(names)("'%s' is a name that a store may have", (slug) => {
  expect(slugFault(slug)).toBeUndefined()
})

test('what the operator adds is reserved wherever it stands, in any spelling that looks like it', () => {
  const all = (slugs: readonly string[]) => slugs.map((slug) => slugFault(slug, ['acme', 'rival-pets']))
  expect(all(['acme', 'acrne-pets', 'my-acme', 'rivalpets', 'r1val-pets-2', 'ac-me'])).toEqual(
    Array(6).fill('reserved'),
  )
  expect(all(['happy-paws', 'rival', 'pets'])).toEqual([undefined, undefined, undefined])
  expect(slugFault('my-acme')).toBeUndefined()
})

test('each reason has a sentence of its own', () => {
  const sentences = (['taken', 'reserved', 'invalid'] as const).map((reason) => slugSentence('www', reason))
  expect(new Set(sentences).size).toBe(3)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
