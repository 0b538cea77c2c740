import { expect, test } from 'vitest'
import { movedBy } from './grid-moves.ts'

const size = { rows: 30, columns: 4 }

test.for([
  ['ArrowDown', { row: 1, column: 2 }],
  ['ArrowLeft', { row: 0, column: 1 }],
  ['ArrowRight', { row: 0, column: 3 }],
  ['Home', { row: 0, column: 0 }],
  ['End', { row: 0, column: 3 }],
  ['PageDown', { row: 10, column: 2 }],
] as const)('%s moves', ([key, to]) => {
  expect(movedBy(key, { row: 0, column: 2 }, size)).toEqual(to)
})

test('the edges hold, and other keys move nothing', () => {
  expect(movedBy('ArrowUp', { row: 0, column: 0 }, size)).toEqual({ row: 0, column: 0 })
  expect(movedBy('PageDown', { row: 25, column: 3 }, size)).toEqual({ row: 29, column: 3 })
  expect(movedBy('ArrowRight', { row: 29, column: 3 }, size)).toEqual({ row: 29, column: 3 })
  expect(movedBy('ArrowDown', { row: 0, column: 0 }, { rows: 0, columns: 0 })).toEqual({ row: 0, column: 0 })
  expect(movedBy('Enter', { row: 0, column: 0 }, size)).toBeUndefined()
  expect(movedBy('toString', { row: 0, column: 0 }, size)).toBeUndefined()
})
