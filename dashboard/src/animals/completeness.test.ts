import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { expect, test } from 'vitest'
import { missingIn, percentOf, QUESTIONS } from './completeness.ts'
import { fieldsOf } from './profile-fields.ts'

const empty = { ...fieldsOf({ ...emptyProfile, name: 'Rex', categoryId: 9n }, 'EUR'), hasPhoto: false }

test('everything is missing about an animal of which nothing is written', () => {
  expect(missingIn(empty)).toHaveLength(QUESTIONS)
})

test('one answer about health or company is enough, and every answer counts once', () => {
  const missing = missingIn({ ...empty, goodWithCats: 'no', isNeutered: 'yes', isVaccinated: 'yes', born: '2 years' })
  expect(missing).toEqual(['photo', 'headline', 'story', 'breed', 'sex', 'size', 'traits', 'inCareSince'])
})

test('a photo is one of the questions', () => {
  expect(missingIn({ ...empty, hasPhoto: true })).not.toContain('photo')
  expect([0, 1, QUESTIONS].map(percentOf)).toEqual([0, 9, 100])
})
