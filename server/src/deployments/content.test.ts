// Stored content: the look is kept, and content from before there was a choice is the same content as ever.

import { firstSettings } from '@petstore/contract/platform/site'
import { expect, test } from 'vitest'
import { contentJson, digestOf, draftSettings, lookOf, readContent, settingsJson } from './content.ts'

const content = { settings: firstSettings('Willow'), categories: [{ id: 9n, name: 'Dogs' }], logo: null }

/** As the release before the looks wrote it. */
const older =
  '{"settings":{"title":"Willow","tagline":"","about":"","themeColor":"#0f766e","language":"en",' +
  '"contact":{"email":"","phone":"","address":""},"hiddenCategories":[]},' +
  '"categories":[{"id":"9","name":"Dogs"}],"logo":null}'

test('content without a look is read as Meadow', () => {
  expect(readContent(older)).toEqual(content)
  expect(lookOf(null)).toBe('meadow')
})

test('the same content keeps its digest', () => {
  expect(contentJson(content)).toBe(older)
  expect(digestOf(contentJson(readContent(older)))).toBe(digestOf(older))
})

test('another look is other content, and is read as it was written', () => {
  const journal = { ...content, settings: { ...content.settings, look: 'journal' as const } }
  expect(readContent(contentJson(journal))).toEqual(journal)
  expect(digestOf(contentJson(journal))).not.toBe(digestOf(older))
  expect(draftSettings(settingsJson(journal.settings), 'x')).toEqual(journal.settings)
  expect(lookOf(settingsJson(journal.settings))).toBe('journal')
})
