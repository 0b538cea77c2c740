import { describe, expect, test } from 'vitest'
import { asChosen, isSameOrder, movedTo, placeAfter, placeAt, reordered } from './photo-order.ts'

const ids = ['a', 'b', 'c', 'd']

describe('a photo', () => {
  test.each([
    ['c', 0, ['c', 'a', 'b', 'd']],
    ['a', 3, ['b', 'c', 'd', 'a']],
    ['b', 1, ids],
    ['a', 99, ['b', 'c', 'd', 'a']],
    ['d', -1, ['d', 'a', 'b', 'c']],
  ])('%s that is moved to place %i leaves the others in their order', (id, to, expected) => {
    expect(movedTo(ids, id, to)).toEqual(expected)
  })

  test.each([
    ['ArrowLeft', 2, 1],
    ['ArrowUp', 0, 0],
    ['ArrowRight', 2, 3],
    ['ArrowDown', 3, 3],
    ['Home', 2, 0],
    ['End', 0, 3],
    ['x', 2, undefined],
  ])('that is picked up goes by %s from place %i to %s', (key, place, expected) => {
    expect(placeAfter(key, place, 4)).toBe(expected)
  })

  test('is dropped at the place under the pointer, or at the nearest one', () => {
    // The cover takes four places of the grid.
    const boxes = [
      { left: 0, top: 0, right: 200, bottom: 200 },
      { left: 210, top: 0, right: 300, bottom: 90 },
      { left: 210, top: 110, right: 300, bottom: 200 },
    ]
    expect(placeAt(boxes, { x: 150, y: 190 })).toBe(0)
    expect(placeAt(boxes, { x: 220, y: 120 })).toBe(2)
    expect(placeAt(boxes, { x: 400, y: 20 })).toBe(1)
    expect(placeAt(boxes, { x: 250, y: 900 })).toBe(2)
    expect(placeAt([], { x: 0, y: 0 })).toBe(-1)
  })
})

test('an order is applied to the photos that are there now', () => {
  const photos = ['a', 'b', 'new'].map((id) => ({ id }))
  expect(reordered(photos, ['b', 'gone', 'a']).map(({ id }) => id)).toEqual(['b', 'a', 'new'])
})

test('photos that were chosen together stand in the order in which they were chosen, whichever arrived first', () => {
  const chosenAt = new Map([
    ['third', 3],
    ['first', 1],
    ['second', 2],
  ])
  expect(asChosen(['old', 'second', 'third', 'first'], chosenAt)).toEqual(['old', 'first', 'second', 'third'])
  expect(asChosen(['old', 'other'], chosenAt)).toEqual(['old', 'other'])
})

test('two orders are the same if every photo is at the same place', () => {
  expect(isSameOrder(ids, [...ids])).toBe(true)
  expect(isSameOrder(ids, ids.slice(1))).toBe(false)
  expect(isSameOrder(ids, movedTo(ids, 'a', 1))).toBe(false)
})
