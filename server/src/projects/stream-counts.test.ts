// How many event streams may be open.

import { expect, test } from 'vitest'
import type { ProjectId } from './scope.io.ts'
import { createStreamCounts } from './stream-counts.ts'

const willow = 1n as ProjectId

const countsOf = (ofPlan = 3, accountStreams = 2, processStreams = 5) =>
  createStreamCounts({ most: () => ofPlan, other: { accountStreams, processStreams } })

test('an account has so many streams, and one that ends makes room', () => {
  const counts = countsOf()
  const one = counts.open('mia')
  counts.open('mia')
  expect(() => counts.open('mia')).toThrow('Your account has 2 open event streams, the limit.')
  counts.open('ben')
  one.release()
  one.release()
  counts.open('mia')
  expect(() => counts.open('mia')).toThrow('Your account has 2 open event streams')
})

test('a project has as many as its plan includes, and a stream counts once however many topics it has', () => {
  const counts = countsOf()
  const streams = ['mia', 'ben', 'ida'].map((account) => counts.open(account))
  for (const stream of streams) for (let n = 0; n < 3; n++) stream.enter(willow, 'willow', 'free')
  const another = counts.open('tom')
  const more = () => another.enter(willow, 'willow', 'free')
  expect(more).toThrow("The project 'willow' has 3 open event streams; the plan 'free' includes no more.")
  streams[0]?.release()
  expect(more).not.toThrow()
})

test('a process has so many in all', () => {
  const counts = countsOf()
  for (const account of ['a', 'b', 'c', 'd', 'e']) counts.open(account)
  expect(() => counts.open('f')).toThrow('This server has 5 open event streams, its limit. Retry in 10 s.')
})
