// The shapes of charts stay inside their view box, whatever the values are.

import { describe, expect, test } from 'vitest'
import { barShapes, HEIGHT, lineShape, ringDash, WIDTH } from './chart-shapes.ts'

describe('a line', () => {
  test('goes through its values from left to right, the highest at the top', () => {
    const { line, area } = lineShape([0, 10])
    expect(line).toBe('M0 37C100 37 100 3 200 3')
    expect(area).toBe(`${line}V40H0Z`)
  })

  test('of equal values is level, in the middle', () => {
    expect(lineShape([7, 7]).line).toBe('M0 20C100 20 100 20 200 20')
    expect(lineShape([7]).line).toBe('M0 20C100 20 100 20 200 20')
  })

  test('of nothing is nothing', () => {
    expect(lineShape([])).toEqual({ line: '', area: '' })
  })

  test.each([[[1, 2, 3]], [[0, 0, 1_000_000]], [[-5, 5, 0.5]]])('of %j stays inside', (values) => {
    const numbers = (lineShape(values).line.match(/-?[\d.]+/g) ?? []).map(Number)
    expect(numbers.every((number) => number >= 0 && number <= WIDTH)).toBe(true)
    expect(numbers.some(Number.isNaN)).toBe(false)
  })
})

describe('bars', () => {
  test('begin at zero and end at the highest', () => {
    const bars = barShapes([0, 5, 10])
    expect(bars.map(({ height }) => height)).toEqual([1, 20, 40])
    expect(bars.every(({ y, height }) => y + height === HEIGHT)).toBe(true)
    expect(bars.every(({ x, width }) => x >= 0 && x + width <= WIDTH)).toBe(true)
  })

  test('of nothing at all are a row of the lowest', () => {
    expect(barShapes([0, 0]).map(({ height }) => height)).toEqual([1, 1])
  })
})

test('a ring is filled by its share, and never by more than all of it', () => {
  expect(ringDash(0, 19)).toBe('0 119.4')
  expect(ringDash(0.5, 19)).toBe('59.7 119.4')
  expect(ringDash(2, 19)).toBe('119.4 119.4')
})
