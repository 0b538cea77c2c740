import { expect, test } from 'vitest'
import { limitConcurrency } from './slots.ts'
import { Refusal } from '../refusal.ts'

/** Work that ends when the test ends it, and a count of concurrent work. */
function observed() {
  const ends: ((how: 'well' | 'badly') => void)[] = []
  const seen = { now: 0, most: 0 }
  const work = () => {
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    return new Promise<number>((resolve, reject) => {
      ends.push((how) => {
        seen.now -= 1
        if (how === 'well') resolve(ends.length)
        else reject(new Error('failed'))
      })
    })
  }
  return { ends, seen, work }
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('the limit on concurrent work holds, and all of the work is done', async () => {
  const { ends, seen, work } = observed()
  const inTurn = limitConcurrency({ atOnce: 2, waitingMax: 10 })
  const all = Array.from({ length: 7 }, () => inTurn(work))
  for (let ended = 0; ended < 7; ended += 1) {
    await settled()
    ends[ended]?.('well')
  }
  expect(await Promise.all(all)).toHaveLength(7)
  expect(seen).toEqual({ now: 0, most: 2 })
})

test('a full queue rejects at once, and has room again later', async () => {
  const { ends, work } = observed()
  const inTurn = limitConcurrency({ atOnce: 1, waitingMax: 1 })
  const all = [inTurn(work), inTurn(work)]
  await expect(inTurn(work)).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } })
  await expect(inTurn(work)).rejects.toBeInstanceOf(Refusal)
  ends[0]?.('well')
  await settled()
  all.push(inTurn(work))
  ends[1]?.('well')
  await settled()
  ends[2]?.('well')
  expect(await Promise.all(all)).toHaveLength(3)
})

test('work that fails passes its slot on', async () => {
  const { ends, work } = observed()
  const inTurn = limitConcurrency({ atOnce: 1, waitingMax: 5 })
  const first = inTurn(work)
  const second = inTurn(work)
  ends[0]?.('badly')
  await expect(first).rejects.toThrow('failed')
  await settled()
  ends[1]?.('well')
  await expect(second).resolves.toBe(2)
})
