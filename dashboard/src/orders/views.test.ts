import { orderMoves } from '@petstore-platform/contract/platform/orders'
import { expect, test } from 'vitest'
import { columnNames, dropMove, erasedWords, offered } from './views.ts'

test('A request can be dropped only where one of its moves leads, and not where it is', () => {
  const targets = (stage: 'new' | 'approved', moves: readonly (typeof orderMoves)[number][]) =>
    columnNames.map((column) => dropMove({ stage, moves: [...moves] }, column))
  expect(targets('new', ['contacted', 'visit_set', 'approved', 'declined'])).toEqual([
    undefined,
    'contacted',
    'visit_set',
    'approved',
  ])
  expect(targets('approved', ['visit_set', 'handed_over', 'reopened'])).toEqual([
    undefined,
    'reopened',
    undefined,
    undefined,
  ])
  expect(targets('new', [])).toEqual([undefined, undefined, undefined, undefined])
})

test('Only what the server allows is offered', () => {
  expect(offered({ stage: 'new', moves: ['declined', 'contacted'] })).toEqual(['contacted', 'declined'])
  expect(new Set(offered({ stage: 'new', moves: [...orderMoves] }))).toEqual(new Set(orderMoves))
  expect(offered({ stage: 'new', moves: [] })).toEqual([])
  // A move to the stage in which it is.
  expect(offered({ stage: 'talking', moves: ['declined', 'contacted'] })).toEqual(['declined'])
})

test('An erased request says why', () => {
  const at = '2026-11-18T00:00:00Z'
  expect(erasedWords({ at, afterDays: 90 })).toBe('Contact details erased after 90 days')
  expect(erasedWords({ at, afterDays: null })).toBe('The visitor deleted their details')
})
