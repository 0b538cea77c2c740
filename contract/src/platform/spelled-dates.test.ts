// Dates as people spell them, in many orders and as exactly as they are known.

import { expect, test } from 'vitest'
import { bornIn, dateOrderOf, dayIn } from './spelled-dates.ts'

const today = '2026-11-17'

/** With ~ if it is estimated. */
function spelled(text: string, order: 'dmy' | 'mdy' = 'dmy'): string | null | undefined {
  const born = bornIn(text, order, today)
  if (!born) return born
  return born.date.slice(0, { day: 10, month: 7, year: 4 }[born.precision]) + (born.isEstimated ? '~' : '')
}

test.each([
  ['2021', '2021'],
  ['05/2021', '2021-05'],
  ['05/21', '2021-05'],
  ['Mar-21', '2021-03'],
  ['mars 2020', '2020-03'],
  ['12.3.21', '2021-03-12'],
  ['12 3 2021', '2021-03-12'],
  ['2021/03/12', '2021-03-12'],
  ['20210312', '2021-03-12'],
  ['2021-03-12T00:00:00Z', '2021-03-12'],
  ['12/03/2021 14:30', '2021-03-12'],
  ['Friday, March 12, 2021', '2021-03-12'],
  ['12th of March 2021', '2021-03-12'],
  ['1er mars 2021', '2021-03-01'],
  ['12 de marzo de 2021', '2021-03-12'],
  ['15 mrt 2021', '2021-03-15'],
  ['*12.03.2020', '2020-03-12'],
  ['geb. 2019', '2019'],
  ['44270', '2021-03-15'],
  ['c. 2019', '2019~'],
  ['2019?', '2019~'],
  ['12/03/2021 (est.)', '2021-03-12~'],
  ['ca. 05/2020', '2020-05~'],
  ['Spring 2021', '2021~'],
  ['Anfang 2020', '2020~'],
  ['2 years', '2024~'],
  ['10 weeks', '2026-09-08~'],
  ['1 year 2 weeks', '2025-11-03~'],
  ['vor 2 Jahren', '2024~'],
  ['mar 2021', '2021-03'],
  ['Mar 12, 2021', '2021-03-12'],
  ['mar. 12/04/2021', '2021-04-12'],
  ['mar. 12 avril 2021', '2021-04-12'],
])('%s is %s', (text, date) => expect(spelled(text)).toBe(date))

test('what is no date is none: neither a number alone nor a day that does not exist', () => {
  expect(['0', '12', '31.02.2020', '12/03', '12 March', 'soon'].map((text) => spelled(text))).toEqual(
    Array(6).fill(undefined),
  )
  expect(['', '?', 'unknown', 'n/a', '–'].map((text) => spelled(text))).toEqual(Array(5).fill(null))
})

test('a date that can be read in one way alone decides for the others', () => {
  expect(dateOrderOf(['03/04/2021', '03/14/2021'], false)).toBe('mdy')
  expect(dateOrderOf(['03/04/2021', '14/03/2021'], true)).toBe('dmy')
  expect(spelled('03/04/2021', 'mdy')).toBe('2021-03-04')
  expect(spelled('03/04/2021', 'dmy')).toBe('2021-04-03')
  expect(dayIn('ca. 03.04.2021', 'mdy', today)).toBe('2021-04-03')
})
