import { expect, test } from 'vitest'
import { homeTrend, orderTrend } from './history.ts'

const days = (count: number, value = 1) => Array.from({ length: count }, () => value)
const history = (values: number[]) => ({ orders: values, homes: values })

test('without orders there is nothing to draw or to compare', () => {
  const nothing = { total: 0, before: 0, change: undefined, chart: [] }
  expect(orderTrend(history([]))).toEqual(nothing)
  expect(homeTrend(history([]))).toEqual(nothing)
})

test('orders are drawn by day once there is a week of them', () => {
  expect(orderTrend(history(days(6)))).toMatchObject({ total: 6, chart: [] })
  expect(orderTrend(history(days(8)))).toEqual({
    total: 7,
    before: 1,
    change: undefined,
    chart: [...days(6, 0), ...days(8)],
  })
})

test('orders are compared with the week before once that is complete', () => {
  expect(orderTrend(history([9, ...days(7), ...days(7, 3)]))).toEqual({
    total: 21,
    before: 7,
    change: 14,
    chart: [...days(7), ...days(7, 3)],
  })
  expect(orderTrend(history(days(14))).change).toBeUndefined()
})

test('homes are drawn by whole weeks, from two of them on', () => {
  expect(homeTrend(history(days(13))).chart).toEqual([])
  expect(homeTrend(history([5, ...days(7), ...days(7, 2)]))).toMatchObject({ total: 26, chart: [7, 14] })
  expect(homeTrend(history(days(56, 0))).chart).toEqual([])
})

test('homes are compared with the four weeks before', () => {
  expect(homeTrend(history([...days(28, 2), ...days(28)])).change).toBe(-28)
  expect(homeTrend(history(days(55))).change).toBeUndefined()
})
