import type { PetStatus } from '@petstore-platform/contract/pets'
import { expect, test } from 'vitest'
import { undoSteps, undoStepsOf } from './change-undo.ts'

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

const shown = (id: bigint, isHidden: boolean, categoryId = 1n) => ({ id, categoryId, profile: { isHidden } })

test('what was hidden, shown or moved is put back, each to where it was', () => {
  const before = [shown(1n, false), shown(2n, true, 2n), shown(3n, false, 3n)]
  expect(undoStepsOf(before, { isHidden: true })).toEqual([{ ids: [1n, 3n], isHidden: false }])
  expect(undoStepsOf(before, { isHidden: false })).toEqual([{ ids: [2n], isHidden: true }])
  expect(undoStepsOf(before, { categoryId: 3n })).toEqual([
    { ids: [1n], categoryId: 1n },
    { ids: [2n], categoryId: 2n },
  ])
  expect(undoStepsOf([shown(1n, true)], { isHidden: true })).toBeUndefined()
  expect(undoStepsOf(Array(501).fill(shown(1n, false)), { isHidden: true })).toBeUndefined()
})
