import { expect, test } from 'vitest'
import { changedAt, movedUp, newQuestion, sentQuestions, withoutAt } from './question-list.ts'

const one = { ...newQuestion, text: 'One?' }
const two = { ...newQuestion, text: 'Two?' }

test('what is not written yet is not sent', () => {
  const house = { ...newQuestion, kind: 'choice' as const, text: 'Where?', choices: ['House', '', ' Flat ', 'House'] }
  expect(sentQuestions([one, newQuestion, house])).toEqual([one, { ...house, choices: ['House', 'Flat'] }])
  expect(sentQuestions(null)).toBeNull()
})

test('choices of a question that is no longer a choice are not sent', () => {
  expect(sentQuestions([{ ...one, choices: ['House', 'Flat'] }])).toEqual([one])
})

test('questions are changed, moved and removed by their place', () => {
  expect(changedAt([one, two], 1, { isRequired: true })).toEqual([one, { ...two, isRequired: true }])
  expect(movedUp([one, two], 1)).toEqual([two, one])
  expect(movedUp([one, two], 0)).toEqual([one, two])
  expect(withoutAt([one, two], 0)).toEqual([two])
})
