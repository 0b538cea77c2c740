// Proposes what the values of a spreadsheet mean, each distinct value once: a category, a status, an answer, a sex, a size,
// an age. In English, German, French, Spanish and Dutch. What is not certain has no match: an owner is asked. Pure.

import type { ImportField, ValueAction } from '@petstore-platform/contract/platform/import-shapes'
import { petStatuses } from '@petstore-platform/contract/pets'
import {
  fieldsWith,
  profileFields,
  type ProfileFieldEntry,
  type ProfileFieldsWith,
} from '@petstore-platform/contract/platform/profile-fields'
import { answers } from '@petstore-platform/contract/platform/profiles'
import { ageIn, bornIn } from '@petstore-platform/contract/platform/spelled-dates'
import { dictionary, plainWord, wordsOf } from '@petstore-platform/contract/platform/spelled-words'
import { kindOf, widerKinds } from './kinds.ts'
import { statusOf } from './statuses.ts'
import { wordLists } from './word-lists.ts'

export type Match = { action: ValueAction; to: string | null }

export type MatchContext = {
  categories: readonly { id: bigint; name: string }[]
  /** YYYY-MM-DD. */
  today: string
}

/** A portrait has a name, which is no word of any language. */
type MatchedOfProfile = Exclude<ProfileFieldsWith<{ type: 'choice' | 'flag' | 'answer' }>, 'portrait'>
const matchedOfProfile = fieldsWith({ type: ['choice', 'flag', 'answer'] }).filter((name) => name !== 'portrait')
const byField = <Of>(of: (name: MatchedOfProfile, entry: ProfileFieldEntry) => Of) =>
  Object.fromEntries(matchedOfProfile.map((name) => [name, of(name, profileFields[name])])) as Record<
    MatchedOfProfile,
    Of
  >

const yesOrNo = ['yes', 'no'] as const
/** The fields whose values are matched; an empty list means any value of the right form. */
const allowed = {
  category: [],
  status: petStatuses,
  age: [],
  isBornEstimated: yesOrNo,
  isShown: yesOrNo,
  notGoodWithChildren: answers,
  notGoodWithDogs: answers,
  notGoodWithCats: answers,
  ...byField((_, entry) => (entry.type === 'choice' ? entry.values : entry.type === 'flag' ? yesOrNo : answers)),
} as const satisfies Partial<Record<ImportField, readonly string[]>>
export type MatchedField = keyof typeof allowed

export const isMatched = (field: ImportField): field is MatchedField => Object.hasOwn(allowed, field)

/** Whether a match makes sense for its field. */
export function isPossible(
  field: ImportField,
  { action, to }: Match,
  { categories }: Pick<MatchContext, 'categories'>,
): boolean {
  if (!isMatched(field)) return false
  if (action === 'create') return field === 'category' && to !== null && to.trim() !== ''
  if (action !== 'use') return to === null
  if (field === 'category') return categories.some(({ id }) => String(id) === to)
  if (field === 'age') return to !== null && /^(19|20)\d\d(-(0[1-9]|1[0-2]))?$/.test(to)
  return (allowed[field] as readonly string[]).includes(to ?? '')
}

export function proposeMatch(field: MatchedField, value: string, context: MatchContext): Match {
  if (field === 'category') return categoryMatch(value, context)
  if (field === 'age') return ageMatch(value, context.today)
  const exact = (allowed[field] as readonly string[]).find((one) => one === value.trim())
  if (exact !== undefined) return use(exact)
  return proposals[field](value, context.today) ?? NONE
}

const use = (to: string): Match => ({ action: 'use', to })
const NONE: Match = { action: 'none', to: null }
const CLEAR: Match = { action: 'clear', to: null }
const SKIP: Match = { action: 'skip', to: null }

type Propose = (value: string, today: string) => Match | undefined

const wordsFor = (name: string): readonly string[] => wordLists.values.get(name) ?? []

