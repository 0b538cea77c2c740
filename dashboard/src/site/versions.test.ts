import { describe, expect, test } from 'vitest'
import { differencesOf, type Version } from './versions.ts'

const one: Version = {
  fields: {
    title: 'Happy Paws',
    tagline: '',
    about: '',
    look: 'meadow',
    themeColor: '#0f766e',
    language: 'en',
    languages: [],
    email: '',
    phone: '',
    address: '',
    questions: null,
    hiddenCategories: [7n],
  },
  logo: null,
  categories: [
    { id: 7n, name: 'Dogs' },
    { id: 9n, name: 'Cats' },
  ],
}
const other = (change: Partial<Version['fields']>, rest: Partial<Version> = {}): Version => ({
  ...one,
  fields: { ...one.fields, ...change },
  ...rest,
})

describe('two versions', () => {
  test('with the same content do not differ', () => {
    expect(differencesOf(one, other({}))).toEqual([])
  })

  test('differ in words that people read', () => {
    expect(
      differencesOf(
        one,
        other({
          look: 'journal',
          title: 'Paws',
          language: 'de',
          languages: ['fr', 'en'],
          questions: [{ kind: 'yes_no', text: 'Do you have a garden?', isRequired: false, choices: [] }],
          hiddenCategories: [9n, 7n, 12n],
        }),
      ),
    ).toEqual([
      { field: 'look', before: 'Meadow', after: 'Journal' },
      { field: 'title', before: 'Happy Paws', after: 'Paws' },
      { field: 'language', before: 'English', after: 'Deutsch' },
      { field: 'languages', before: '', after: 'English, Français' },
      { field: 'questions', before: 'The usual questions', after: 'Do you have a garden?' },
      { field: 'hiddenCategories', before: 'Dogs', after: '#12, Cats, Dogs' },
    ])
  })

  test('do not differ in the order of languages, nor by the main one among the others', () => {
    const languages = other({ languages: ['de', 'fr'] })
    expect(differencesOf(languages, other({ languages: ['fr', 'en', 'de'] }))).toEqual([])
  })

  test.each([
    [null, 'a', 'No logo', 'A logo'],
    ['a', null, 'A logo', 'No logo'],
    ['a', 'b', 'A logo', 'Another logo'],
  ])('with the logos %s and %s differ in the logo', (before, after, was, is) => {
    expect(differencesOf(other({}, { logo: before }), other({}, { logo: after }))).toEqual([
      { field: 'logo', before: was, after: is },
    ])
  })

  test('name only the categories that came, went or were renamed', () => {
    const categories = [
      { id: 7n, name: 'Puppies' },
      { id: 9n, name: 'Cats' },
      { id: 10n, name: 'Birds' },
    ]
    expect(differencesOf(one, other({}, { categories }))).toEqual([
      { field: 'categories', before: 'Dogs', after: 'Birds, Puppies' },
    ])
  })
})
