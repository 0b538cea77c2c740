// What the values of a column say about its meaning: whether they can be what the title says, and, where the title says
// nothing, what they can only be. Pure.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { ageIn, bornIn, dayIn } from '@petstore-platform/contract/platform/spelled-dates'
import { feeIn, numberIn, weightIn } from '@petstore-platform/contract/platform/spelled-numbers'
import { isNothing } from '@petstore-platform/contract/platform/spelled-words'
import { isBreed, kindOf } from './kinds.ts'
import { statusOf } from './statuses.ts'
import { isMatched, proposeMatch, type MatchedField } from './values.ts'

/** The values of a column, as far as a proposal needs them. `repeats`: cells whose value occurred before. */
export type ColumnSummary = { title: string; samples: readonly string[]; repeats: number }

type Test = (text: string) => boolean

/** Of values that say something; 1 if none does. */
function share(samples: readonly string[], test: Test): number {
  const said = samples.filter((text) => !isNothing(text))
  return said.length === 0 ? 1 : said.filter(test).length / said.length
}

const HALF = 0.5

/** Whether the values can be what the title says. A weak title needs values that speak for it. */
export function canHold(field: ImportField, column: ColumnSummary, isWeak: boolean, today: string): boolean {
  const { samples } = column
  const test = tests(today)[field]
  if (test) return share(samples, test) >= HALF && (!isWeak || samples.length > 0)
  // A cross may mean anything: "available: x", "adopted: x".
  if (field === 'status' && isWeak && samples.every((text) => isNothing(text) || /^x+$/i.test(text))) return false
  if (isMatched(field)) return share(samples, isUnderstood(field, today)) >= HALF
  if (field === 'externalId')
    return (
      !isAnswers(samples, today) &&
      !(isWeak && (column.repeats > samples.length || samples.some(isLong) || isCounting(samples)))
    )
  return (
    !isAnswers(samples, today) && (!isWeak || (share(samples, isNumber) < HALF && share(samples, isDate(today)) < HALF))
  )
}

/** 1, 2, 3: the number of a row, not of an animal. */
const isCounting = (samples: readonly string[]): boolean =>
  samples.every((text, index) => text === String(index + 1) || text === `${index + 1}.`)

const isUnderstood =
  (field: MatchedField, today: string): Test =>
  (text) =>
    proposeMatch(field, text, { categories: [], today }).action !== 'none'

const isNumber: Test = (text) => numberIn(text) !== undefined
const isLong: Test = (text) => text.length > 30
const isDate =
  (today: string): Test =>
  (text) =>
    /\d[./-]\d|\d{4}/.test(text) && dayIn(text, 'dmy', today) !== undefined

/** Mostly yes and no. */
const isAnswers = (samples: readonly string[], today: string): boolean =>
  samples.some((text) => proposeMatch('isMixed', text, { categories: [], today }).to === 'yes') &&
  share(samples, isUnderstood('isHidden', today)) > HALF

const isPhoto: Test = (text) => /https?:\/\/\S+|\.(jpe?g|png|webp|heic|gif)\b/i.test(text)
const isChip: Test = (text) =>
  /^(?:[a-z]{0,3}[\s-]?)?\d[\d\s.+-]{7,}\d$/i.test(text.trim()) || /^\d[.,]\d+E\+?\d+$/i.test(text.trim())

const tests = (today: string): Partial<Record<ImportField, Test>> => ({
  id: (text) => /^\d+$/.test(text.trim()),
  categoryId: (text) => /^\d+$/.test(text.trim()),
  born: (text) => bornIn(text, 'dmy', today) !== undefined || bornIn(text, 'mdy', today) !== undefined,
  inCareSince: (text) => dayIn(text, 'dmy', today) !== undefined || dayIn(text, 'mdy', today) !== undefined,
  weightGrams: (text) => weightIn(text, 'g') !== undefined,
  weightKilograms: (text) => weightIn(text, 'kg') !== undefined,
  weightPounds: (text) => weightIn(text, 'lb') !== undefined,
  fee: (text) => feeIn(text, 'EUR') !== undefined,
  chipNumber: isChip,
  photos: isPhoto,
  name: (text) =>
    !isNumber(text) &&
    !isDate(today)(text) &&
    !isKind(text) &&
    !/^(yes|no|ja|nein|oui|non|s[ií]|y|n|j|x|\?)$/i.test(text.trim()),
  category: (text) => !isNumber(text) && !/^(yes|no|ja|nein|oui|non|s[ií]|y|n|j|x|\?)$/i.test(text.trim()),
})

/** "Dog", "2 cats": the kind and hardly anything else. */
const isKind: Test = (text) => kindOf(text) !== undefined && text.trim().split(/\s+/).length <= 3

export const speaksOfKinds = ({ samples }: ColumnSummary): boolean =>
  samples.length > 0 && share(samples, isKind) >= HALF

/** What the values can only be, whatever the title says; undefined if they could be several things. */
export function fieldOfContents({ samples }: ColumnSummary, today: string): ImportField | undefined {
  if (samples.every(isNothing)) return undefined
  const most = (test: Test, least: number) => share(samples, test) >= least
  if (most((text) => /^https:\/\/\S+/i.test(text.trim()) || /^[^/\\]+\.(jpe?g|png|webp|heic)$/i.test(text.trim()), 1))
    return 'photos'
  if (most((text) => /^(?:\d\s?){15}$/.test(text.trim()), 0.8)) return 'chipNumber'
  if (most(isSexWord, 0.9)) return 'sex'
  if (most(isKind, 0.8)) return 'category'
  if (most((text) => text.trim().length > 3 && statusOf(text) !== undefined, 0.7)) return 'status'
  if (most((text) => /\d\s*\p{Letter}/u.test(text) && ageIn(text, today) !== undefined, 0.8)) return 'age'
  if (most((text) => /\d\s*(kg|lbs?)\.?$/i.test(text.trim()), 0.8)) return 'weightKilograms'
  return samples.length > 2 && most(isBreed, 0.6) && !samples.some(isLong) ? 'breed' : undefined
}

const isSexWord: Test = (text) =>
  /^(female|male|weiblich|männlich|hündin|rüde|femelle|mâle|hembra|macho|boy|girl|teef|reu)\b/i.test(text.trim())
