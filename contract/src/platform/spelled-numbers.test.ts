// Weights and prices as people spell them.

import { expect, test } from 'vitest'
import { feeIn, numberIn, weightIn } from './spelled-numbers.ts'

test.each([
  ['12', 12_000],
  ['12,5 Kg', 12_500],
  ['11 lbs 4 oz', 5103],
  ['8#', 3629],
  ['~5kg', 5000],
  ['ca. 5 kg', 5000],
  ['1.2 kg (2.6 lb)', 1200],
  ['4,250', 4250],
  ['1.250 g', 1250],
  ['850gr', 850],
  ['n/a', null],
  ['3-4 kg', undefined],
  ['heavy', undefined],
])('a weight of %s is %s grams', (text, grams) => expect(weightIn(text, 'kg')).toBe(grams))

test.each([
  ['$150', '15000 USD'],
  ['EUR 350,-', '35000 EUR'],
  ['Fr. 350.-', '35000 CHF'],
  ['£80 a pair', '8000 GBP'],
  ['150€ / Paar', '15000 EUR'],
  ['1.200 €', '120000 EUR'],
  ['1 200,00 €', '120000 EUR'],
  ['A$200', '20000 AUD'],
  ['150 zł', '15000 PLN'],
  ['free', '0 EUR'],
  ['kostenlos', '0 EUR'],
])('%s is %s', (text, wanted) => {
  const fee = feeIn(text, 'EUR')
  expect(fee && `${fee.amount} ${fee.currency}`).toBe(wanted)
})

test('a price that is to be asked for is none, and what is no single amount cannot be read', () => {
  expect(['on request', 'Auf Anfrage', 'Spende', '-', ''].map((text) => feeIn(text, 'EUR'))).toEqual(
    Array(5).fill(null),
  )
  expect(['2 for 100', '$75 - $100', '150€ + 50€', 'ab 100 €'].map((text) => feeIn(text, 'EUR'))).toEqual(
    Array(4).fill(undefined),
  )
})

test('a plain dollar is that of the store', () => {
  expect(['$150', 'US$150', 'R$150'].map((text) => feeIn(text, 'CAD')?.currency)).toEqual(['CAD', 'USD', 'CAD'])
  expect(feeIn('$150', 'EUR')?.currency).toBe('USD')
})

test('thousandths are a fraction of a currency that has them', () => {
  expect(feeIn('1.500', 'KWD')).toEqual({ amount: 1500, currency: 'KWD' })
  expect(feeIn('1.500', 'EUR')).toEqual({ amount: 150_000, currency: 'EUR' })
})

test('a mark groups thousands or begins a fraction', () => {
  expect(['1.250', '1,250.50', '1.250,50', "1'250", '0.125', '12,5'].map((text) => numberIn(text))).toEqual([
    1250, 1250.5, 1250.5, 1250, 0.125, 12.5,
  ])
  expect(['1.25.0', 'a', '1-2'].map((text) => numberIn(text))).toEqual(Array(3).fill(undefined))
})
