import { emptyProfile, Profile, ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { duplicateOf } from './duplicate.ts'

/** Decided for each field of a profile: a new one fails the test below until it is in one of the two lists. */
const copied = [
  'headline',
  'story',
  'breed',
  'secondBreed',
  'isMixed',
  'sex',
  'size',
  'coat',
  'color',
  'weightGrams',
  'born',
  'goodWithChildren',
  'goodWithDogs',
  'goodWithCats',
  'goodWithNote',
  'isNeutered',
  'isVaccinated',
  'isHouseTrained',
  'specialNeeds',
  'traits',
  'fee',
  'location',
  'inCareSince',
  'portrait',
  'internalNotes',
]
const notCopied = { version: 0, isHidden: true, isFeatured: false, externalId: '', chipNumber: '' }

const undecidedOf = (fields: readonly string[]) =>
  fields.filter((field) => copied.includes(field) === field in notCopied)

/** A value of its own for each field, so that none can be taken for another, or for a default. */
const filled = Object.fromEntries(Object.keys(Profile.properties).map((field) => [field, { of: field }])) as never

test('each field of a profile is copied, or deliberately not', () => {
  expect(undecidedOf(Object.keys(ProfileChange.properties))).toEqual([])
  const { profile } = duplicateOf({ name: 'Mimi', categoryId: 9n }, filled)
  expect(profile).toEqual({
    ...Object.fromEntries(copied.map((field) => [field, { of: field }])),
    ...notCopied,
  })
})

test('a field that is not decided is reported (negative control)', () => {
  expect(undecidedOf([...Object.keys(ProfileChange.properties), 'favouriteToy'])).toEqual(['favouriteToy'])
})

test('name and category are copied, and the copy is available', () => {
  const sold = { id: 3n, name: 'Mimi', categoryId: -5n, status: 'sold' as const, createdAt: new Date() }
  expect(duplicateOf(sold).pet).toEqual({ name: 'Mimi', categoryId: -5n, status: 'available' })
})

test('the copy of an animal without a profile is hidden as well', () => {
  expect(duplicateOf({ name: 'Mimi', categoryId: 9n }).profile).toEqual({ ...emptyProfile, isHidden: true })
})
