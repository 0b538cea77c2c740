import { FOCAL_CELLS } from '@petstore-platform/contract/platform/photos'
import { expect, test } from 'vitest'
import { cellAfter, focalCells, isSameCell } from './focal.ts'

test('the grid has the cells of the contract, each once', () => {
  expect(focalCells).toHaveLength(FOCAL_CELLS ** 2)
  expect(new Set(focalCells.map(({ x, y }) => `${x} ${y}`)).size).toBe(FOCAL_CELLS ** 2)
  expect(focalCells.at(-1)).toEqual({ x: FOCAL_CELLS - 1, y: FOCAL_CELLS - 1 })
})

test('arrow keys move to the cell beside, and not out of the grid', () => {
  expect(cellAfter('ArrowUp', { x: 2, y: 2 })).toEqual({ x: 2, y: 1 })
  expect(cellAfter('ArrowRight', { x: 2, y: 2 })).toEqual({ x: 3, y: 2 })
  expect(cellAfter('ArrowLeft', { x: 0, y: 4 })).toEqual({ x: 0, y: 4 })
  expect(cellAfter('ArrowDown', { x: 0, y: 4 })).toEqual({ x: 0, y: 4 })
  expect(cellAfter('Tab', { x: 0, y: 4 })).toBeUndefined()
})

test('cells are compared by column and row', () => {
  expect(isSameCell({ x: 1, y: 2 }, { x: 1, y: 2 })).toBe(true)
  expect(isSameCell({ x: 1, y: 2 }, { x: 2, y: 1 })).toBe(false)
})
