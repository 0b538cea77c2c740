import { describe, expect, test } from 'vitest'
import { ageOf } from './age.ts'
import { readBorn, writeBorn } from './born.ts'

const today = new Date(2026, 10, 17)

describe('a date of birth', () => {
  test.each([
    ['2024', '2024-01-01', 'year', false],
    ['about 2020', '2020-01-01', 'year', true],
    ['2024-03', '2024-03-01', 'month', false],
    ['2024-03-12', '2024-03-12', 'day', false],
    ['March 2024', '2024-03-01', 'month', false],
    ['mar 2024', '2024-03-01', 'month', false],
    ['12 March 2024', '2024-03-12', 'day', false],
    ['12. March 2024', '2024-03-12', 'day', false],
    ['March 12, 2024', '2024-03-12', 'day', false],
    ['12th sept 2024', '2024-09-12', 'day', false],
    ['12.3.2024', '2024-03-12', 'day', false],
    ['12/03/2024', '2024-03-12', 'day', false],
    ['03/2024', '2024-03-01', 'month', false],
    ['2 years', '2024-01-01', 'year', true],
    ['about 2 years old', '2024-01-01', 'year', true],
    ['1 yr', '2025-01-01', 'year', true],
    ['1.5 years', '2025-05-01', 'month', true],
    ['1 year and 3 months', '2025-08-01', 'month', true],
    ['8 months', '2026-03-01', 'month', true],
    ['11 months', '2025-12-01', 'month', true],
    ['6 weeks', '2026-10-06', 'day', true],
    ['3 Jahre', '2023-01-01', 'year', true],
    ['März  2022', '2022-03-01', 'month', false],
    ['12 de mayo de 2021', '2021-05-12', 'day', false],
    ['vers 2019', '2019-01-01', 'year', true],
    ['2 years ago', '2024-01-01', 'year', true],
  ])('written as "%s" is %s, known to the %s', (text, date, precision, isEstimated) => {
    expect(readBorn(text, today)).toEqual({ date, precision, isEstimated })
  })

  test.each([
    'soon',
    'old',
    '2',
    '31 February 2024',
    '12 March',
    '13/13/2024',
    '2027',
    '18 November 2026',
    '1899',
    '150 years',
  ])('cannot be read from "%s"', (text) => {
    expect(readBorn(text, today)).toBeUndefined()
  })

  test('is not known if nothing is written, or that it is unknown', () => {
    expect([' ', 'unknown', '?'].map((text) => readBorn(text, today))).toEqual([null, null, null])
  })

  test.each([
    ['2024-03-12', 'day', '12 March 2024'],
    ['2024-03-01', 'month', 'March 2024'],
    ['2024-01-01', 'year', '2024'],
  ] as const)('of %s, known to the %s, is shown as "%s", and read back as the same', (date, precision, text) => {
    expect(writeBorn({ date, precision })).toBe(text)
    expect(readBorn(text, today)).toEqual({ date, precision, isEstimated: false })
  })
})

describe('an age', () => {
  test.each([
    ['2024-11-17', 'day', 2, 'year'],
    ['2024-11-18', 'day', 1, 'year'],
    ['2024-01-01', 'year', 2, 'year'],
    ['2026-01-01', 'year', 0, 'year'],
    ['2026-03-01', 'month', 8, 'month'],
    ['2026-11-01', 'month', 0, 'month'],
    ['2026-09-18', 'day', 8, 'week'],
    ['2026-11-14', 'day', 3, 'day'],
    ['2026-11-17', 'day', 0, 'day'],
  ] as const)('from %s, known to the %s, is %s in the unit %s', (date, precision, count, unit) => {
    expect(ageOf({ date, precision }, today)).toEqual({ count, unit })
  })

  test('of an animal that is not born yet is not known', () => {
    expect(ageOf({ date: '2026-11-18', precision: 'day' }, today)).toBeUndefined()
  })

  test('written as years or months is shown as the same', () => {
    for (const count of [1, 2, 7, 13])
      expect(ageOf(readBorn(`${count} years`, today) ?? { date: '', precision: 'day' }, today)).toEqual({
        count,
        unit: 'year',
      })
    for (const count of [2, 5, 11])
      expect(ageOf(readBorn(`${count} months`, today) ?? { date: '', precision: 'day' }, today)).toEqual({
        count,
        unit: 'month',
      })
  })
})
