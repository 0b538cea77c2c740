import { expect, test } from 'vitest'
import { countOf, firstWords, todosOf } from './todo.ts'
import type { Overview } from './views.ts'

const none = { count: 0, isMore: false }
const quiet: Overview = {
  animals: { available: { count: 3, isMore: false }, pending: none, sold: none },
  openOrders: 0,
  lastOrders: [],
  history: { orders: [], homes: [] },
  currentDeployment: null,
  lastDeployment: null,
  domains: { live: 1, waiting: 1, needAction: 0, others: 1 },
  steps: [],
}
const deployment = {
  id: 'dep_1',
  number: 1,
  state: 'succeeded' as const,
  reason: null,
  digest: '',
  isCurrent: true,
  createdBy: 'acc_1',
  createdAt: '2026-11-14T22:00:00Z',
  finishedAt: null,
}
const published: Overview = { ...quiet, currentDeployment: deployment, lastDeployment: deployment }
const order = (id: bigint, stage: 'new' | 'talking' | 'declined' = 'new'): Overview['lastOrders'][number] => ({
  id,
  petId: 1n,
  petName: 'Rex',
  petStatus: 'available',
  petCategoryId: 9n,
  portrait: null,
  cover: null,
  status: stage === 'declined' ? 'declined' : 'placed',
  stage,
  moves: [],
  position: null,
  queueLength: 0,
  isHolding: false,
  heldUntil: null,
  mayHold: false,
  visit: null,
  decline: null,
  visitor: { name: 'Ben', contact: 'ben@visitor.example', phone: '' },
  isConfirmed: true,
  message: '',
  answers: [],
  notes: 0,
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: null,
  notifiesVisitor: true,
  decidedAt: null,
  decidedBy: null,
  undoUntil: null,
  erased: null,
})
const kinds = (overview: Overview) => todosOf(overview).map(({ kind }) => kind)

test('nothing waits in a project that is published and has no open orders', () => {
  expect(todosOf(published)).toEqual([])
  expect(countOf([])).toBe(0)
})

test('new requests are shown one by one, and the other open ones are counted', () => {
  const lastOrders = [order(9n), order(8n, 'declined'), order(7n), order(6n, 'talking')]
  const todos = todosOf({ ...published, openOrders: 5, lastOrders })
  expect(todos.map(({ kind, count }) => [kind, count])).toEqual([
    ['order', 1],
    ['order', 1],
    ['orders', 3],
  ])
  expect(countOf(todos)).toBe(5)
})

test('a project with animals is to be published, unless that is under way', () => {
  expect(kinds(quiet)).toEqual(['publish'])
  expect(kinds({ ...quiet, animals: { available: none, pending: none, sold: none } })).toEqual([])
  expect(kinds({ ...quiet, lastDeployment: { ...deployment, state: 'building', isCurrent: false } })).toEqual([])
})

test.each([
  [quiet, false],
  [published, true],
])('a deployment that failed is reported, and whether visitors see an earlier one', (overview, isSeen) => {
  const failed = { ...deployment, id: 'dep_2', number: 2, state: 'failed' as const }
  expect(todosOf({ ...overview, lastDeployment: failed })).toEqual([
    { kind: 'failed', count: 1, deployment: failed, isSeen },
  ])
})

test('domains that need their owner are counted after the orders', () => {
  const todos = { ...published, openOrders: 1, lastOrders: [order(9n)], domains: { ...quiet.domains, needAction: 2 } }
  expect(kinds(todos)).toEqual(['order', 'domains'])
  expect(countOf(todosOf(todos))).toBe(3)
})

test.each([
  ['', ''],
  [' Saturday?\nWe have a garden. ', 'Saturday? We have a garden.'],
  [`We have ${'a garden, '.repeat(9)}`, 'We have a garden, a garden, a garden, a garden, a garden, a…'],
  ['x'.repeat(61), `${'x'.repeat(60)}…`],
  [`${'x'.repeat(59)}😀`, `${'x'.repeat(59)}…`],
])('%j begins with %j', (message, words) => {
  expect(firstWords(message)).toBe(words)
})
