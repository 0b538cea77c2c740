// The built-in texts of a site, in the languages that an owner can choose. Texts of the
// owner and the store are elsewhere.

import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import type { Language } from '@petstore-platform/contract/platform/site'
import { de, deShelter } from './strings-de.ts'
import { en, enShelter } from './strings-en.ts'
import { es, esShelter } from './strings-es.ts'
import { fr, frShelter } from './strings-fr.ts'
import type { ShelterWords, Words } from './words.ts'

/** Those of a shop. */
export const wordsOf: Record<Language, Words> = { en, de, fr, es }

const shelterWords: Record<Language, ShelterWords> = { en: enShelter, de: deShelter, fr: frShelter, es: esShelter }

export function wordsFor(language: Language, kind: ProjectKind): Words {
  const words = wordsOf[language]
  if (kind === 'shop') return words
  const { sold, isSold, fee, ...rest } = shelterWords[language]
  return {
    ...words,
    ...rest,
    facts: { ...words.facts, fee },
    status: { ...words.status, sold },
    unavailable: { ...words.unavailable, sold: isSold },
  }
}
