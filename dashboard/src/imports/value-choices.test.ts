import type { ImportValue } from '@petstore-platform/contract/platform/import-shapes'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import { expect, test } from 'vitest'
import * as texts from '../texts/texts.ts'
import { choicesOf, readMeaning, written, type Choice, type ChoiceGroup } from './value-choices.ts'

const words = texts.imports
const dogs: ImportValue = { field: 'category', value: 'Dogs', action: 'use', to: '9', rows: 3, isProposed: true }
const categories = [{ id: 9n, name: 'Dogs and puppies' }]
const flat = (choices: (Choice | ChoiceGroup)[]) =>
  choices.flatMap((choice) => ('group' in choice ? choice.items : [choice]))
const labels = (one: ImportValue, kind: ProjectKind = 'shelter') =>
  flat(choicesOf(one, categories, kind)).map(({ label }) => label)

test('a category is one of the store, a new one, or a reason to leave animals out', () => {
  expect(labels(dogs)).toEqual([words.createCategory('Dogs'), 'Dogs and puppies', words.skip])
})

test('what is chosen now is always offered, and nothing chosen asks for an answer', () => {
  expect(labels({ ...dogs, action: 'none', to: null })[0]).toBe(words.pleaseChoose)
  const age: ImportValue = { ...dogs, field: 'age', value: '2 yrs', to: '2024' }
  expect(labels(age)).toEqual([words.bornAbout('2024'), words.clear, words.skip])
  const status: ImportValue = { ...dogs, field: 'status', value: 'Adopted', to: 'sold' }
  expect(labels(status)).toEqual(['Available', 'Reserved', 'Adopted', words.clear, words.skip])
  expect(labels(status, 'shop')).toEqual(['Available', 'Reserved', 'Sold', words.clear, words.skip])
  expect(labels({ ...dogs, to: '77' })[0]).toBe('77')
})

test('a meaning survives being an option', () => {
  for (const meaning of [
    { action: 'use', to: 'a:b' },
    { action: 'create', to: 'Dogs: large' },
    { action: 'clear', to: null },
    { action: 'none', to: null },
  ] as const)
    expect(readMeaning(written(meaning))).toEqual(meaning)
  expect(() => readMeaning('shout:1')).toThrow('no action')
})
