// Stored content: the look and the languages are kept, and content from before there was a choice is the same content
// as ever.

import { firstSettings, type Language } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { contentJson, digestOf, draftSettings, readContent, settingsJson } from './content.ts'

const settings = { ...firstSettings('Willow'), questions: [] }
const content = { settings, categories: [{ id: 9n, name: 'Dogs' }], logo: null }

/** As the release before the looks wrote it. */
const older =
  '{"settings":{"title":"Willow","tagline":"","about":"","themeColor":"#0f766e","language":"en",' +
  '"contact":{"email":"","phone":"","address":""},"hiddenCategories":[]},' +
  '"categories":[{"id":"9","name":"Dogs"}],"logo":null}'

test('content without a look is read as Meadow, without languages as having no further ones, and asks no questions', () => {
  expect(readContent(older)).toEqual(content)
  expect(content.settings).toMatchObject({ look: 'meadow', languages: [] })
})

test('the same content keeps its digest', () => {
  expect(contentJson(content)).toBe(older)
  expect(digestOf(contentJson(readContent(older)))).toBe(digestOf(older))
})

test('questions are read as they were written, and so is the choice of the usual ones', () => {
  const garden = { kind: 'yes_no' as const, text: 'Do you have a garden?', isRequired: true, choices: [] }
  for (const questions of [null, [garden]]) {
    const asking = { ...content, settings: { ...settings, questions } }
    expect(readContent(contentJson(asking))).toEqual(asking)
    expect(digestOf(contentJson(asking))).not.toBe(digestOf(older))
  }
})

test('another look is other content, and is read as it was written', () => {
  const journal = { ...content, settings: { ...content.settings, look: 'journal' as const } }
  expect(readContent(contentJson(journal))).toEqual(journal)
  expect(digestOf(contentJson(journal))).not.toBe(digestOf(older))
  expect(draftSettings(settingsJson(journal.settings), 'x')).toEqual(journal.settings)
})

test('further languages are other content, whose order has no meaning', () => {
  const speaking = (...languages: Language[]) => ({ ...content, settings: { ...content.settings, languages } })
  expect(readContent(contentJson(speaking('de', 'fr')))).toEqual(speaking('de', 'fr'))
  expect(contentJson(speaking('fr', 'de'))).toBe(contentJson(speaking('de', 'fr')))
  expect(digestOf(contentJson(speaking('de')))).not.toBe(digestOf(older))
})
