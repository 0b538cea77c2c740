import type { PetStatus } from '@petstore-platform/contract/pets'
import { expect, test } from 'vitest'
import { undoSteps } from './status-undo.ts'

const animals = (...statuses: PetStatus[]) =>
  statuses.map((status, at) => ({
    id: BigInt(at + 1),
    name: `A${at + 1}`,
    categoryId: 1n,
    status,
    createdAt: '2026-11-14T22:00:00Z',
  }))

test('each animal gets its earlier status again, and those that had it already are left alone', () => {
  expect(undoSteps(animals('available', 'sold', 'available'), 'sold', false)).toEqual([
    { ids: [1n, 3n], status: 'available' },
  ])
  expect(undoSteps(animals('available', 'sold'), 'pending', true)).toEqual([
    { ids: [1n], status: 'available' },
    { ids: [2n], status: 'sold' },
  ])
})

test.each([
  ['the hold of a reserved animal may have ended', animals('available', 'pending'), 'sold'],
  ['an available animal may have been held since', animals('sold'), 'available'],
  ['nothing has changed', animals('sold', 'sold'), 'sold'],
  ['there are more than one call can change', animals(...Array<PetStatus>(501).fill('available')), 'sold'],
] as const)('not if %s', (_, before, status) => {
  expect(undoSteps(before, status, false)).toBeUndefined()
})

test('not of sold animals for which people may have asked, whose requests are closed', () => {
  expect(undoSteps(animals('available'), 'sold', true)).toBeUndefined()
  expect(undoSteps(animals('available'), 'sold', false)).toBeDefined()
})
