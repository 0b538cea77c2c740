// Feeds and the streams above them, without a network and with a clock of the test.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEventStream, type StreamTopic } from './event-stream.ts'
import { openFeeds, type Feeds, type Subject } from './feeds.io.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type State = { json: string }

function subjectOf(read: () => Promise<string | undefined>) {
  const subscribers = new Set<() => void>()
  const subject: Subject<State> = {
    name: 'a subject',
    subscriptions: {
      subscribe: (_, onChange) => {
        subscribers.add(onChange)
        return () => subscribers.delete(onChange)
      },
      close: async () => {},
    },
    payload: '1',
    quietMs: 5000,
    async read(before) {
      const json = await read()
      if (json === undefined) return undefined
      return json === before?.json ? before : { json }
    },
    first: ({ json }) => `"first":${json}`,
    change: (_, { json }) => `"then":${json}`,
  }
  return { subject, subscribers, signal: () => subscribers.forEach((onChange) => onChange()) }
}

const feedsOf = ({ isShared = true } = {}) => {
  const errors: Error[] = []
  const context = { onError: (error: Error) => void errors.push(error), monotonic: Date.now }
  return { errors, feeds: openFeeds(context, isShared) }
}

/** Everything that a stream over this subject sends. */
function streamOf(feeds: Feeds, subject: Subject<State>, isStillAllowed = () => true) {
  const ended = new AbortController()
  const topic: StreamTopic = { topic: 'a', listen: (wake) => feeds.listen(subject, wake), isStillAllowed: () => true }
  const stream = openEventStream({ topics: [topic], ended: ended.signal, isStillAllowed })
  const pieces: string[] = []
  const over = (async () => {
    for await (const piece of stream.pieces) pieces.push(piece)
  })()
  return { pieces, over, wake: stream.wake, end: () => ended.abort() }
}

const RETRY = 'retry: 2000\n\n'
const first = (n: number) => `event: changed\ndata: {"topic":"a","first":${n}}\n\n`
const then = (n: number) => `event: changed\ndata: {"topic":"a","then":${n}}\n\n`

test('streams of one subject share its polls, and each is sent every change', async () => {
  const { feeds } = feedsOf()
  let [state, polls] = [1, 0]
  const { subject, signal } = subjectOf(async () => {
    polls += 1
    return String(state)
  })
  const streams = Array.from({ length: 50 }, () => streamOf(feeds, subject))
  await vi.advanceTimersByTimeAsync(1000)
  const before = polls
  state = 2
  signal()
  await vi.advanceTimersByTimeAsync(1000)
  expect(polls - before).toBe(1)
  expect(streams.map(({ pieces }) => pieces)).toEqual(streams.map(() => [RETRY, first(1), then(2)]))
})

test('streams that share no feed poll once each (negative control)', async () => {
  const { feeds } = feedsOf({ isShared: false })
  let polls = 0
  const { subject, signal } = subjectOf(async () => String((polls += 1)))
  for (let n = 0; n < 50; n++) streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  const before = polls
  signal()
  await vi.advanceTimersByTimeAsync(1000)
  expect(polls - before).toBe(50)
})

test('many signals are at most ten polls a second', async () => {
  const { feeds } = feedsOf()
  let polls = 0
  const { subject, signal } = subjectOf(async () => String((polls += 1)))
  streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  const before = polls
  for (let ms = 0; ms < 1000; ms++) {
    signal()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(polls - before).toBeGreaterThan(5)
  expect(polls - before).toBeLessThanOrEqual(11)
})

test('a lost notification delays a change by the quiet time and never loses it', async () => {
  const { feeds } = feedsOf()
  let state = 1
  const { subject } = subjectOf(async () => String(state))
  const { pieces } = streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(100)
  state = 2
  await vi.advanceTimersByTimeAsync(4800)
  expect(pieces).toEqual([RETRY, first(1)])
  await vi.advanceTimersByTimeAsync(300)
  expect(pieces).toEqual([RETRY, first(1), then(2)])
})

test('a stream that joins later begins with the state as it is then, not as it was polled last', async () => {
  const { feeds } = feedsOf()
  let state = 1
  const { subject } = subjectOf(async () => String(state))
  streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  state = 2
  const { pieces } = streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  expect(pieces).toEqual([RETRY, first(2)])
})

test('a stream that is read slowly gets the difference, and nothing is queued for it', async () => {
  const { feeds } = feedsOf()
  let state = 1
  const { subject, signal } = subjectOf(async () => String(state))
  const listening = feeds.listen(subject, () => {})
  await vi.advanceTimersByTimeAsync(1000)
  expect(listening.take()).toEqual({ fields: '"first":1', isGone: false })
  for (state of [2, 3, 4]) {
    signal()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect([listening.take(), listening.take()]).toEqual([{ fields: '"then":4', isGone: false }, { isGone: false }])
})

test('a failed poll is repeated after a second, and reported once', async () => {
  const { feeds, errors } = feedsOf()
  let polls = 0
  const { subject } = subjectOf(async () => {
    polls += 1
    if (polls < 4) throw new Error('away')
    return '1'
  })
  const { pieces } = streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(3500)
  expect([pieces, errors.length]).toEqual([[RETRY, first(1)], 1])
})

test('a subject that is removed ends its topic, and the last topic the stream', async () => {
  const { feeds } = feedsOf()
  let state: string | undefined = '1'
  const { subject, signal, subscribers } = subjectOf(async () => state)
  const { pieces, over } = streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  state = undefined
  signal()
  await vi.advanceTimersByTimeAsync(1000)
  await over
  expect(pieces).toEqual([RETRY, first(1), 'event: ended\ndata: {"topic":"a","reason":"removed"}\n\n'])
  expect(subscribers.size).toBe(0)
})

test('a stream that ends because the process stops says when to connect again', async () => {
  const { feeds } = feedsOf()
  const { subject, subscribers } = subjectOf(async () => '1')
  const { pieces, over, end } = streamOf(feeds, subject)
  await vi.advanceTimersByTimeAsync(1000)
  end()
  await over
  expect(pieces).toEqual([RETRY, first(1), expect.stringMatching(/^retry: \d{3,4}\n\n$/)])
  expect(subscribers.size).toBe(0)
})

test('a quiet stream shows that it is there when it is woken, and sends nothing when it is no longer allowed', async () => {
  const { feeds } = feedsOf()
  let isAllowed = true
  let state = 1
  const { subject, signal } = subjectOf(async () => String(state))
  const { pieces, over, wake } = streamOf(feeds, subject, () => isAllowed)
  await vi.advanceTimersByTimeAsync(1000)
  wake()
  await vi.advanceTimersByTimeAsync(1000)
  isAllowed = false
  state = 2
  signal()
  await vi.advanceTimersByTimeAsync(1000)
  await over
  expect(pieces).toEqual([RETRY, first(1), ': still here\n\n'])
})
