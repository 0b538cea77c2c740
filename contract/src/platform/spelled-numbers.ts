// Weights and amounts of money as people spell them in spreadsheets and forms. Expects single spaces (`shortText`). For the
// server and the dashboard, which loads no schemas. Pure.

import type { FEE_MAX, Fee } from './profiles.ts'
import { dictionary, isNothing } from './spelled-words.ts'

/**
 * "12,5", "1.250,00", "1,250.00", "1'250". Undefined if it is no number. `hasThousands`: whether three digits behind the only
 * mark are thousands, rather than a fraction.
 */
export function numberIn(text: string, hasThousands = true): number | undefined {
  const plain = text.replaceAll(/[\s\u00A0'’]/g, '')
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(plain)) return undefined
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (at === -1) return Number(plain)
  const fraction = plain.slice(at + 1)
  const whole = plain.slice(0, at)
  const groups = whole.split(/[.,]/)
  const mark = plain[at] ?? ''
  const isGrouped =
    fraction.length === 3 &&
    whole !== '' &&
    whole !== '0' &&
    (groups.length > 1 ? plain.split(mark).length > 2 : hasThousands)
  if (groups.length > 1 && groups.slice(1).some((group) => group.length !== 3)) return undefined
  return Number(isGrouped ? groups.join('') + fraction : `${groups.join('') || '0'}.${fraction || '0'}`)
}

const grams = { g: 1, kg: 1000, lb: 453.592_37, oz: 28.349_523_125 } as const
type WeightUnit = keyof typeof grams

const unitOf = (word: string): WeightUnit | undefined => {
  if (/^(g|gr|grams?|gramm|grammes?|gramos?)$/i.test(word)) return 'g'
  if (/^(kg|kgs|k|kilos?|kilograms?|kilogramm|kilogrammes?|kilogramos?|kilogram)$/i.test(word)) return 'kg'
  if (/^(lb|lbs|#|pounds?|livres?|libras?)$/i.test(word)) return 'lb'
  return /^(oz|ounces?|unzen?|onces?|onzas?)$/i.test(word) ? 'oz' : undefined
}

/** In grams. Null for an empty cell, undefined for what cannot be read. `unit`: of a number alone. */
export function weightIn(text: string, unit: WeightUnit): number | null | undefined {
  if (isNothing(text)) return null
  const trimmed = text
    .trim()
    .replace(/^(?:(?:ca|circa|approx|about|around|env|environ|aprox|unos|ongeveer|etwa|est)\.?\s|[~≈]|ca\.?)\s*/i, '')
    .replace(/ ?(?:\([^()]*\)|\b(?:approx|ca|est|aprox|env)\.?|\?)$/i, '')
  const parts = [...trimmed.matchAll(/([\d.,' \u00A0]*\d)\s*([a-z]+|#)?\.?,?\s*/giy)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== trimmed) return undefined
  let sum = 0
  for (const [, number = '', word = ''] of parts) {
    const of = word === '' ? (parts.length === 1 ? unit : undefined) : unitOf(word)
    // A weight has no thousands, except of grams: "4,250" is four and a quarter.
    const amount = numberIn(number, of === 'g')
    if (amount === undefined || of === undefined) return undefined
    sum += amount * grams[of]
  }
  return Math.round(sum)
}

const symbols: readonly [RegExp, string][] = [
  [/€|\beuros?\b|\beur\b/i, 'EUR'],
  [/\b(?:CA|C|CAN)\$|\bcad\b/i, 'CAD'],
  [/\b(?:AU|A)\$|\baud\b/i, 'AUD'],
  [/\bNZ\$|\bnzd\b/i, 'NZD'],
  [/\bMX\$|\bmxn\b/i, 'MXN'],
  [/US\$|\busd\b|\bdollars?\b/i, 'USD'],
  [/£|\bgbp\b|\bquid\b/i, 'GBP'],
  [/\bs?fr\.|\bsfr\b|\bchf\b|\bfranken\b/i, 'CHF'],
  [/zł|\bpln\b/i, 'PLN'],
]

/** Of an amount, or of a cell that names it alone. "$" is the dollar of the store, or that of the United States. */
export function currencyIn(text: string, own = 'USD'): string | undefined {
  const code = /(?:^|[^A-Za-z])([A-Z]{3})(?:$|[^A-Za-z])/.exec(text)?.[1]
  if (code !== undefined && currencies.has(code)) return code
  const named = symbols.find(([symbol]) => symbol.test(text))?.[1]
  if (named !== undefined || !text.includes('$')) return named
  return symbolOf(own).includes('$') ? own : 'USD'
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

const priceWords = dictionary({
  free: [
    'free,none,nil,free of charge,foc,no fee,no charge,waived,fee waived,sponsored',
    'kostenlos,gratis,kostenfrei,umsonst,keine,ohne gebuhr',
    'aucun,aucune,gratuit,gratuite,offert,offerte',
    'ninguno,ninguna,sin coste,sin costo,gratuito,gratuita',
    'geen,kosteloos',
  ],
  ask: [
    'ask,ask us,on request,upon request,price on request,por,poa,call,enquire,inquire,negotiable,varies,variable',
    'donation,by donation,any donation,gift',
    'auf anfrage,anfrage,nach absprache,nach vereinbarung,n v,vb,vhb,spende,gegen spende',
    'sur demande,nous consulter,a discuter,a definir,a convenir,don libre,don',
    'a consultar,consultar,segun,donativo,voluntario,la voluntad',
    'op aanvraag,in overleg,nader te bepalen',
  ],
})

/** What is at least or at most to be paid is no amount. */
const BOUND = /^(?:from|ab|à partir|a partir|desde|vanaf|up to|bis|jusqu|hasta|tot|max|min)(?!\p{Letter})/iu

const AMOUNT_MAX: typeof FEE_MAX = 1_000_000_000

/** Null for an empty cell, undefined for what cannot be read. `currency`: of an amount that names none. */
export function feeIn(text: string, currency: string): Fee | null | undefined {
  const trimmed = text.trim()
  const found = currencyIn(trimmed, currency) ?? currency
  const word = priceWords(trimmed)
  if (word === 'free') return { amount: 0, currency: found }
  // Without an amount, visitors are asked to ask.
  if (word === 'ask' || isNothing(trimmed)) return null
  if (BOUND.test(trimmed)) return undefined
  const bare = trimmed
    .replaceAll(/\([^()]*\)/g, '')
    // Words between two numbers keep them apart: "2 for 100" is no amount.
    .replaceAll(/\p{Letter}+\.?|\p{Currency_Symbol}/gu, '|')
    .replaceAll(/^[|\s]+|(?<![|\s/*+])[|\s/*+]+$/g, '')
    .replace(/[.,]?\s?(?<![-–—=])[-–—=]+$/, '')
  const digits = digitsOf(found)
  const number = numberIn(bare, digits < 3)
  if (number === undefined) return undefined
  const amount = Math.round(number * 10 ** digits)
  return amount <= AMOUNT_MAX ? { amount, currency: found } : undefined
}

/** Of a fraction. */
export const digitsOf = (currency: string): number =>
  currencies.has(currency)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2

const symbolOf = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(0)

/** As an export writes it: the amount alone, with a point. */
export const amountText = ({ amount, currency }: Fee): string =>
  (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))
