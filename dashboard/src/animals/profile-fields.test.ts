import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { describe, expect, test } from 'vitest'
import { changeOf, fieldNames, fieldsOf, isSame, unreadableIn, type Fields, type Stored } from './profile-fields.ts'
import { breedWords } from './profile-words.ts'

const today = new Date(2026, 10, 17)
const stored: Stored = {
  ...emptyProfile,
  version: 3,
  name: 'Rex',
  categoryId: 9n,
  breed: 'Labrador',
  weightGrams: 17_000,
  born: { date: '2024-01-01', precision: 'year', isEstimated: true },
  traits: ['calm'],
  fee: { amount: 24_000, currency: 'CHF' },
  inCareSince: '2026-03-14',
}
const fields = fieldsOf(stored, 'EUR')
const differing = (change: Partial<Fields>) =>
  fieldNames.filter((name) => !isSame(fields, { ...fields, ...change }, name, today))

describe('the fields of an animal', () => {
  test('are what the server stores, when nothing is changed', () => {
    const { name: _, categoryId: __, ...profile } = stored
    expect(changeOf(fields, 3, today)).toEqual(profile)
    expect(differing({})).toEqual([])
  })

  test('each have a place in the order of the page', () => {
    expect(fieldNames.toSorted()).toEqual(Object.keys(fields).toSorted())
  })

  test('of an animal without a profile are empty, and stay so', () => {
    const empty = fieldsOf({ ...emptyProfile, name: 'Rex', categoryId: 9n }, 'EUR')
    expect(empty).toMatchObject({ weightGrams: '', born: '', fee: { amount: '', currency: 'EUR' }, inCareSince: '' })
    expect(changeOf(empty, 0, today)).toEqual(emptyProfile)
    expect(unreadableIn(empty, today)).toEqual([])
  })

  test('are the same if they are written otherwise and mean the same', () => {
    expect(differing({ weightGrams: '17', born: '2 years', fee: { amount: '240.00', currency: 'CHF' } })).toEqual([])
    expect(differing({ traits: ['calm'] })).toEqual([])
  })

  test('differ if they mean something else, or cannot be read', () => {
    expect(differing({ weightGrams: '17.5' })).toEqual(['weightGrams'])
    expect(differing({ born: '3 years' })).toEqual(['born'])
    expect(differing({ born: '2 yea' })).toEqual(['born'])
    expect(differing({ isBornEstimated: false })).toEqual(['isBornEstimated'])
    expect(differing({ fee: { amount: '240', currency: 'EUR' } })).toEqual(['fee'])
    expect(differing({ categoryId: 10n, traits: [] })).toEqual(['categoryId', 'traits'])
  })

  test('the currency of no fee, and whether no date is estimated, mean nothing', () => {
    const none = { ...fields, born: '', isBornEstimated: false, fee: { amount: '', currency: 'EUR' } }
    const other = { ...none, born: 'unknown', isBornEstimated: true, fee: { amount: ' ', currency: 'USD' } }
    expect(fieldNames.filter((name) => !isSame(none, other, name, today))).toEqual([])
  })

  test('are read in the words of several languages', () => {
    const said = { born: '3 Jahre', weightGrams: '12 lb', fee: { amount: '120 €', currency: 'CHF' } }
    expect(changeOf({ ...fields, ...said }, 3, today)).toMatchObject({
      born: { date: '2023-01-01', precision: 'year', isEstimated: true },
      weightGrams: 5443,
      fee: { amount: 12_000, currency: 'EUR' },
    })
  })

  test('that cannot be read are named', () => {
    const bad = { ...fields, weightGrams: 'heavy', born: 'long ago', fee: { amount: 'from 100', currency: 'EUR' } }
    expect(unreadableIn(bad, today)).toEqual(['weightGrams', 'born', 'fee'])
  })
})

test('a mixed breed is called a mix once', () => {
  const breedIn = (breed: string) => breedWords({ breed, secondBreed: '', isMixed: true })
  expect(['Labrador', 'Labrador Mix', 'Mix'].map(breedIn)).toEqual(['Labrador mix', 'Labrador Mix', 'Mix'])
})
