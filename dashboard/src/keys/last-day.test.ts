import { expect, test } from 'vitest'
import { endOfDay } from './last-day.ts'

test('a key works to the end of the last day, where the person is', () => {
  const end = new Date(endOfDay('2027-01-31') ?? '')
  expect([end.getFullYear(), end.getMonth(), end.getDate()]).toEqual([2027, 0, 31])
  end.setSeconds(end.getSeconds() + 1)
  expect([end.getMonth(), end.getDate(), end.getHours()]).toEqual([1, 1, 0])
})

test('no day is no end', () => {
  expect(endOfDay('')).toBeNull()
  expect(endOfDay('2027')).toBeNull()
  expect(endOfDay('soon-to-come')).toBeNull()
})
