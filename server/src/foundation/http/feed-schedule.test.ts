// When feeds poll.

import { expect, test } from 'vitest'
import { pollDelay, type FeedState } from './feed-schedule.ts'

const feed = (changes: Partial<FeedState> = {}): FeedState => ({
  startedAt: 1000,
  isSignalled: false,
  hasFailed: false,
  listeners: 1,
  quietMs: 15_000,
  ...changes,
})

test('a new feed polls at once', () => {
  expect(pollDelay(feed({ startedAt: undefined, isSignalled: true }), 5)).toBe(0)
})

test('a signal is followed by a poll at once, unless one started less than 100 ms ago', () => {
  expect(pollDelay(feed({ isSignalled: true }), 5000)).toBe(0)
  expect(pollDelay(feed({ isSignalled: true }), 1030)).toBe(70)
})

test('a thousand signals in a second cause ten polls', () => {
  let state = feed({ startedAt: 0 })
  let polls = 0
  for (let now = 1; now <= 1000; now++) {
    state = { ...state, isSignalled: true }
    if (pollDelay(state, now) > 0) continue
    polls += 1
    state = feed({ startedAt: now })
  }
  expect(polls).toBe(10)
})

test('with very many listeners there are fewer polls, and never less than two a second', () => {
  const gapWith = (listeners: number) => pollDelay(feed({ isSignalled: true, listeners }), 1000)
  expect([100, 500, 1000, 2000, 5000].map(gapWith)).toEqual([100, 100, 200, 400, 400])
})

test('without a signal a feed polls after its quiet time, and after a failure each second', () => {
  expect(pollDelay(feed(), 1500)).toBe(14_500)
  expect(pollDelay(feed({ hasFailed: true, isSignalled: true }), 1500)).toBe(500)
})
