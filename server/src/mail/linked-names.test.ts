import { expect, test } from 'vitest'
import { looksLikeAddress, unlinked } from './linked-names.ts'

test.each([
  'Happy Paws',
  "St. Mary's Cats",
  'Dr. Oetker',
  'Mr.Whiskers',
  'Tails & Co.',
  'J. R. Müller',
  'J.R. Müller',
  'No.1 Cats',
  'Cats… and dogs',
  'Cats...Dogs',
  'Paws 24/7',
  'Hund & Katz e.V.',
  'Ménagerie du 5.arrondissement',
  'Version 2.0',
  'محل الحيوانات',
  '猫の家。犬の家',
  'Rex: the store',
  'Awww.What a cat',
])('is a name: %s', (name) => {
  expect(looksLikeAddress(name)).toBe(false)
})

const addresses = [
  'petstore-login.com',
  'Your account is blocked, see petstore-login.com/unlock now',
  'PETSTORE.EXAMPLE.COM',
  'bit.ly/3xYz',
  'https://evil',
  'HTTP:evil',
  'mailto:mia',
  'www.happy-paws',
  'help@petstore',
  'help＠petstore',
  '@petstore',
  'petstore。com',
  'petstore．com',
  'petstore｡com',
  'petstore․com',
  'petstore﹒com',
  'petstore\u200B.\u2060com',
  'petstore.\u00ADcom',
  'ｐｅｔｓｔｏｒｅ．ｃｏｍ',
  'пример.рф',
  '例.中国',
  'xn--e1afmkfd.xn--p1ai',
  'petstore.com.Verify',
  'см.petstore.com',
  'See 192.0.2.1 now',
  'Mia\u202Emoc.erotstep.com',
]

test.each(addresses)('looks like an address: %s', (name) => {
  expect(looksLikeAddress(name)).toBe(true)
})

test.each(addresses)('nothing is left to make a link of: %s', (text) => {
  const words = unlinked(`Look: ${text}`).split(' ')
  expect(words.filter((word) => looksLikeAddress(word) && word.normalize('NFKC') !== '@')).toEqual([])
  expect(words.join('').normalize('NFKC')).toContain(text.replaceAll(/[\s\p{Cf}]/gu, '').normalize('NFKC'))
})

test('a text without an address stays as it is', () => {
  expect(unlinked('Yes (two dogs), see above. St. Gallen!')).toBe('Yes (two dogs), see above. St. Gallen!')
})
