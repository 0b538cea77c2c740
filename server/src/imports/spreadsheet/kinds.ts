// Kinds of animals under the names that people give them, and words that occur in the names of breeds; their
// lists are in words/.

import { dictionary, plainWord, wordsOf } from '@petstore-platform/contract/platform/spelled-words'
import { wordLists } from './word-lists.ts'

export const kinds = [
  'dog',
  'cat',
  'rabbit',
  'guineaPig',
  'hamster',
  'gerbil',
  'mouse',
  'rat',
  'chinchilla',
  'degu',
  'ferret',
  'hedgehog',
  'sugarGlider',
  'budgie',
  'cockatiel',
  'lovebird',
  'parrot',
  'canary',
  'finch',
  'pigeon',
  'chicken',
  'duck',
  'goose',
  'quail',
  'bird',
  'tortoise',
  'turtle',
  'snake',
  'lizard',
  'gecko',
  'reptile',
  'frog',
  'spider',
  'fish',
  'pony',
  'horse',
  'donkey',
  'goat',
  'sheep',
  'pig',
  'cow',
  'alpaca',
  'small',
  'farm',
] as const
export type Kind = (typeof kinds)[number]

const kindOfWord = dictionary<Kind>(Object.fromEntries(wordLists.kinds) as Record<Kind, readonly string[]>)

/** The kind that a more general category may hold instead. */
const generalKinds: Readonly<Partial<Record<Kind, Kind>>> = {
  guineaPig: 'small',
  hamster: 'small',
  gerbil: 'small',
  mouse: 'small',
  rat: 'small',
  chinchilla: 'small',
  degu: 'small',
  ferret: 'small',
  rabbit: 'small',
  hedgehog: 'small',
  sugarGlider: 'small',
  budgie: 'bird',
  cockatiel: 'bird',
  lovebird: 'bird',
  parrot: 'bird',
  canary: 'bird',
  finch: 'bird',
  pigeon: 'bird',
  chicken: 'bird',
  duck: 'bird',
  goose: 'bird',
  quail: 'bird',
  tortoise: 'turtle',
  turtle: 'reptile',
  snake: 'reptile',
  lizard: 'reptile',
  gecko: 'reptile',
  pony: 'horse',
  horse: 'farm',
  donkey: 'farm',
  goat: 'farm',
  sheep: 'farm',
  pig: 'farm',
  cow: 'farm',
  alpaca: 'farm',
}

/** From the most special to the most general. */
export function widerKinds(kind: Kind): Kind[] {
  const wider = generalKinds[kind]
  return wider === undefined ? [kind] : [kind, ...widerKinds(wider)]
}

/** German writes "Zwerghamster" and "Wasserschildkröte" in one word. */
const endings: readonly [string, Kind][] = [
  ['landschildkrote', 'tortoise'],
  ['schildkrote', 'turtle'],
  ['schildkroten', 'turtle'],
  ['schildpad', 'turtle'],
  ['wellensittich', 'budgie'],
  ['sittich', 'budgie'],
  ['sittiche', 'budgie'],
  ['papagei', 'parrot'],
  ['papegaai', 'parrot'],
  ['rennmaus', 'gerbil'],
  ['rennmause', 'gerbil'],
  ['maus', 'mouse'],
  ['hamster', 'hamster'],
  ['hamsters', 'hamster'],
  ['kaninchen', 'rabbit'],
  ['konijn', 'rabbit'],
  ['meerschweinchen', 'guineaPig'],
  ['schlange', 'snake'],
  ['python', 'snake'],
  ['gecko', 'gecko'],
  ['fink', 'finch'],
  ['finken', 'finch'],
  ['taube', 'pigeon'],
  ['huhn', 'chicken'],
  ['huhner', 'chicken'],
  ['vogel', 'bird'],
  ['vogels', 'bird'],
  ['hund', 'dog'],
  ['hunde', 'dog'],
  ['hond', 'dog'],
  ['honden', 'dog'],
  ['katze', 'cat'],
  ['katzen', 'cat'],
  ['kater', 'cat'],
  ['fisch', 'fish'],
  ['fische', 'fish'],
  ['pferd', 'horse'],
  ['schwein', 'pig'],
  ['ziege', 'goat'],
]

/** Of a whole value: "Guinea pigs", "Zwerghamster". */
function exactKind(text: string): Kind | undefined {
  const plain = plainWord(text)
  return kindOfWord(text) ?? endings.find(([ending]) => plain.length > ending.length && plain.endsWith(ending))?.[1]
}

/** Of a value: whole, without what is in parentheses, in pairs of words, or in one of them: "A (Stray Dog)", "Syrian hamster". */
export function kindOf(text: string): Kind | undefined {
  const words = wordsOf(text)
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  for (const one of [text, text.replaceAll(/\([^()]*\)/g, ''), ...pairs, ...words]) {
    const kind = exactKind(one)
    if (kind !== undefined) return kind
  }
  return undefined
}

const breedWords = new Set(wordLists.breeds.get('breeds'))

/** Whether it reads like a breed. */
export const isBreed = (text: string): boolean =>
  wordsOf(text).some((word) => breedWords.has(plainWord(word))) ||
  /(mix|mischling|terrier|hund|katze)$/i.test(text.trim())
