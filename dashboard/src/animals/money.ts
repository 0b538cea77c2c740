// Amounts of money as people write them, in the units that they pay with; stored in the
// smallest unit of the currency. Pure.

import type { Fee } from '@petstore-platform/contract/platform/profiles'
import { digitsOf, feeIn } from '@petstore-platform/contract/platform/spelled-numbers'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'

/** Those of most stores; the one that a store uses is always offered as well. */
const common =
  'AED ARS AUD BRL CAD CHF CLP COP CZK DKK EUR GBP HKD HUF ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY TWD UAH USD ZAR'.split(
    ' ',
  )

export const currenciesWith = (own: string): readonly string[] =>
  common.includes(own) ? common : [...common, own].toSorted()

/** Null for nothing and for what visitors are to ask, undefined for what cannot be read. */
export const readFee = ({ amount, currency }: { amount: string; currency: string }): Fee | null | undefined =>
  feeIn(singleSpaced(amount), currency)

/** For the field: without the currency, and without a fraction that is nothing. */
export function writeAmount({ amount, currency }: Fee): string {
  const digits = digitsOf(currency)
  const isWhole = amount % 10 ** digits === 0
  return new Intl.NumberFormat(undefined, {
    useGrouping: false,
    minimumFractionDigits: isWhole ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}

/** For people: with the currency. */
export const feeWords = ({ amount, currency }: Fee): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amount / 10 ** digitsOf(currency),
  )

const regions: Readonly<Record<string, string>> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  IL: 'ILS',
  IN: 'INR',
  IS: 'ISK',
  JP: 'JPY',
  KR: 'KRW',
  LI: 'CHF',
  MX: 'MXN',
  MY: 'MYR',
  NO: 'NOK',
  NZ: 'NZD',
  PH: 'PHP',
  PL: 'PLN',
  RO: 'RON',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  ZA: 'ZAR',
}

/** Where people pay with it; the euro where that is not known. */
export function currencyOf(locale: string): string {
  try {
    return regions[new Intl.Locale(locale).maximize().region ?? ''] ?? 'EUR'
  } catch {
    return 'EUR'
  }
}
