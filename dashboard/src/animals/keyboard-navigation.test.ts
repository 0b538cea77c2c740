import { expect, test } from 'vitest'
import { movedTo } from './keyboard-navigation.ts'

test.each([
  ['ArrowDown', 5, 6],
  ['ArrowDown', 99, 99],
  ['ArrowUp', 0, 0],
  ['PageDown', 5, 14],
  ['PageDown', 95, 99],
  ['PageUp', 20, 11],
  ['PageUp', 3, 0],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['x', 5, undefined],
  ['constructor', 5, undefined],
])('%s in row %i of a hundred leads to %s', (key, active, target) => {
  expect(movedTo(key, { active, count: 100, inSight: 10 })).toBe(target)
})

test('no key leads anywhere in a table without rows, and a page is at least one row', () => {
  expect(movedTo('End', { active: -1, count: 0, inSight: 10 })).toBeUndefined()
  expect(movedTo('PageDown', { active: 0, count: 9, inSight: 0 })).toBe(1)
})
