// What the title of a column may mean, best first. A title is looked up whole, without what is in parentheses, in its
// parts ("Sex / Gender") and without words that add nothing ("Animal's breed?"); after that, single words decide. A title
// about people, vets or suppliers means none of our fields. Pure.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'
import { plainWord, SHORT_LENGTH_MAX, withoutUmlauts } from '@petstore-platform/contract/platform/spelled-words'
import { wordLists, type WordLists } from './word-lists.ts'

/** `weight`: how certain a title is; weak ones count only if the values of the column agree. */
export type Meaning = { field: ImportField; weight: number; isWeak: boolean }

const WHOLE = 6
const PART = 5
const REDUCED = 4
const SENTENCE = 4
const WEAK = 3
const KEYWORD = 2

export function meaningsOf(title: string): Meaning[] {
  const found = new Map<ImportField, Meaning>()
  if (title.length > SHORT_LENGTH_MAX) return []
  const add = (fields: readonly ImportField[], weight: number, isWeak = false) => {
    for (const field of fields) if (!found.has(field)) found.set(field, { field, weight, isWeak })
  }
  const whole = title.replaceAll(/#|№|\bn[º°]/gi, ' no ').replace(NUMBERING, '')
  const bare = whole.replaceAll(/\([^()]*\)|\[[^[\]]*\]|[*:?]|\bin\s+\p{Currency_Symbol}|\p{Currency_Symbol}/gu, ' ')
  const words = wordsIn(bare)
  const reduced = withoutNoise(words)
  const spellings = [whole, bare, words.join(''), reduced.join('')]
  for (const text of spellings.slice(0, 2)) add(strong(text), WHOLE)
  if (isForeign(words)) return [...found.values()]
  const sentence = companyIn(words)
  if (sentence) add([sentence], SENTENCE, words.length === 1)
  const parts = bare.split(/[/|,&+–\n]|\s-\s|\s(?:or|oder|ou|o|of|and|und|et|y|en)\s/)
  if (parts.length > 1) for (const part of parts) add(strong(part), PART)
  for (const text of spellings) add(strong(text), REDUCED)
  if (parts.length > 1) for (const part of parts) add(strong(withoutNoise(wordsIn(part)).join('')), REDUCED)
  for (const text of [...spellings, ...parts]) add(weak(text), WEAK, true)
  add(keywordsIn(words), KEYWORD)
  return [...found.values()].toSorted((one, other) => other.weight - one.weight)
}

/** A title that is certain by its words alone. */
export const isTitle = (text: string): boolean => meaningsOf(text).some(({ isWeak }) => !isWeak)

const multiple = (lists: WordLists) => {
  const meanings = new Map<string, ImportField[]>()
  for (const [field, words] of lists)
    for (const word of words)
      meanings.set(plainWord(word), [...(meanings.get(plainWord(word)) ?? []), field as ImportField])
  meanings.delete('')
  return (text: string): readonly ImportField[] =>
    meanings.get(plainWord(text)) ?? meanings.get(withoutUmlauts(plainWord(text))) ?? []
}
const strong = multiple(wordLists.titles)
const weak = multiple(wordLists.weakTitles)

/** "1. Name", "A) Name", "Q3: Name". */
const NUMBERING = /^\s*(?:(?:q?\d{1,2})\s*[.):]|[a-z]\s*[):])\s+/i

