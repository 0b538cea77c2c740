// Spreadsheets as shelters have them, written without knowledge of the mapper: what an owner who accepts every proposal
// gets, compared with what a person reads in them.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareAll, sharesOf } from '../../../../testbed/spreadsheets/reading.ts'
import { proposeMapping } from './columns.ts'

test('at least 95 % of the values are understood without a click, and hardly any is misunderstood', () => {
  const all = compareAll()
  expect(all).toHaveLength(20)
  const { right, wrong } = sharesOf(all)
  expect(right).toBeGreaterThanOrEqual(0.95)
  expect(wrong).toBeLessThanOrEqual(0.01)
})

// The mapper was not changed after these were written: what it made of them is what a new owner can expect.
test.each([
  ['everyday', 14, 0.95, 0.01],
  ['varied', 20, 0.85, 0.03],
] as const)('of %s spreadsheets that the mapper was not made with, most are understood', (kind, count, least, most) => {
  const all = compareAll(undefined, join(import.meta.dirname, `../../../../testbed/spreadsheets/unseen-${kind}`))
  expect(all).toHaveLength(count)
  const { right, wrong } = sharesOf(all)
  expect(right).toBeGreaterThanOrEqual(least)
  expect(wrong).toBeLessThanOrEqual(most)
})

test('fewer are if columns are not matched (negative control)', () => {
  const blind: typeof proposeMapping = (columns, today) => ({
    ...proposeMapping(columns, today),
    fields: columns.map(() => null),
  })
  expect(sharesOf(compareAll(blind)).right).toBeLessThan(0.3)
})

test('more are misunderstood if the columns are interchanged (negative control)', () => {
  const confused: typeof proposeMapping = (columns, today) => {
    const proposal = proposeMapping(columns, today)
    return { ...proposal, fields: [...proposal.fields.slice(1), proposal.fields[0] ?? null] }
  }
  expect(sharesOf(compareAll(confused)).wrong).toBeGreaterThan(0.1)
})
