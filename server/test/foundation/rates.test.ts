// Counters across processes: an allowance is never exceeded, however many attempts arrive together, and quotas that each
// process counts in its memory become one within a second.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { RateLimit, exactLimit, shareLimits } from '../../src/foundation/load/rate-limit.io.ts'
import { digestOf } from '../../src/foundation/key-format.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { chargeRates, refundRates, type Charge } from '../../src/foundation/load/rate-directory.io.ts'

let database: Database
beforeAll(async () => {
  const { appUrl } = await cloneDatabase()
  database = openDatabase({ url: appUrl, poolMax: 8, onError: () => {} })
})
afterAll(() => database?.close())

const NOW = Date.parse('2026-11-14T22:00:00Z')
const charge = (kind: string, whom: string, most: number, seconds = 60): Charge => ({
  kind,
  key: digestOf(`${kind} ${whom}`),
  most,
  seconds,
})

test('of attempts that arrive together, as many are charged as are allowed, and the others charge nothing', async () => {
  const wide = charge('test_wide', 'a', 100)
  const attempts = Array.from({ length: 40 }, () =>
    chargeRates(database.run, [charge('test_narrow', 'a', 7), wide], NOW),
  )
  const reached = await Promise.all(attempts)
  expect(reached.filter((none) => none.length === 0)).toHaveLength(7)
  expect(new Set(reached.flat().map(({ kind }) => kind))).toEqual(new Set(['test_narrow']))
  const left = await Promise.all(Array.from({ length: 100 }, () => chargeRates(database.run, [wide], NOW)))
  expect(left.filter((none) => none.length === 0)).toHaveLength(93)
})

test('what is used up says for how long, and is free again afterwards', async () => {
  const one = charge('test_one', 'b', 1, 90)
  expect(await chargeRates(database.run, [one], NOW)).toEqual([])
  expect(await chargeRates(database.run, [one], NOW + 30_500)).toEqual([{ kind: 'test_one', retrySeconds: 60 }])
  expect(await chargeRates(database.run, [one], NOW + 90_000)).toEqual([])
})

test('what is refunded can be charged again, and a refund never gives more than was charged', async () => {
  const two = charge('test_two', 'c', 2)
  await chargeRates(database.run, [two], NOW)
  for (let round = 0; round < 3; round++) await refundRates(database.run, [two], NOW)
  const reached = [1, 2, 3].map(() => chargeRates(database.run, [two], NOW))
  expect((await Promise.all(reached)).filter((none) => none.length === 0)).toHaveLength(2)
})

test('an exact limit is one for all processes, with every request', async () => {
  const admitted = async (limits: readonly Pick<ReturnType<typeof exactLimit>, 'use'>[]) => {
    const uses = await Promise.all(limits.flatMap((limit) => Array.from({ length: 10 }, () => limit.use('willow'))))
    return uses.filter(({ isOver }) => !isOver).length
  }
  const now = () => NOW
  expect(await admitted([1, 2, 3, 4].map(() => exactLimit({ run: database.run, now }, 'test_exact', quota)))).toBe(10)
  expect(await exactLimit({ run: database.run, now: () => NOW + 20_000 }, 'test_exact', quota).use('willow')).toEqual({
    quota,
    isOver: true,
    resetSeconds: 40,
  })
  // The negative control: in the memory of each process.
  expect(await admitted([1, 2, 3, 4].map(() => new RateLimit(quota, now)))).toBe(40)
})

const quota = { name: 'key', points: 10, windowSeconds: 60 }
const processOf = (run: Database['run'], isShared = true) => {
  const limits = shareLimits({ run, now: () => NOW }, isShared)
  return { limit: limits.limit('test_quota', quota), exchange: () => limits.exchange() }
}

test('a quota is one for all processes as soon as their counts are added up', async () => {
  const [one, other] = [processOf(database.run), processOf(database.run)]
  for (let n = 0; n < 6; n++) expect((await one.limit.use('k')).isOver).toBe(false)
  for (let n = 0; n < 3; n++) expect((await other.limit.use('k')).isOver).toBe(false)
  await one.exchange()
  await other.exchange()
  expect(await other.limit.use('k')).toMatchObject({ isOver: false, remaining: 0 })
  expect(await other.limit.use('k')).toMatchObject({ isOver: true, remaining: 0 })
  await one.limit.use('k')
  await one.exchange()
  expect((await one.limit.look('k')).isOver).toBe(true)
})

test('without adding up, each process admits the whole quota (negative control)', async () => {
  const [one, other] = [processOf(database.run, false), processOf(database.run, false)]
  for (let n = 0; n < 10; n++) await one.limit.use('alone')
  await one.exchange()
  await other.exchange()
  expect((await other.limit.use('alone')).remaining).toBe(9)
})

test('while PostgreSQL is away, a process counts on, and adds up later', async () => {
  let isAway = true
  const run = ((...query: Parameters<Database['run']>) =>
    isAway ? Promise.reject(new Error('away')) : database.run(...query)) as Database['run']
  const [one, other] = [processOf(run), processOf(database.run)]
  for (let n = 0; n < 9; n++) await one.limit.use('away')
  await expect(one.exchange()).rejects.toThrow('away')
  expect((await one.limit.use('away')).remaining).toBe(0)
  expect((await one.limit.use('away')).isOver).toBe(true)
  isAway = false
  await one.exchange()
  await other.limit.use('away')
  await other.exchange()
  expect((await other.limit.look('away')).isOver).toBe(true)
})
