import { describe, expect, test } from 'vitest'
import { currenciesWith, currencyOf, feeWords, readFee, writeAmount } from './money.ts'

describe('an amount', () => {
  test.each([
    ['240', 'EUR', 24_000],
    ['240.50', 'EUR', 24_050],
    ['240,5', 'EUR', 24_050],
    ['1,200', 'USD', 120_000],
    ['1.200', 'EUR', 120_000],
    ['1.200,50', 'EUR', 120_050],
    ['1,200.50', 'USD', 120_050],
    ["1'200.50", 'CHF', 120_050],
    ['1 200', 'SEK', 120_000],
    ['0', 'EUR', 0],
    ['3000', 'JPY', 3000],
    ['3,000', 'JPY', 3000],
    ['', 'EUR', null],
    [' ', 'EUR', null],
    ['-', 'EUR', null],
    ['ask us', 'EUR', null],
    ['free', 'EUR', 0],
    ['kostenlos', 'EUR', 0],
    ['from 100', 'EUR', undefined],
    ['-5', 'EUR', undefined],
    ['12,34,5', 'EUR', undefined],
    ['3000.4', 'JPY', 3000],
    ['1.200', 'KWD', 1200],
    ['10000001', 'EUR', undefined],
    ['.', 'EUR', null],
  ])('written as "%s" in %s is %s', (amount, currency, smallest) => {
    const read = readFee({ amount, currency })
    expect(read && read.amount).toBe(smallest)
    expect(read?.currency ?? currency).toBe(currency)
  })

  test.each([
    ['120 €', 'CHF', 'EUR 12000'],
    ['CHF  80', 'EUR', 'CHF 8000'],
    ['80 Franken', 'EUR', 'CHF 8000'],
    ['$120', 'EUR', 'USD 12000'],
    ['$120', 'CAD', 'CAD 12000'],
    ['US$ 120', 'CAD', 'USD 12000'],
  ])('written as "%s" next to %s is %s', (amount, currency, wanted) => {
    const read = readFee({ amount, currency })
    expect(read && `${read.currency} ${read.amount}`).toBe(wanted)
  })

  test.each([
    [24_000, 'EUR', '240'],
    [24_050, 'EUR', '240.50'],
    [3000, 'JPY', '3000'],
    [0, 'GBP', '0'],
    [999_999_999, 'USD', '9999999.99'],
    [1500, 'KWD', '1.500'],
  ])('of %s in %s is shown as "%s", and read back as the same', (amount, currency, text) => {
    expect(writeAmount({ amount, currency })).toBe(text)
    expect(readFee({ amount: text, currency })).toEqual({ amount, currency })
  })

  test('has its currency where people only read it', () => {
    expect(feeWords({ amount: 24_000, currency: 'EUR' })).toBe('€240')
    expect(feeWords({ amount: 24_050, currency: 'GBP' })).toBe('£240.50')
  })
})

describe('the currency', () => {
  test.each([
    ['de-DE', 'EUR'],
    ['de-CH', 'CHF'],
    ['en-GB', 'GBP'],
    ['en', 'USD'],
    ['fr', 'EUR'],
    ['not a locale', 'EUR'],
  ])('of %s is %s', (locale, currency) => {
    expect(currencyOf(locale)).toBe(currency)
  })

  test('that a store uses is offered even if few do', () => {
    expect(currenciesWith('EUR')).not.toContain('KWD')
    expect(currenciesWith('KWD')).toContain('KWD')
  })
})
