// The status of an animal as people write it, in English, German, French, Spanish and Dutch: whole phrases first, then the
// words that decide, so that "Adopted 12/03" and "reserviert (Fam. Meier)" are understood. "No", "quarantine" or "medical
// hold" say that an animal is not available, and nothing more: they have no match. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { dictionary, plainWord } from '@petstore-platform/contract/platform/spelled-words'
import { wordLists } from './word-lists.ts'

/** `gone`: it is no longer an animal of this owner. */
type Status = PetStatus | 'gone'

const phrases = dictionary<Status>(Object.fromEntries(wordLists.statuses) as Record<Status, readonly string[]>)

/** In this order. A negation in front of a word takes its meaning, so such texts are left to the owner. */
const rules: readonly [Status | undefined, RegExp][] = [
  [
    undefined,
    /\b(not|no|nicht|non|pas|niet|kein\w*|geen|un)\b ?(yet|noch|encore|longer|mehr|plus|langer)? ?(available|adoptable|ready|for|verfugbar|zu|zur|disponible|adoptable|beschikbaar|reserv\w*|vermittel\w*)/,
  ],
  [
    undefined,
    /\b(medical|quarantine|quarantane|quarantaine|cuarentena|sick|krank|malade|enfermo|ziek|returned|wird|stray hold|evaluation|behaviou?r)\b/,
  ],
  [
    'gone',
    /\b(died|deceased|euthan\w*|rainbow bridge|verstorben|gestorben|eingeschlafert|decede\w*|fallecid[oa]|overleden|returned to owner|reclaimed)\b/,
  ],
  [
    'pending',
    /\b(pending|reserv\w*|gereserveerd|on hold|hold for|vorgemerkt|under offer|en cours|en proceso|en tramite|pre ?adop\w*|option|optie|trial|probe|auf probe|a l essai|application|meet and greet|home ?check|spoken for)\b/,
  ],
  [
    'sold',
    /\b(adopted|sold|rehomed|homed|went home|new home|forever home|found (a|his|her|its|their)?\s*(new |forever )?home|vermittelt|verkauft|zuhause gefunden|adoptee?|vendue?|adoptad[oa]|vendid[oa]|geadopteerd|verkocht|herplaatst)\b/,
  ],
  [
    'available',
    /\b(available|adoptable|for adoption|for sale|looking for|seeking|needs? (a )?home|verfugbar|zu vermitteln|zur vermittlung|sucht|a adopter|a l adoption|disponible|cherche|busca|en adopcion|en venta|beschikbaar|zoekt|ter adoptie|te koop|in foster|en acogida|famille d accueil)\b/,
  ],
]

export function statusOf(value: string): Status | undefined {
  const found = phrases(value) ?? phrases(value.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ''))
  if (found !== undefined) return found
  const text = value
    .split(/[^\p{Letter}\p{Mark}]+/u)
    .map(plainWord)
    .filter((word) => word !== '')
    .join(' ')
  return rules.find(([, pattern]) => pattern.test(text))?.[0]
}
