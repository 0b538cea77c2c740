// Room for uploads, without any.

import { expect, test } from 'vitest'
import { uploadPool } from './upload-pool.ts'

const MB = 1_000_000
const refused = expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '2' } })

function poolOf(accountMB: number, processMB: number) {
  let at = 0
  const pool = uploadPool({ accountUploadBytes: accountMB * MB, processUploadBytes: processMB * MB }, () => at)
  const refusal = (account: string, bytes: number): unknown => {
    try {
      return pool.take(account, bytes)
    } catch (error) {
      return error
    }
  }
  return {
    take: (account: string, megabytes = 4) => pool.take(account, megabytes * MB),
    refusal: (account: string, megabytes = 4) => refusal(account, megabytes * MB),
    later: (ms: number) => void (at += ms),
  }
}

test('an account has bytes of its own; a small upload counts as 4 MB, and one of unknown length as the largest', () => {
  const { take, refusal } = poolOf(12, 100)
  const [first] = [take('mia', 1), take('mia', 0), take('mia', 4)]
  expect(refusal('mia', 1)).toEqual(refused)
  take('ben', 12)
  first.release()
  take('mia')
  const unknown = uploadPool({ accountUploadBytes: 20 * MB, processUploadBytes: 100 * MB }, () => 0)
  unknown.take('mia', undefined)
  expect(() => unknown.take('mia', 1)).toThrow('At most 20 MB of uploads of an account')
})

test('the slowest upload of the account that holds most ends, and only for an account that will hold less', () => {
  const { take, refusal, later } = poolOf(16, 24)
  const [quick, slow, other] = [take('mia'), take('mia'), take('mia')]
  const [ben] = [take('ben'), take('ben')]
  later(1000)
  const late = take('mia')
  later(1000)
  quick.arrived(9000)
  slow.arrived(4000)
  other.arrived(6000)
  // In half the time of the others.
  late.arrived(5000)
  take('eve')
  expect([quick, slow, other, late, ben].map(({ ended }) => ended.aborted)).toEqual([false, true, false, false, false])
  // Mia has 12 MB left, Ben 8, Eve 4: with 8 Eve has as much as Mia will have, with 12 she would have more.
  take('eve')
  expect([quick.ended.aborted, other.ended.aborted, late.ended.aborted]).toEqual([false, true, false])
  expect(refusal('eve')).toEqual(refused)
  expect([quick, late, ben].map(({ ended }) => ended.aborted)).toEqual([false, false, false])
})

test('several end for a large one, and none if that would not be enough', () => {
  const { take, refusal } = poolOf(20, 20)
  const uploads = Array.from({ length: 5 }, () => take('mia'))
  expect(refusal('eve', 12)).toEqual(refused)
  expect(uploads.some(({ ended }) => ended.aborted)).toBe(false)
  take('eve', 8)
  expect(uploads.filter(({ ended }) => ended.aborted)).toHaveLength(2)
})

test('an upload that is complete ends for no other', () => {
  const { take, refusal } = poolOf(8, 8)
  const uploads = [take('mia'), take('mia')]
  for (const upload of uploads) upload.complete()
  expect(refusal('eve')).toEqual(refused)
  expect(uploads.some(({ ended }) => ended.aborted)).toBe(false)
})

test('five accounts that hold all they may leave more than a half to others', () => {
  const { take } = poolOf(40, 640)
  for (const account of ['a', 'b', 'c', 'd', 'e']) for (let count = 0; count < 10; count += 1) take(account)
  expect(take('mia').leastPace()).toBe(8000)
})

test('the pace rises once half of the room is taken, eightfold until it is full, and falls again', () => {
  const { take } = poolOf(100, 100)
  const half = take('mia', 50)
  expect(half.leastPace()).toBe(8000)
  const more = take('ben', 25)
  expect(half.leastPace()).toBeCloseTo(8000 * Math.sqrt(8))
  take('eve', 25)
  expect(half.leastPace()).toBe(64_000)
  more.release()
  more.release()
  expect(half.leastPace()).toBeCloseTo(8000 * Math.sqrt(8))
})
