// The lists of words that the program reads: their form, and that no meaning is missing.

import { importFields } from '@petstore-platform/contract/platform/import-shapes'
import { petStatuses } from '@petstore-platform/contract/pets'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kinds } from './kinds.ts'
import { wordLists } from './word-lists.ts'

const folder = join(import.meta.dirname, 'words')
const files = readdirSync(folder)
const languages = ['en', 'de', 'fr', 'es', 'nl', 'it', 'ca', 'pt']

type Lists = Record<string, Record<string, string[]>>

/** What is wrong with a file. */
function faultsIn(lists: Lists): string[] {
  return Object.entries(lists).flatMap(([meaning, byLanguage]) => {
    const words = Object.values(byLanguage).flat()
    return [
      ...Object.keys(byLanguage).filter((one) => !languages.includes(one)),
      ...words.filter((word, index) => words.indexOf(word) !== index || word.trim() !== word || word === ''),
      ...(words.length === 0 ? [meaning] : []),
    ]
  })
}

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')

  test('names the language of each word, and no meaning has a word twice', () => {
    expect(faultsIn(JSON.parse(text) as Lists)).toEqual([])
  })

  test('has one word a line', () => {
    expect(text.split('\n').filter((line) => (line.match(/"/g)?.length ?? 0) > 2)).toEqual([])
  })
})

test('a word that is listed twice, or in no language, is found (negative control)', () => {
  expect(faultsIn({ name: { en: ['name'], de: ['name'] } })).toEqual(['name'])
  expect(faultsIn({ name: { xx: ['name'], de: ['rufname '] }, age: {} })).toEqual(['xx', 'rufname ', 'age'])
})

test('every field of an import has titles, every kind of animal has names, and every status has phrases', () => {
  const fields: readonly string[] = importFields
  expect([...wordLists.titles.keys()].toSorted()).toEqual([...fields].toSorted())
  expect([...wordLists.weakTitles.keys()].filter((name) => !fields.includes(name))).toEqual([])
  expect([...wordLists.kinds.keys()].toSorted()).toEqual([...kinds].toSorted())
  expect([...wordLists.statuses.keys()].toSorted()).toEqual([...petStatuses, 'gone'].toSorted())
})

test('no file is left out', () => {
  expect(Object.keys(wordLists)).toHaveLength(files.length)
})
