// The initials of a name, and a colour that stays the same for it. Pure.

const TINTS = 4

/** At most two, as a reader counts letters: an emoji or an accent is one. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return `${firstLetter(first)}${firstLetter(last)}`.toLocaleUpperCase()
}

export function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum += letter.codePointAt(0) ?? 0
  return sum % TINTS
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const firstLetter = (word: string): string => [...letters.segment(word)][0]?.segment ?? ''
