import { expect, test } from 'vitest'
import {
  judge,
  orderOf,
  sides,
  spreadOf,
  tableOf,
  verdictOf,
  worseOf,
  type Figures,
  type PairedRound,
} from './paired.ts'

/** A machine that gets slower and faster from round to round, and figures that are off by some noise. */
const MACHINE = [1, 0.7, 1.2, 0.9, 1.4, 0.8, 1.1, 0.6, 1.3]
const QUIET = [0.01, -0.01, 0.005, -0.005, 0, 0.01, -0.01, 0.002, -0.002]
const NOISY = [0.12, -0.12, 0.13, -0.13, 0, 0.12, -0.12, 0.11, -0.11]

const figures = (machine: number, share = 1): Figures => ({ perSecond: 8000 * machine * share, micros: 150 / share })

/** `share` is the speed of this tree as a share of the other's; the noise is that of the second measurement of this one. */
const sitting = (share: number, noise: readonly number[]): PairedRound[] =>
  MACHINE.map((machine, round) => ({
    ours: figures(machine, share),
    theirs: figures(machine),
    again: figures(machine, share * (1 + (noise[round] ?? 0))),
  }))

test('equal trees have a ratio of 1 on a machine whose speed changes from round to round', () => {
  const { perSecond, micros } = judge(sitting(1, QUIET))
  expect(perSecond).toMatchObject({ ratio: 1, isWorse: false, ours: 8000, theirs: 8000 })
  expect(micros).toMatchObject({ ratio: 1, isWorse: false, ours: 150, theirs: 150 })
})

test('a tree that is 10 % slower is worse, by its rate and by its processor time', () => {
  const list = judge(sitting(0.9, QUIET))
  expect(list.perSecond.ratio).toBeCloseTo(0.9)
  expect(list.micros.ratio).toBeCloseTo(1 / 0.9)
  expect(worseOf({ list, get: judge(sitting(1, QUIET)) })).toEqual([
    { workload: 'list', reasons: ['rate 0.90', 'processor time 1.11'] },
  ])
})

test('the same 10 % are not worse when a tree is as far from itself', () => {
  const { perSecond, micros } = judge(sitting(0.9, NOISY))
  expect(perSecond.spread).toBeGreaterThan(0.1)
  expect([perSecond.isWorse, micros.isWorse]).toEqual([false, false])
})

test('a verdict says which workloads were too noisy to notice a loss', () => {
  const list = judge(sitting(1, NOISY))
  expect(verdictOf({ list, get: judge(sitting(1, QUIET)) }, 'main')).toBe(
    'No workload was found to be worse than main.\n' +
      'Too noisy to notice a loss of 5 %: list (rate ± 0.12, processor time ± 0.14).',
  )
})

test('a verdict on a quiet machine names only what is worse', () => {
  expect(verdictOf({ get: judge(sitting(1, QUIET)) }, 'main')).toBe('No workload was found to be worse than main.')
  expect(verdictOf({ list: judge(sitting(0.9, QUIET)) }, 'main')).toBe(
    'Worse than main: list (rate 0.90, processor time 1.11).',
  )
})

test('a loss beyond the noise is worse on a noisy machine too', () => {
  expect(judge(sitting(0.8, NOISY)).perSecond.isWorse).toBe(true)
})

test('4 % are never worse, and neither is a tree that became faster', () => {
  for (const share of [0.96, 1.1, 2]) expect(worseOf({ list: judge(sitting(share, QUIET)) })).toEqual([])
})

test('more processor time alone is worse, even at the same rate', () => {
  const rounds = sitting(1, QUIET).map(({ ours, theirs, again }) => ({
    ours: { ...ours, micros: 170 },
    theirs,
    again: { ...again, micros: 170 },
  }))
  expect(worseOf({ list: judge(rounds) })).toEqual([{ workload: 'list', reasons: ['processor time 1.13'] }])
})

test('a single disturbed round changes neither the ratio nor the spread', () => {
  const [first, ...rest] = sitting(1, QUIET)
  const disturbed = { ...(first as PairedRound), ours: figures(0.1) }
  const { perSecond } = judge([disturbed, ...rest])
  expect(perSecond.ratio).toBe(1)
  expect(perSecond.spread).toBeLessThan(0.02)
})

test('two disturbed rounds widen the spread', () => {
  const [first, second, ...rest] = sitting(1, QUIET)
  const disturbed = [first, second].map((round) => ({ ...(round as PairedRound), ours: figures(0.1) }))
  expect(judge([...disturbed, ...rest]).perSecond.spread).toBeGreaterThan(0.8)
})

test('a figure that is missing is worse, not equal', () => {
  const rounds = sitting(1, QUIET).map((round) => ({ ...round, ours: figures(Number.NaN) }))
  expect(judge(rounds).perSecond.isWorse).toBe(true)
  expect(judge([]).perSecond.isWorse).toBe(true)
})

const lossOfRate = (ratio: number) => 1 - ratio

test.each([
  [[0.7], 0.3],
  [[0.8, 1, 1.1], 0.2],
  [[0.7, 0.9, 0.95, 1, 1, 1, 1.05, 1.06, 1.5], 0.1],
  [[0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1, 1, 1.1, 1.1, 1.1, 1.1, 1.1], 0.2],
])('the spread of %j is %d', (ratios, spread) => {
  expect(spreadOf(ratios, lossOfRate)).toBeCloseTo(spread)
})

test('the spread is the same whichever instance is divided by the other', () => {
  expect(spreadOf([2, 2, 2], lossOfRate)).toBe(0.5)
  expect(spreadOf([0.5, 0.5, 0.5], lossOfRate)).toBe(0.5)
})

test('six rounds have six different orders of all three', () => {
  const orders = [0, 1, 2, 3, 4, 5].map(orderOf)
  for (const order of orders) expect(order.toSorted()).toEqual(sides.toSorted())
  expect(new Set(orders.map(String)).size).toBe(6)
  expect(orderOf(6)).toEqual(orderOf(0))
})

test('in nine rounds each is measured first three times', () => {
  const first = Array.from({ length: 9 }, (_, round) => orderOf(round)[0])
  for (const side of sides) expect(first.filter((each) => each === side)).toHaveLength(3)
})

test('the table shows ratios beside the spread, and what is worse', () => {
  expect(tableOf({ list: judge(sitting(0.9, QUIET)), get: judge(sitting(1, QUIET)) })).toMatchInlineSnapshot(`
    "            rate  itself  this /s  ref /s  processor time  itself  this µs  ref µs
    list  0.90 worse  ± 0.01     7200    8000      1.11 worse  ± 0.01      167     150
     get        1.00  ± 0.01     8000    8000            1.00  ± 0.01      150     150"
  `)
})