/** With the words that only the answers of one field have. */
const words = (field: string) =>
  dictionary({
    no: [...wordsFor(`${field}.no`), ...wordsFor('answer.no')],
    yes: [...wordsFor(`${field}.yes`), ...wordsFor('answer.yes')],
    unknown: [...wordsFor('answer.unknown'), ...wordsFor(`${field}.unknown`)],
  })

/** "Yes, loves them", "nein (zu klein)": the first word says it, unless the next ones say that it is not known. */
const YES_FIRST = /^(yes|ja|oui|s[ií]|yep|y|ok)\b\s*[^\p{Letter}\d\s/]|^(yes|ja|oui|s[ií])\s/iu
const NO_FIRST = /^(no|nein|non|nee|n)\b\s*[^\p{Letter}\d\s/]|^(no|nein|non|nee)\s/iu
const NOT_KNOWN =
  /\b(test|teste|testee|tested|getestet|getest|testad|probad|known|bekannt|bekend|connu|info|idea|sabe|data|datos|consta)/i
/** An answer that holds for some of them says less than yes: "8+", "teens only", "nur Hündinnen", "ab 12 J.". */
const CONDITION =
  /\d\s*\+|\b(older|teens?|teenagers?|only|selective|depends|some|female dogs|males|calm|supervis|ab \d|nur|ältere|größere|ruhige|souveräne|à partir|seulement|uniquement|grands|femelles|selon|a partir|mayores|sólo|solo|algunos|según|tranquil|vanaf|alleen|oudere|rustige|sommige)/i

/** Without what is in parentheses, and without a date at the end: "done (03/24)", "geimpft am 12.3.2024". */
const withoutDetails = (text: string): string =>
  text.replaceAll(/\([^()]*\)/g, '').replace(/[\s,:]*\b(?:am|on|le|el|op|in)?\s*\d[\d./\s-]*$/i, '')

const answer = (field: string): Propose => {
  const read = words(field)
  return (value) => {
    const text = value.trim()
    const found = read(text) ?? (CONDITION.test(text) ? undefined : read(withoutDetails(text)))
    if (found !== undefined) return use(found)
    if (/^[✓✔☑√✅👍+]+$/u.test(text)) return use('yes')
    if (/^[✗✘☒❌✖👎]+$/u.test(text)) return use('no')
    if (/^[-–—?./\s]+$/.test(text)) return use('unknown')
    if (YES_FIRST.test(text)) return CONDITION.test(text) ? use('unknown') : use('yes')
    if (NO_FIRST.test(text)) return use(NOT_KNOWN.test(text) ? 'unknown' : 'no')
    return undefined
  }
}

/** With the words for some of them, and those for likes and dislikes. */
const sociable = (): Propose => {
  const read = answer('company')
  return (value, today) => read(value, today) ?? (CONDITION.test(value) ? use('unknown') : undefined)
}

/** A day on which it was done is a yes; one in the future is a no. */
const done = (field: string): Propose => {
  const read = answer(field)
  return (value, today) => {
    const found = read(value, today)
    if (found !== undefined) return found
    const day = /\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}/.test(value) ? bornIn(value, 'dmy', today) : undefined
    if (!day || day.precision === 'year') return undefined
    return use(day.date <= today ? 'yes' : 'no')
  }
}

/** A flag has no "unknown": what is not known is not set. */
const flag = (field: string): Propose => {
  const read = answer(field)
  return (value, today) => {
    const found = read(value, today)
    return found?.to === 'unknown' ? CLEAR : found
  }
}

const isUnknown = dictionary({ unknown: [...wordsFor('answer.unknown'), ...wordsFor('answer.none')] })

