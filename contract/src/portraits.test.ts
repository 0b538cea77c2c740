import { expect, test } from 'vitest'
import { choiceOf, kindOf, portraitOf } from './portraits.ts'

test.each([
  ['Dogs', 'dog'],
  ['HUNDE', 'dog'],
  ['Hündinnen', 'dog'],
  ['Jagdhunde', 'dog'],
  ['Perros grandes', 'dog'],
  ['Chiots', 'dog'],
  ['Our cats', 'cat'],
  ['Kätzchen', 'cat'],
  ['Chats', 'cat'],
  ['Kaninchen & Hasen', 'rabbit'],
  ['Vögel', 'bird'],
  ['Pájaros', 'bird'],
  ['Oiseaux', 'bird'],
  ['Hühner', 'hen'],
  ['Tortoises', 'tortoise'],
  ['Schildkröten', 'tortoise'],
  ['Reptiles', 'tortoise'],
  ['Guinea pigs', 'rodent'],
  ['Cochons d’Inde', 'rodent'],
  ['Small animals', 'rodent'],
  ['Fische', 'fish'],
  ['Hundewelpen', 'dog'],
  ['Small dogs (up to 10 kg)', 'dog'],
  ["Cats – don't miss them", 'cat'],
  ['Zwergkaninchen', 'rabbit'],
  ['Meerschweinchen', 'rodent'],
  ['Conejillos de Indias', 'rodent'],
  ['Papageien', 'parrot'],
  ['Wellensittiche', 'budgie'],
  ['Wasserschildkröten', 'tortoise'],
] as const)('the kind of “%s” is %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind)
})

test.each([
  undefined,
  '',
  'Cats and dogs',
  'Education',
  'Catering',
  'Doge',
  '犬',
  'Horses',
  'Kitchens',
  'Cattle',
  '🦄',
  'constructor',
  '__proto__',
])('%s has no kind, and a paw as its portrait', (name) => {
  expect(kindOf(name)).toBeUndefined()
  expect(portraitOf(name, 7n)).toBe('paw-1')
})

test('An animal keeps its portrait, and the animals of a kind have all of its portraits', () => {
  expect(portraitOf('Dogs', 12n)).toBe(portraitOf('Hunde', 12n))
  const ids = Array.from({ length: 60 }, (_, at) => BigInt(at))
  const dogs = (some: readonly bigint[]) => new Set(some.map((id) => portraitOf('Dogs', id)))
  expect(dogs(ids)).toEqual(new Set(['dog-1', 'dog-2', 'dog-3', 'dog-4']))
  expect(dogs(ids.filter((id) => id % 2n === 0n)).size).toBe(4)
})

test('Any identifier is a choice', () => {
  for (const id of [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) expect([0, 1, 2, 3, 4]).toContain(choiceOf(id, 5))
})
