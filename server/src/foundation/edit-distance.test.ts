import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test('the distance counts added, omitted, changed and swapped characters', () => {
  expect(editDistance('paws', 'paws', 2)).toBe(0)
  expect(editDistance('paws', 'pwas', 2)).toBe(1)
  expect(editDistance('paws', 'paw', 2)).toBe(1)
  expect(editDistance('paws', 'cats', 2)).toBe(2)
  expect(editDistance('paws', 'birds', 2)).toBe(3)
})

test('the distance is symmetric, and never more than one above the limit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (left, right) => {
      const far = editDistance(left, right, 2)
      expect(far).toBe(editDistance(right, left, 2))
      expect(far).toBeLessThanOrEqual(3)
      expect(far === 0).toBe(left === right)
    }),
  )
})
