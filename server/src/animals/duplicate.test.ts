import { emptyProfile, Profile } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { duplicateOf } from './profile.ts'

const notCopied = { version: 0, isHidden: true, isFeatured: false, externalId: '', chipNumber: '' }

/** A value of its own for each field, so that none can be taken for another, or for a default. */
const filled = Object.fromEntries(
  Object.keys(Profile.properties).map((field) => [field, { of: field }]),
) as unknown as Profile

test('everything is copied but what belongs to one animal alone', () => {
  expect(duplicateOf({ name: 'Mimi', categoryId: 9n }, filled).profile).toEqual({ ...filled, ...notCopied })
})

test('name and category are copied, and the copy is available', () => {
  const sold = { id: 3n, name: 'Mimi', categoryId: -5n, status: 'sold' as const, createdAt: new Date() }
  expect(duplicateOf(sold).pet).toEqual({ name: 'Mimi', categoryId: -5n, status: 'available' })
})

test('the copy of an animal without a profile is hidden as well', () => {
  expect(duplicateOf({ name: 'Mimi', categoryId: 9n }).profile).toEqual({ ...emptyProfile, isHidden: true })
})
