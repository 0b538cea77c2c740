import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf, distance, isMisspelt } from './spelling.ts'

const wanted = 'happy-paws.petstore.example'

test.each([
  ['hapy-paws.petstore.example', '`hapy-paws` must be `happy-paws`'],
  ['happy-pwas.petstore.example', '`happy-pwas` must be `happy-paws`'],
  ['happy-paws.petstroe.exampel', '`petstroe.exampel` must be `petstore.example`'],
  ['happy-paws.example', '`petstore` is missing'],
  ['www.happy-paws.petstore.example', '`www` must be removed'],
  ['happy-paws.petstore.example.com', '`com` must be removed'],
  ['https://happy-paws.petstore.example', '`https://happy-paws` must be `happy-paws`'],
])('%s is a misspelling of our value, and the difference is described', (found, words) => {
  expect(isMisspelt(found, wanted)).toBe(true)
  expect(differenceOf(found, wanted)).toBe(words)
})

test.each([wanted, 'happy-birds.petstore.example', 'shops.elsewhere.example', 'example', ''])(
  '%s is not a misspelling of our value',
  (found) => {
    expect(isMisspelt(found, wanted)).toBe(false)
  },
)

test('the distance counts added, omitted, changed and swapped characters', () => {
  expect(distance('paws', 'paws', 2)).toBe(0)
  expect(distance('paws', 'pwas', 2)).toBe(1)
  expect(distance('paws', 'paw', 2)).toBe(1)
  expect(distance('paws', 'cats', 2)).toBe(2)
  expect(distance('paws', 'birds', 2)).toBe(3)
})

test('the distance is symmetric, and never more than one above the limit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (left, right) => {
      const far = distance(left, right, 2)
      expect(far).toBe(distance(right, left, 2))
      expect(far).toBeLessThanOrEqual(3)
      expect(far === 0).toBe(left === right)
    }),
  )
})
