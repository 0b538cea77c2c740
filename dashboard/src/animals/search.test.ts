import { describe, expect, test } from 'vitest'
import { animalSearch, filterOf } from './search.ts'

describe('the address of the animals', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['nothing', {}, {}],
    [
      'a name, a status and a category',
      { name: 'Re', status: 'sold', category: 9 },
      { name: 'Re', status: 'sold', category: 9 },
    ],
    ['a name of digits', { name: 12 }, { name: '12' }],
    ['a name with control characters', { name: '\u0007Re\u0000x' }, { name: 'Rex' }],
    ['a name of white space', { name: '   ' }, {}],
    ['a status that there is not', { status: 'lost', category: 'dogs' }, {}],
    ['a status with the name of a property', { status: 'toString' }, {}],
    ['a category that no number can hold', { category: '9223372036854775807' }, { category: '9223372036854775807' }],
    ['a category as text that a number can hold', { category: '-9' }, { category: -9 }],
    ['no photo, by name', { photo: 'none', sort: 'name' }, { photo: 'none', sort: 'name' }],
    ['least complete first', { sort: 'completeness' }, { sort: 'completeness' }],
    ['another photo and order', { photo: 'all', sort: 'age' }, {}],
    ['half a category', { category: 1.5 }, {}],
  ])('%s', (_, search, read) => {
    expect(animalSearch(search)).toEqual(read)
    expect(animalSearch(animalSearch(search))).toEqual(read)
  })

  test('a category is never rounded', () => {
    expect(filterOf(animalSearch({ category: '9223372036854775807' })).categoryId).toBe(9223372036854775807n)
  })
})
