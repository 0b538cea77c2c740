// Every cell of the transition table of orders, stated a second time in other terms.

import { orderStatuses } from '@petstore-platform/contract/orders'
import { expect, test } from 'vitest'
import { ORDER_HOLD, decidedWords, orderFacts, orderTransitions, orderStates } from './lifecycle.ts'

const cells = orderStates.flatMap((state) =>
  orderFacts.map((fact) => [state, fact, orderTransitions[state][fact]] as const),
)

test('the table covers every state that can be stored, and none, and every fact', () => {
  expect(Object.keys(orderTransitions).sort()).toEqual(['none', ...orderStatuses].sort())
  for (const state of orderStates) expect(Object.keys(orderTransitions[state]).sort()).toEqual([...orderFacts].sort())
  expect(cells).toHaveLength(30)
})

test('exactly five transitions exist', () => {
  const possible = cells.filter(([, , step]) => step !== null).map(([state, fact, step]) => [state, fact, step?.next])
  expect(possible).toEqual([
    ['none', 'placed', 'placed'],
    ['placed', 'approved', 'approved'],
    ['placed', 'declined', 'declined'],
    ['placed', 'expired', 'expired'],
    ['placed', 'overridden', 'declined'],
  ])
})

test('an order reserves its animal, and sells or frees it; one that is overridden leaves it alone', () => {
  const effects = Object.fromEntries(cells.filter(([, , step]) => step).map(([, fact, step]) => [fact, step?.animal]))
  expect(effects).toEqual({
    placed: 'reserved',
    approved: 'sold',
    declined: 'released',
    expired: 'released',
    overridden: undefined,
  })
})

test('a timer runs exactly while an order is placed', () => {
  for (const [state, fact, step] of cells) {
    if (step) expect(step.timer, `${state}, ${fact}`).toBe(step.next === 'placed' ? 'set' : 'clear')
  }
})

test('a decided order stays decided, and no transition leads to delivered yet', () => {
  for (const [state, fact, step] of cells) {
    if (state in decidedWords) expect(step, `${state}, ${fact}`).toBeNull()
    expect(step?.next).not.toBe('delivered')
  }
})

test('an order holds an animal for seven days', () => {
  expect(ORDER_HOLD).toBe(604_800)
})