/** "petName", "pet_name" and "Pet's name" have two words each. */
export const wordsIn = (title: string): string[] =>
  title
    .replaceAll(
      /(?<=\p{Lowercase_Letter})(?=\p{Uppercase_Letter})|(?<=\p{Uppercase_Letter})(?=\p{Uppercase_Letter}\p{Lowercase_Letter})/gu,
      ' ',
    )
    .replaceAll(/(?<=\p{Letter})(?=\d)|(?<=\d)(?=\p{Letter})/gu, ' ')
    .replaceAll(/['’]s\b/gi, ' ')
    .split(/[^\p{Letter}\p{Mark}\d]+/u)
    .map(plainWord)
    .filter((word) => word !== '')

const setOf = (name: string): ReadonlySet<string> => new Set(wordLists.titleWords.get(name))

const fillers = setOf('fillers')
const subjects = setOf('subjects')
const approximations = setOf('approximations')
/** Of amounts, ages and answers. */
const units = setOf('units')
const pairsOfAnswers = [
  ['y', 'n'],
  ['yes', 'no'],
  ['j', 'n'],
  ['ja', 'nein'],
  ['o', 'n'],
  ['oui', 'non'],
  ['s', 'n'],
  ['si', 'no'],
  ['ja', 'nee'],
  ['true', 'false'],
  ['t', 'f'],
] as const

/** Undiminished if nothing else is left. */
function withoutNoise(words: readonly string[]): readonly string[] {
  let left = words
  for (const [yes, no] of pairsOfAnswers)
    if (left.length > 2 && left.at(-2) === yes && left.at(-1) === no) left = left.slice(0, -2)
  for (const noise of [fillers, units, approximations, subjects]) {
    const rest = left.filter((word) => !noise.has(word))
    if (rest.length > 0) left = rest
  }
  return left
}

/** People, their addresses, vets, suppliers, other animals, and dates on which something is due. */
const foreign = setOf('foreign')
/** Known to mean something else: what is in the column is not asked then. */
export const isAboutOthers = (title: string): boolean => {
  const words = wordsIn(title)
  return (
    isForeign(words) ||
    keywords.some(
      ({ word, unless }) =>
        words.some((one) => word.test(one)) && unless !== undefined && words.some((one) => unless.test(one)),
    )
  )
}

/** Only the words themselves: titles that the dictionary knows whole are looked up before. */
const isForeign = (words: readonly string[]): boolean => words.some((word) => foreign.has(word))

const companions = [
  ['Children', setOf('children')],
  ['Dogs', setOf('dogs')],
  ['Cats', setOf('cats')],
] as const
const company = setOf('company')
const negations = setOf('negations')

/** "Gets along with other dogs?", "Kids OK", "No cats". */
function companyIn(words: readonly string[]): ImportField | undefined {
  const rest = words.filter((word) => !fillers.has(word))
  const named = companions.filter(([, names]) => rest.some((word) => names.has(word)))
  const [only] = named
  if (!only || named.length > 1) return undefined
  const [who, names] = only
  if (!rest.every((word) => names.has(word) || company.has(word) || negations.has(word))) return undefined
  return rest.some((word) => negations.has(word)) ? `notGoodWith${who}` : `goodWith${who}`
}

const DATE =
  /^(date|dates|datum|fecha|fechas|jour|dia|day|tag|am|le|el|op|on|time|when|wann|quand|cuando|type|reason|grund|motif|motivo|reden|source|certificate|card|book|notes?|details?|history|price|cost|by|number|no|nr|brand|status)$/

type Keyword = { field: ImportField; word: RegExp; unless?: RegExp }
/** In this order: the first that fits decides. */
const keywords: readonly Keyword[] = [
  {
    field: 'secondBreed',
    word: /^(second|secondary|2nd|2|two|zweite|zweit|segunda|secundaria|deuxieme|secondaire|tweede)$/,
  },
  {
    field: 'chipNumber',
    word: /^(micro|mikro)?chip(s|nummer|nr|no)?$|^puce$|^transponder/,
    unless: /^(date|datum|fecha|location|brand|company|lieu|type|registered|registriert)$/,
  },
  {
    field: 'photos',
    word: /^(photos?|pictures?|images?|fotos?|bild|bilder|imagen|imagenes|afbeelding(en)?)$/,
    unless: /^(date|credit|by|release|consent|permission|rights)$/,
  },
  { field: 'isNeutered', word: /^(neuter|spay|kastr|steril|castr|esteril|desex|gecastr|gesteril)/, unless: DATE },
  { field: 'isVaccinated', word: /^(vaccin|vacun|geimpft|impf|shots|gevaccin|ingeent|immuni)/, unless: DATE },
  { field: 'isHouseTrained', word: /^(house(trained|broken)|stubenrein|zindelijk|proprete)/ },
  {
    field: 'born',
    word: /^(birth|birthdate|birthday|born|dob|geburt|geburtsdatum|geburtstag|geboren|naissance|nacimiento|geboorte|geboortedatum)$/,
    unless: /^(place|country|ort|land|lieu|pays|lugar|pais|weight|plaats)$/,
  },
  {
    field: 'inCareSince',
    word: /^(intake|arrival|admission|aufnahme|aufnahmedatum|ankunft|eingangsdatum|arrivee|ingreso|llegada|opnamedatum|aankomst)$/,
    unless:
      /^(type|reason|grund|motif|motivo|reden|source|condition|weight|art|zustand|by|location|status|number|no|nr)$/,
  },
  {
    field: 'breed',
    word: /^(breed|breeds|rasse|rassen|raza|razas|ras)$/,
    unless: /^(group|standard|club|test|dna|registry)$/,
  },
  { field: 'sex', word: /^(sex|gender|geschlecht|sexe|sexo|geslacht)$/ },
  {
    field: 'color',
    word: /^(colou?rs?|farbe|farben|fellfarbe|couleur|couleurs|colores|kleur|vachtkleur)$/,
    unless: /^(eye|eyes|code|tag|nose)$/,
  },
  {
    field: 'weightKilograms',
    word: /^(weight|gewicht|poids|peso)$/,
    unless: /^(birth|goal|target|ideal|adult|date|datum|zielgewicht)$/,
  },
  {
    field: 'age',
    word: /^(age|alter|edad|leeftijd)$/,
    unless: /^(at|when|range|group|neutering|intake|entry|bei|beim|al)$/,
  },
  { field: 'size', word: /^(size|grosse|groesse|taille|tamano|grootte)$/, unless: /^(group|shoe|family|garden|home)$/ },
  {
    field: 'fee',
    word: /^(fee|price|donation|schutzgebuhr|gebuhr|preis|prix|precio|prijs|adoptiebijdrage|tasa|donativo|tarif)$/,
    unless: /^(old|former|received|alt|net|netto|ht|date|type|old|ancien|neto|discount|rabatt)$/,
  },
  { field: 'category', word: /^(species|tierart|espece|especie|diersoort)$/ },
  {
    field: 'story',
    word: /^(description|beschreibung|histoire|historia|story|bio|biography|omschrijving|beschrijving|descripcion|verhaal|descriptif)$/,
    unless: /^(short|kurz|courte|corta|korte|medical|health|colou?r|breed|behaviou?r)$/,
  },
  {
    field: 'status',
    word: /^(status|statut|estado|availability|verfugbarkeit|disponibilite|disponibilidad|beschikbaarheid)$/,
    unless:
      /^(medical|health|vaccination|vaccin|neuter|spay|fiv|felv|heartworm|test|civil|legal|behaviou?r|diet|training|impf|sante|salud|gesundheits|kastrations|microchip|chip|house|social|reproductive)$/,
  },
]

function keywordsIn(words: readonly string[]): ImportField[] {
  const found = keywords.filter(
    ({ word, unless }) => words.some((one) => word.test(one)) && !(unless && words.some((one) => unless.test(one))),
  )
  const isBreed = found.some(({ field }) => field === 'breed')
  return found.map(({ field }) => field).filter((field) => field !== 'secondBreed' || isBreed)
}

export type TitleUnit = 'months' | 'weeks' | 'oz'

/** The unit of numbers in a column, if only its title names it and the fields know no such unit. */
export function unitOfTitle(title: string): TitleUnit | undefined {
  const words = wordsIn(title)
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  const [first] = meaningsOf(title)
  if (first?.field === 'age') {
    if (has(/^(years|yrs|jahre|jahren|ans|anos|jaar|jaren|y)$/)) return undefined
    if (has(/^(months|month|mths|mos|monate|monaten|mois|meses|maanden)$/)) return 'months'
    if (has(/^(weeks|wks|wochen|semaines|semanas|weken)$/)) return 'weeks'
  }
  return first?.field.startsWith('weight') && has(/^(oz|ounces|unzen|onces|onzas)$/) ? 'oz' : undefined
}
