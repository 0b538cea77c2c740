import { expect, test } from 'vitest'
import { movedTo } from './keyboard-navigation.ts'

test.each([
  ['ArrowDown', 5, 6],
  ['ArrowDown', 99, 99],
  ['ArrowUp', 0, 0],
  ['ArrowRight', 5, undefined],
  ['PageDown', 5, 14],
  ['PageDown', 95, 99],
  ['PageUp', 20, 11],
  ['PageUp', 3, 0],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['x', 5, undefined],
  ['constructor', 5, undefined],
])('%s in row %i of a hundred leads to %s', (key, active, target) => {
  expect(movedTo(key, { active, count: 100, columns: 1, inSight: 10 })).toBe(target)
})

test.each([
  ['ArrowDown', 5, 9],
  ['ArrowDown', 7, 9],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 5, 1],
  ['ArrowUp', 2, 2],
  ['ArrowRight', 3, 4],
  ['ArrowRight', 9, 9],
  ['ArrowLeft', 4, 3],
  ['ArrowLeft', 0, 0],
  ['PageDown', 1, 9],
  ['PageUp', 9, 1],
  ['End', 0, 9],
])('%s at card %i of ten, four in a line, leads to %i', (key, active, target) => {
  expect(movedTo(key, { active, count: 10, columns: 4, inSight: 3 })).toBe(target)
})

test('no key leads anywhere in a table without rows, and a page is at least one row', () => {
  expect(movedTo('End', { active: -1, count: 0, columns: 1, inSight: 10 })).toBeUndefined()
  expect(movedTo('PageDown', { active: 0, count: 9, columns: 1, inSight: 0 })).toBe(1)
})
