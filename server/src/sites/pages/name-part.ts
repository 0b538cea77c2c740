// The readable part of an address: `rex` in `/animals/rex-1044`. It helps people and search engines; the number alone
// identifies. Latin letters and digits only: a name in another script has none, and its address is the number.

const LENGTH_MAX = 40

/** Letters that do not fall apart into a letter and a mark. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
}

/** A site map writes the addresses of one animal one after the other, in every language. */
let latest = { name: '', part: '' }

export function namePartOf(name: string): string {
  if (latest.name !== name) latest = { name, part: writtenPart(name) }
  return latest.part
}

function writtenPart(name: string): string {
  const plain = name
    // Already here: to put hundreds of marks on one letter in order takes longer than all else.
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþħıŋ]/g, (letter) => latin[letter] ?? '')
    // An apostrophe joins: Rex's is one word.
    .replace(/['’]/g, '')
  return cut(plain.match(/[a-z0-9]+/g) ?? [])
}

/** Between words; a first word that is too long is cut itself. */
function cut(words: readonly string[]): string {
  let part = ''
  for (const word of words) {
    const next = part === '' ? word : `${part}-${word}`
    if (next.length > LENGTH_MAX) return part === '' ? word.slice(0, LENGTH_MAX) : part
    part = next
  }
  return part
}
