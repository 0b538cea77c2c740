import { expect, test } from 'vitest'
import { changedBy, printingOf, wordsOfChange } from './bulk-change.ts'
import { unwritten, type Animal } from './rows.ts'

const site = 'https://willow.petstore.example'
const animal = (id: bigint, isHidden = false): Animal => ({
  id,
  name: `A${id}`,
  categoryId: 1n,
  status: 'available',
  createdAt: '2026-11-14T22:00:00Z',
  ...unwritten,
  profile: { ...unwritten.profile, isHidden },
})
const many = (count: number) => Array.from({ length: count }, (_, index) => animal(BigInt(index + 1)))

test('a change is made of an animal, and of nothing else of it', () => {
  const before = animal(1n)
  expect(changedBy({ status: 'sold' }, before)).toEqual({ ...before, status: 'sold' })
  expect(changedBy({ categoryId: 2n }, before)).toEqual({ ...before, categoryId: 2n })
  expect(changedBy({ isHidden: true }, before)).toEqual(animal(1n, true))
})

test('each change has words of its own', () => {
  const changes = [
    { status: 'sold' },
    { status: 'pending' },
    { isHidden: true },
    { isHidden: false },
    undefined,
  ] as const
  const titles = changes.map((change) => wordsOfChange(change, { kind: 'shelter' }).title(2))
  expect(new Set(titles).size).toBe(changes.length)
  expect(wordsOfChange({ categoryId: 2n }, { kind: 'shop', category: 'Cats' }).done(2)).toContain('Cats')
})

test('what is on the site is printed, in the order of the list', () => {
  const animals = [animal(3n), animal(1n, true), animal(2n)]
  expect(printingOf(site, animals)).toEqual({ href: `${site}/print?animals=3,2`, count: 2 })
  expect(printingOf(site, many(30))).toMatchObject({ count: 30 })
})

test.each([
  ['the site is not published', undefined, many(1), 'publish'],
  ['all are hidden', site, [animal(1n, true)], 'hidden'],
  ['there are too many', site, many(31), '30'],
])('nothing is printed if %s, and the reason is named', (_, siteUrl, animals, word) => {
  const printing = printingOf(siteUrl, animals)
  expect('reason' in printing && printing.reason.toLowerCase()).toContain(word)
})
