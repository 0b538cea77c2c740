import { expect, test } from 'vitest'
import { bodyOf, matchKeyOf, questionsOf, withField, type Mapping } from './mapping.ts'

const mapping: Mapping = {
  fields: ['name', 'category', 'externalId', null, 'photos'],
  matchBy: 'externalId',
  dateOrder: 'dmy',
  currency: 'EUR',
  defaultCategory: null,
}

test('a field leaves the column that had it, except photos, of which there are several', () => {
  expect(withField(mapping, 3, 'name').fields).toEqual([null, 'category', 'externalId', 'name', 'photos'])
  expect(withField(mapping, 3, 'photos').fields).toEqual(['name', 'category', 'externalId', 'photos', 'photos'])
  expect(withField(mapping, 0, null).fields).toEqual([null, 'category', 'externalId', null, 'photos'])
})

test('questions follow from the columns', () => {
  expect(questionsOf(mapping)).toEqual({ matchBy: ['externalId'], dates: false, currency: false, category: false })
  const other = withField(withField(withField(mapping, 1, 'born'), 2, 'fee'), 3, 'id')
  expect(questionsOf(other)).toEqual({ matchBy: ['id'], dates: true, currency: true, category: true })
  expect(questionsOf(withField(other, 0, 'feeCurrency')).currency).toBe(false)
})

test('animals are matched only by a column that is there', () => {
  expect(matchKeyOf(mapping)).toBe('externalId')
  const body = bodyOf(
    withField(mapping, 2, null),
    [0, 1, 2, 3, 4].map((index) => ({ index })),
  )
  expect(body).toMatchObject({ matchBy: 'none', dateOrder: 'dmy' })
  expect(body.columns[4]).toEqual({ index: 4, field: 'photos' })
})
