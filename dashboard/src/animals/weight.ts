// A weight as people write it. A number without a unit is in kilograms. Pure.

import { weightIn } from '@petstore-platform/contract/platform/spelled-numbers'
import { singleSpaced } from '@petstore-platform/contract/platform/spelled-words'

const WEIGHT_GRAMS_MAX = 2_000_000

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3, useGrouping: false })

/** In grams; null for nothing, undefined for what cannot be read. */
export function readWeight(text: string): number | null | undefined {
  const grams = weightIn(singleSpaced(text), 'kg')
  return grams && grams <= WEIGHT_GRAMS_MAX ? grams : grams === null ? null : undefined
}

export function writeWeight(grams: number | null): string {
  if (grams === null) return ''
  return grams < 1000 ? `${grams} g` : `${number.format(grams / 1000)} kg`
}
