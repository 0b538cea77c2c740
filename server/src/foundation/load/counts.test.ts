import { expect, test } from 'vitest'
import { Counts } from './counts.ts'

test('counts are by user, and never below none', () => {
  const counts = new Counts<string>()
  expect([counts.add('a', 1), counts.add('a', 1), counts.add('b', 1), counts.add('a', -1)]).toEqual([1, 2, 1, 1])
  counts.add('c', -1)
  expect(['a', 'b', 'c'].map((user) => counts.of(user))).toEqual([1, 1, 0])
})

test('users that have at least so many are listed', () => {
  const counts = new Counts<string>()
  for (const user of ['a', 'a', 'b']) counts.add(user, 1)
  expect([counts.withAtLeast(1), counts.withAtLeast(2), counts.withAtLeast(3)]).toEqual([['a', 'b'], ['a'], []])
})
