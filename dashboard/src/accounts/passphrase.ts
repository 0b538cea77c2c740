// A generated password that people can read, type and dictate: five groups of four letters, such as
// `tavo-miku-selo-peda-ruli`. Syllables need no word list to load and no language, and ten of them have 63 bits.

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'
const GROUPS = 5
const SYLLABLES_PER_GROUP = 2

/** `randomBelow` returns a random whole number below its argument. */
export function passphraseOf(randomBelow: (count: number) => number): string {
  const syllable = () => `${consonants[randomBelow(consonants.length)]}${vowels[randomBelow(vowels.length)]}`
  const group = () => Array.from({ length: SYLLABLES_PER_GROUP }, syllable).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Without bias that matters: 2³² is a large multiple of what is drawn from. */
export const newPassphrase = (): string =>
  passphraseOf((count) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % count)
