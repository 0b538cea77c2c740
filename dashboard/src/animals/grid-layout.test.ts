import { expect, test } from 'vitest'
import { layoutOf } from './grid-layout.ts'

const desk = { width: 972, rem: 16, isPhone: false }
const phone = { width: 328, rem: 16, isPhone: true }

test('A table has one animal in a line, which is higher on a phone and with larger text', () => {
  expect(layoutOf('table', desk)).toEqual({ columns: 1, lineHeight: 60, headHeight: 44 })
  expect(layoutOf('table', phone)).toEqual({ columns: 1, lineHeight: 68, headHeight: 0 })
  expect(layoutOf('table', { ...desk, rem: 32 }).lineHeight).toBe(120)
})

test('Cards fill the width, and at least two stand side by side', () => {
  expect(layoutOf('cards', desk)).toEqual({ columns: 4, lineHeight: (972 - 48) / 4 + 92 + 16, headHeight: 0 })
  expect(layoutOf('cards', phone)).toEqual({ columns: 2, lineHeight: (328 - 12) / 2 + 92 + 12, headHeight: 0 })
  expect(layoutOf('cards', { ...phone, width: 288, rem: 32 }).columns).toBe(2)
  expect(layoutOf('cards', { ...desk, width: 2000 }).columns).toBe(9)
})
