// What people write in spreadsheets: words and phrases by meaning and language, one a line, in words/. A word of several
// languages is listed with one of them. Pure data: the module system reads it once.

import breeds from './words/breeds.json' with { type: 'json' }
import kinds from './words/kinds.json' with { type: 'json' }
import statuses from './words/statuses.json' with { type: 'json' }
import titleWords from './words/title-words.json' with { type: 'json' }
import titles from './words/titles.json' with { type: 'json' }
import values from './words/values.json' with { type: 'json' }
import weakTitles from './words/weak-titles.json' with { type: 'json' }

/** By meaning, in the order of the file. */
export type WordLists = ReadonlyMap<string, readonly string[]>

const inAllLanguages = (lists: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>): WordLists =>
  new Map(Object.entries(lists).map(([meaning, words]) => [meaning, Object.values(words).flat()]))

export const wordLists = {
  breeds: inAllLanguages(breeds),
  kinds: inAllLanguages(kinds),
  statuses: inAllLanguages(statuses),
  titleWords: inAllLanguages(titleWords),
  titles: inAllLanguages(titles),
  values: inAllLanguages(values),
  weakTitles: inAllLanguages(weakTitles),
} as const
