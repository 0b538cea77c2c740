// Cells of a spreadsheet as fields of a profile: what the API would reject is noted, and changes nothing.

import { expect, test } from 'vitest'
import type { ImportReading } from '@petstore-platform/contract/platform/import-shapes'
import { emptyFields } from '../animals/profile.ts'
import { profileOf } from './fields.ts'

test('a story with more formatting than may be saved is noted, with its column', () => {
  const notes: [column: number, reason: string][] = []
  const context = {
    reading: { dateOrder: 'dmy', currency: 'EUR' } as unknown as ImportReading,
    today: '2026-11-18',
    isNew: true,
    note: (column: number, reason: string) => void notes.push([column, reason]),
  }
  const storyOf = (text: string) => profileOf(new Map([['story', { column: 4, text }]]), emptyFields, context).story
  expect(storyOf('- calm\n- curious')).toBe('- calm\n- curious')
  expect(notes).toEqual([])
  expect(storyOf('- a\n'.repeat(2500))).toBe('')
  expect(notes).toEqual([[4, expect.stringMatching(/^'story' must have at most 600 line breaks/)]])
})