/** Of an enumeration: unknown words empty the cell. A value that names two of them is none: "small to medium". */
const oneOf = (field: string, values: readonly string[]): Propose => {
  const read = dictionary(Object.fromEntries(values.map((one) => [one, wordsFor(`${field}.${one}`)])))
  return (value) => {
    const pair = /^(\p{Letter}+)\s*[-/]\s*(\p{Letter}+)$/u.exec(value.trim())
    const [one, other] = [read(pair?.[1] ?? ''), read(pair?.[2] ?? '')]
    if (one !== undefined && other !== undefined && one !== other) return undefined
    const found = read(value) ?? read(value.replaceAll(/\([^()]*\)/g, ''))
    if (found !== undefined) return use(found)
    if (isUnknown(value) || /^[-–—?./\s]+$/.test(value.trim())) return CLEAR
    const named = new Set(wordsOf(value).flatMap((word) => read(word) ?? []))
    return named.size === 1 ? use([...named][0] ?? '') : undefined
  }
}

const proposals: Readonly<Record<Exclude<MatchedField, 'category' | 'age'>, Propose>> = {
  status: (value) => {
    const to = statusOf(value)
    if (to === undefined) return undefined
    return to === 'gone' ? SKIP : use(to)
  },
  isShown: flag('isShown'),
  isBornEstimated: flag('isBornEstimated'),
  ...byField((name, entry) =>
    entry.type === 'choice' ? oneOf(name, entry.values) : entry.type === 'flag' ? flag(name) : answer(name),
  ),
  goodWithChildren: sociable(),
  goodWithDogs: sociable(),
  goodWithCats: sociable(),
  notGoodWithChildren: answer('answer'),
  notGoodWithDogs: answer('answer'),
  notGoodWithCats: answer('answer'),
  isNeutered: done('isNeutered'),
  isVaccinated: done('isVaccinated'),
}

function categoryMatch(value: string, { categories }: MatchContext): Match {
  const plain = plainWord(value)
  const kind = kindOf(value)
  const ofKinds = (kind === undefined ? [] : widerKinds(kind)).flatMap((wanted) =>
    categories.filter(({ name }) => kindOf(name) === wanted),
  )
  const found =
    categories.find(({ name }) => name === value.trim()) ??
    categories.find(({ name }) => plain !== '' && plainWord(name) === plain) ??
    ofKinds[0]
  if (found) return use(String(found.id))
  const name = value.trim().replaceAll(/\s+/g, ' ').slice(0, 255)
  return plain === '' ? NONE : { action: 'create', to: name }
}

/** An age in words alone, such as "adult", is no year: it stays open. */
const ageWords = dictionary({ word: [...wordsFor('answer.unknown'), ...wordsFor('age.word')] })

function ageMatch(value: string, today: string): Match {
  const born =
    ageIn(value, today) ??
    (/^\D*\d{4}$|^\d{1,2}[./-]\d{4}$/.test(value.trim()) ? bornIn(value, 'dmy', today) : undefined)
  if (born) return use(born.date.slice(0, born.precision === 'year' ? 4 : 7))
  return ageWords(value) || /^[-–—?./\s]+$/.test(value.trim()) ? CLEAR : NONE
}

/** "Male, neutered", "FS", "intact male": the sex may tell that as well. */
export function neuteredBySex(value: string): 'yes' | 'no' | undefined {
  const text = value
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
  if (INTACT.test(text) || /^[mf][\s/,.-]*i$/.test(text)) return 'no'
  if (NEUTERED.test(text) || /^(?:[mw][\s/,.-]*k|[mf][\s/,.-]*[nsxc]|[nsc][\s/,.-]*[mf])\.?$/.test(text)) return 'yes'
  return undefined
}

const INTACT =
  /\b(intact|intakt|entire|unaltered|unneutered|unspayed|unkastr\w*|entiere?|enter[oa])\b|\b(not|nicht|non|pas|no|sin|niet|un)\b[\s-]*(neuter|spay|fixed|alter|kastr|steril|st[ée]ril|castr|esteril|gecastr|gesteril)/
const NEUTERED =
  /\b(neuter(ed)?|spayed|speyed|fixed|altered|desexed|castrated|gelded|gelding|kastr\w*|kastriert\w*|wallach|sterili\w*|st[ée]rili\w*|castr[eéao]\w*|hongre|esteriliz\w*|gecastr\w*|gesteril\w*|geholpen)\b|\bkastr\./
