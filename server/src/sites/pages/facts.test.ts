// Facts of an animal in words: ages at the borders, in every language, amounts in every kind of currency.

import { emptyProfile } from '@petstore-platform/contract/platform/profiles'
import { languages } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { ageOf, breedOf, decimalFee, feeOf, monthOf, weightOf } from './facts.ts'
import { ages, bornWithin } from './filters.ts'
import { contentWith, siteWith, TODAY } from '../../../../testbed/samples/sites.ts'

const site = siteWith(contentWith())
const born = (date: string, precision: 'day' | 'month' | 'year' = 'day', isEstimated = false) => ({
  date,
  precision,
  isEstimated,
})

test.each([
  [born('2026-11-17'), '1 week'],
  [born('2026-11-01'), '2 weeks'],
  [born('2026-10-17'), '1 month'],
  [born('2026-10-18'), '4 weeks'],
  [born('2026-11-01', 'month'), '1 month'],
  [born('2025-01-01', 'month'), '22 months'],
  [born('2024-11-18'), '23 months'],
  [born('2024-11-17'), '2 years'],
  [born('2023-04-01', 'month', true), 'about 3 years'],
  [born('2026-01-01', 'year'), 'under 1 year'],
  [born('2025-01-01', 'year'), '1 year'],
  [born('1900-01-01', 'year'), '126 years'],
  [born('2026-11-18'), undefined],
  [born('2099-12-31', 'year'), undefined],
  [null, undefined],
])('the age of %j is %s', (date, age) => {
  expect(ageOf(site, date)).toBe(age)
})

test.each(languages)('ages, months and weights are in words of %s', (language) => {
  const own = siteWith(contentWith({ language }))
  const said = [ageOf(own, born('2023-04-01')), monthOf(own, '2026-03-31'), weightOf(own, 28_500)]
  const expected = {
    en: ['3 years', 'March 2026', '29 kg'],
    de: ['3 Jahre', 'März 2026', '29 kg'],
    fr: ['3 ans', 'mars 2026', '29 kg'],
    es: ['3 años', 'marzo de 2026', '29 kg'],
  }
  expect(said.map((text) => text?.replaceAll(/[\u00A0\u202F]/g, ' '))).toEqual(expected[language])
})

test.each([
  [null, 'Ask us'],
  [{ amount: 0, currency: 'EUR' }, 'Free'],
  [{ amount: 25_000, currency: 'EUR' }, '€250'],
  [{ amount: 25_050, currency: 'USD' }, '$250.50'],
  [{ amount: 500, currency: 'JPY' }, '¥500'],
  [{ amount: 1500, currency: 'BHD' }, 'BHD\u00A01.500'],
  [{ amount: 100, currency: 'XXX' }, '¤1'],
])('the fee %j is %s', (fee, text) => {
  expect(feeOf(site, fee)).toBe(text)
})

test('a fee is a decimal number for search engines', () => {
  expect(decimalFee({ amount: 25_050, currency: 'EUR' })).toBe('250.50')
  expect(decimalFee({ amount: 500, currency: 'JPY' })).toBe('500')
})

test('the number for search engines does not change how the fee is shown', () => {
  const fee = { amount: 7000, currency: 'CHF' }
  expect([decimalFee(fee), feeOf(site, fee)]).toEqual(['70.00', 'CHF\u00A070'])
})

test('weights are rounded as people say them', () => {
  expect([40, 999, 4321, 28_500].map((grams) => weightOf(site, grams))).toEqual(['40 g', '999 g', '4.3 kg', '29 kg'])
})

test('age groups meet at 6 months, 2 and 9 years, and leave no day out', () => {
  expect(ages.map((age) => bornWithin(age, TODAY))).toEqual([
    { after: '2026-05-17', until: '2026-11-17' },
    { after: '2024-11-17', until: '2026-05-17' },
    { after: '2017-11-17', until: '2024-11-17' },
    { after: null, until: '2017-11-17' },
  ])
  expect(bornWithin('young', '2026-08-31').until).toBe('2026-02-28')
})

test.each(languages)('in %s, a breed that says that it is a mix is left as it is', (language) => {
  const own = siteWith(contentWith({ language }))
  const breedIn = (breed: string, isMixed = true) => breedOf(own, { ...emptyProfile, breed, isMixed })
  const mixes = [
    'Mix',
    'Labrador-Mix',
    'Labradormix',
    'mixed breed',
    'Schäferhundmischling',
    'Croisé labrador',
    'Mestizo',
  ]
  expect(mixes.map((breed) => breedIn(breed))).toEqual(mixes)
  expect(breedIn('Mix', false)).toBe('Mix')
  // Others get the word.
  expect(breedIn('Labrador')).not.toBe('Labrador')
  expect(breedIn('')).not.toBe('')
})
