// Every cell of the lifecycle of requests, stated a second time as people read it.

import { orderStatuses } from '@petstore-platform/contract/orders'
import { holdRules, openStages, orderMoves, orderStages } from '@petstore-platform/contract/platform/orders'
import { expect, test } from 'vitest'
import { filteredStages, holdingStages, orderFacts, orderTransitions, statusOf } from './lifecycle.ts'

const table = `
             contacted visit_set approved  handed_over declined withdrawn animal_gone silent  reopened
  new        talking   visit     approved  completed   declined withdrawn closed      expired -
  talking    talking   visit     approved  completed   declined withdrawn closed      expired -
  visit      talking   visit     approved  completed   declined withdrawn closed      -       -
  approved   -         approved  -         completed   declined withdrawn closed      -       talking
  completed  -         -         -         -           -        -         -           -       approved
  declined   -         -         -         -           -        -         -           -       before
  withdrawn  -         -         -         -           -        -         -           -       -
  closed     -         -         -         -           -        -         -           -       before
  expired    -         -         -         -           -        -         -           -       before
`
const lines = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
const [facts = [], ...rows] = lines

test('every cell is as stated here', () => {
  const stated = Object.fromEntries(
    rows.map(([stage = '', ...cells]) => [
      stage,
      Object.fromEntries(cells.flatMap((cell, index) => (cell === '-' ? [] : [[facts[index], cell]]))),
    ]),
  )
  expect(orderTransitions).toEqual(stated)
})

test('the table covers every stage and every fact, and members record all but two of them', () => {
  expect(rows.map(([stage]) => stage)).toEqual([...orderStages])
  expect(facts).toEqual([...orderFacts])
  expect(orderFacts.filter((fact) => !(orderMoves as readonly string[]).includes(fact))).toEqual([
    'animal_gone',
    'silent',
  ])
})

test('a cell that differs is found (negative control)', () => {
  expect({ ...orderTransitions, withdrawn: orderTransitions.declined }).not.toEqual(orderTransitions)
})

test('every stage has one status on /v1, and all are used', () => {
  expect(Object.keys(statusOf)).toEqual([...orderStages])
  expect(new Set(Object.values(statusOf))).toEqual(new Set(orderStatuses))
  expect(orderStages.filter((stage) => statusOf[stage] === 'placed')).toEqual(['new', 'talking', 'visit'])
  expect(orderStages.filter((stage) => statusOf[stage] === 'declined')).toEqual(['declined', 'withdrawn', 'closed'])
})

test('each rule holds from where it says, and all that hold automatically hold on approval', () => {
  expect(Object.keys(holdingStages).toSorted()).toEqual([...holdRules].toSorted())
  expect(holdingStages.by_hand).toEqual([])
  for (const rule of holdRules.filter((each) => each !== 'by_hand')) expect(holdingStages[rule]).toContain('approved')
  expect(holdRules.filter((rule) => holdingStages[rule].includes('visit'))).toEqual(['on_visit', 'on_first_request'])
  expect(holdRules.filter((rule) => holdingStages[rule].includes('new'))).toEqual(['on_first_request'])
})

test.each([
  [undefined, undefined, undefined],
  ['placed', undefined, ['new', 'talking', 'visit']],
  [undefined, 'open', [...openStages]],
  [undefined, 'ended', ['completed', 'declined', 'withdrawn', 'closed', 'expired']],
  [undefined, 'closed', ['closed']],
  ['declined', 'withdrawn', ['withdrawn']],
  ['placed', 'ended', []],
] as const)('the filters %s and %s admit %j', (status, stage, stages) => {
  expect(filteredStages({ status, stage })).toEqual(stages)
})
