import { expect, test } from 'vitest'
import { fakeAnswer } from '../../../../testbed/evidence/answer.ts'
import type { LookupOutcome } from './answer.ts'
import { queryRateLimit } from './query-rate-limit.ts'

const clock = { at: 1000 }
const limiter = (countMax = 100) => queryRateLimit({ perSecond: 20, burst: 5, countMax, now: () => clock.at })
const silence: LookupOutcome = { kind: 'silence', why: 'timeout' }
const refused = fakeAnswer({ rcode: 'REFUSED' })
const waits = (count: number, ask: () => number | null) => Array.from({ length: count }, ask)

test('a few queries are sent at once, the next ones in turn, and a query that cannot wait that long is rejected', () => {
  const { wait } = limiter()
  expect(waits(8, () => wait('192.0.2.1', 100))).toEqual([0, 0, 0, 0, 0, 50, 100, null])
  expect(wait('192.0.2.2', 100)).toBe(0)
})

test('the budget refills over time, and not beyond its maximum', () => {
  const { wait } = limiter()
  waits(5, () => wait('192.0.2.1', 0))
  clock.at += 50
  expect(waits(2, () => wait('192.0.2.1', 0))).toEqual([0, null])
  clock.at += 60_000
  expect(waits(6, () => wait('192.0.2.1', 0))).toEqual([0, 0, 0, 0, 0, null])
})

test('over a long time no more queries are sent than configured', () => {
  const { wait } = limiter()
  let sent = 0
  for (const end = clock.at + 10_000; clock.at < end; clock.at += 1) if (wait('192.0.2.1', 0) !== null) sent += 1
  expect(sent).toBeLessThanOrEqual(20 * 10 + 5)
  expect(sent).toBeGreaterThanOrEqual(20 * 10)
})

test('a server that answers REFUSED is queried less often', () => {
  const { wait, heard } = limiter()
  wait('192.0.2.1', 0)
  heard('192.0.2.1', refused)
  expect(waits(3, () => wait('192.0.2.1', 0))).toEqual([0, 0, null])
})

test('a server that has not answered for long is left alone for a moment, and queried again', () => {
  const { wait, heard } = limiter()
  for (let index = 0; index < 40; index += 1) heard('192.0.2.1', silence)
  expect(wait('192.0.2.1', 1000)).toBeNull()
  clock.at += 2001
  expect(wait('192.0.2.1', 1000)).toBe(0)
})

test('memory is bounded: the least recently queried address is evicted', () => {
  const { wait } = limiter(2)
  waits(5, () => wait('192.0.2.1', 0))
  for (const address of ['192.0.2.2', '192.0.2.1', '192.0.2.3']) wait(address, 0)
  expect(wait('192.0.2.1', 0)).toBeNull()
  for (const address of ['192.0.2.4', '192.0.2.5']) wait(address, 0)
  expect(wait('192.0.2.1', 0)).toBe(0)
})
