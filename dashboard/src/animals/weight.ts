// A weight as people write it. A number without a unit is in kilograms. Pure.

const WEIGHT_GRAMS_MAX = 2_000_000

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3, useGrouping: false })

/** In grams; null for nothing, undefined for what cannot be read. */
export function parseWeight(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const [, digits, unit = 'kg'] = /^\s*(\d{1,7}(?:[.,]\d{1,3})?)\s*(kg|g)?\s*$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  const grams = Math.round(Number(digits.replace(',', '.')) * (unit.toLowerCase() === 'kg' ? 1000 : 1))
  return grams >= 1 && grams <= WEIGHT_GRAMS_MAX ? grams : undefined
}

export function writeWeight(grams: number | null): string {
  if (grams === null) return ''
  return grams < 1000 ? `${grams} g` : `${number.format(grams / 1000)} kg`
}
