// Tests of the definition of a late response, and of the clock that measures it.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LATE_MS, addAnswer, latenessOf, noLateness } from './lateness.ts'
import { runningClock } from './running-clock.ts'

const reply = (status: number, ms: number) => ({ status, ms, headers: {}, text: '' })

test('a response is late if it is a 408 or came after the bound, and on time otherwise', () => {
  expect(latenessOf(reply(400, 1), LATE_MS)).toBeUndefined()
  expect(latenessOf(reply(400, LATE_MS), LATE_MS)).toBeUndefined()
  expect(latenessOf(reply(400, LATE_MS + 1), LATE_MS)).toContain(`${LATE_MS} ms`)
  expect(latenessOf(reply(408, 1), LATE_MS)).toContain('408')
})

test('late responses and framing faults are counted, and the slowest response is reported', () => {
  const sum = noLateness(LATE_MS)
  expect(addAnswer(sum, { name: 'valid' }, reply(200, 3))).toEqual([])
  expect(addAnswer(sum, { name: 'two framings', isFraming: true }, reply(400, 1))).toEqual([])
  expect(sum).toEqual({ framingFaults: 1, late: 0, slowestMs: 3, slowestCase: 'valid', lateMs: LATE_MS })
  const late = { kind: 'late', detail: expect.any(String) as string }
  expect(addAnswer(sum, { name: 'two framings', isFraming: true }, reply(408, 10_680))).toEqual([late])
  expect(addAnswer(sum, { name: 'valid' }, reply(200, LATE_MS + 500))).toEqual([late])
  expect(sum).toEqual({ framingFaults: 2, late: 2, slowestMs: 10_680, slowestCase: 'two framings', lateMs: LATE_MS })
})

test('the clock counts time spent waiting, and not time in which the process was blocked', async () => {
  const now = runningClock()
  const startedAt = now()
  await sleep(200)
  const waited = now() - startedAt
  // Less on a machine that blocks the process as well, and never more than has elapsed.
  expect(waited).toBeGreaterThan(0)

  const blockedAt = now()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  expect(now() - blockedAt).toBeLessThan(250)
  await sleep(1)
  expect(now() - blockedAt).toBeLessThan(250)
})
