// Compares words in spreadsheets and forms as people mean them: without capitals, accents, spaces and punctuation. Pure.

/** No date, number or word is longer, nor is the name of a category. */
export const SHORT_LENGTH_MAX = 255

/**
 * A cell that holds a date, a number or a word, with single spaces; undefined if it is longer than any of them. Expressions
 * that read such cells rely on both, or their cost would grow faster than the cell.
 */
export function shortText(cell: string): string | undefined {
  const text = singleSpaced(cell)
  return text.length > SHORT_LENGTH_MAX ? undefined : text
}

export const singleSpaced = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** "Größe (cm) " and "GROSSE CM" are the same. Empty for what is too long: putting marks of letters in order is quadratic. */
export const plainWord = (text: string): string => (text.length > 2 * SHORT_LENGTH_MAX ? '' : plainText(text))

const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('♀', 'female')
    .replaceAll('♂', 'male')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '')

/** The words of a value that says more than one thing, such as "male, neutered". */
export const wordsOf = (value: string): string[] => value.split(/[^\p{Letter}\p{Mark}]+/u).filter((word) => word !== '')

/** Of a value: capitals and spaces make no difference. */
export const valueKey = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Separated by commas, or one by one. */
export type Words = string | readonly string[]

/** A dictionary: the first list that contains the word decides. */
export function dictionary<Meaning extends string>(
  lists: Readonly<Record<Meaning, Words>>,
): (text: string) => Meaning | undefined {
  const meanings = new Map<string, Meaning>()
  for (const [meaning, words] of Object.entries(lists) as [Meaning, Words][]) {
    for (const word of [words].flat().join(',').split(',')) {
      const plain = plainWord(word)
      if (plain !== '' && !meanings.has(plain)) meanings.set(plain, meaning)
    }
  }
  return (text) => meanings.get(plainWord(text)) ?? meanings.get(withoutUmlauts(plainWord(text)))
}

/** Of a plain word: "groesse" is "grosse", if no other word is meant. */
export const withoutUmlauts = (plain: string): string => plain.replaceAll(/([aou])e/g, '$1')

const nothing = dictionary({
  nothing: [
    'n a,na,none,nil,null,nothing,unknown,unk,not known,not specified,unspecified,tbd,tbc,to be confirmed',
    'to be determined,no data,no info',
    'unbekannt,unb,keine,keiner,keines,kein,nichts,k a,keine angabe,keine angaben,nicht bekannt,ohne,entfallt',
    'aucun,aucune,neant,rien,inconnu,inconnue,non renseigne,non precise,nc,so,sans objet',
    'ninguno,ninguna,nada,desconocido,desconocida,sin datos,sin especificar,no consta,no se sabe,s d',
    'onbekend,geen,niets,nvt,n v t,niet bekend',
  ],
})

/** What a cell says that says nothing: "n/a", "unbekannt", "–", "?". */
export function isNothing(cell: string): boolean {
  const text = shortText(cell)
  return text !== undefined && (/^[-–—?./ ]*$/.test(text) || nothing(text) !== undefined)
}
