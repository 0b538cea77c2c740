import { expect, test } from 'vitest'
import { looksLikeAddress } from './linked-names.ts'

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

test.each([
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
])('looks like an address: %s', (name) => {
  expect(looksLikeAddress(name)).toBe(true)
})
