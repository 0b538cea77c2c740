// Amounts of money as people write them, in the units that they pay with; stored in the
// smallest unit of the currency. Pure.

import type { FEE_MAX, Fee } from '@petstore-platform/contract/platform/profiles'

const AMOUNT_MAX: typeof FEE_MAX = 1_000_000_000

/** Those of most stores; the one that a store uses is always offered as well. */
const common =
  'AED ARS AUD BRL CAD CHF CLP COP CZK DKK EUR GBP HKD HUF ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY TWD UAH USD ZAR'.split(
    ' ',
  )

export const currenciesWith = (own: string): readonly string[] =>
  common.includes(own) ? common : [...common, own].toSorted()

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** In the smallest unit; null for nothing, undefined for what cannot be read. */
export function parseAmount(text: string, currency: string): number | null | undefined {
  const plain = text.replaceAll(/[\s'’]/g, '')
  if (plain === '') return null
  const digits = digitsOf(currency)
  const [whole, fraction] = partsOf(plain, digits)
  if (!/^\d{1,10}$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > digits) return undefined
  const amount = Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, '0') || '0')
  return amount <= AMOUNT_MAX ? amount : undefined
}

/** The last point or comma separates the fraction, unless three digits follow it: then it groups thousands. */
function partsOf(plain: string, digits: number): [whole: string, fraction: string] {
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const after = plain.length - at - 1
  const isFraction = at >= 0 && after > 0 && after <= digits
  const whole = isFraction ? plain.slice(0, at) : plain
  const groups = whole.split(/[.,]/)
  const isGrouped = groups.length === 1 || groups.slice(1).every((group) => group.length === 3)
  return isGrouped ? [groups.join(''), isFraction ? plain.slice(at + 1) : ''] : ['?', '']
}

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
