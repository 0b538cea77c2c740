// The rules for a new password: length, variety, and that it is none of those that are tried first. There are no rules
// about kinds of characters: they make passwords harder to remember, not harder to guess. Passwords from before a rule
// keep working until they are changed.

import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, passwordFault } from '@petstore-platform/contract/platform/accounts'

const DIFFERENT_MIN = 5
/** The service itself: what a stranger tries besides the words of the person. */
const SERVICE = 'petstore'
/** Shorter words occur everywhere. */
const WORD_LENGTH_MIN = 3
/** A password with so many letters of its own may contain words of the person. */
const OWN_LETTERS_MIN = 6

export type PasswordWeakness = 'length' | 'variety' | 'common' | 'personal'

export type PasswordContext = {
  /** The address and the name of the person, and the names of their projects. */
  about: readonly string[]
  /** As `readCommonPasswords` returns them. */
  common: ReadonlySet<string>
}

/** Undefined if the password is good enough. */
export function weaknessOf(password: string, { about, common }: PasswordContext): PasswordWeakness | undefined {
  const characters = Array.from(password.normalize('NFKC'))
  if (characters.length < PASSWORD_LENGTH_MIN || characters.length > PASSWORD_LENGTH_MAX) return 'length'
  if (new Set(characters).size < DIFFERENT_MIN) return 'variety'
  const text = folded(password)
  if (common.has(text) || common.has(joined(text))) return 'common'
  return isBuiltFrom(text, [SERVICE, ...about]) ? 'personal' : undefined
}

/** Says which rule, and what to do. */
export const weaknessText: Readonly<Record<PasswordWeakness, (field: string) => string>> = {
  length: passwordFault,
  variety: (field) => `'${field}' must have at least ${DIFFERENT_MIN} different characters. Use a few words instead.`,
  common: (field) =>
    `'${field}' must not be one of the passwords that are tried first. Use a few words that have nothing to do with each other.`,
  personal: (field) =>
    `'${field}' must be more than your address, your name, your project or the name of this service. Add a few other words.`,
}

/** One password a line; a line that begins with `# ` is a comment. */
export const commonPasswordsIn = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').filter((line) => line !== '' && line !== '#' && !line.startsWith('# ')))

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

const joined = (text: string): string => text.replaceAll(/[\s._-]/gu, '')

/** Whether little is left without those words and without digits and signs. */
function isBuiltFrom(text: string, about: readonly string[]): boolean {
  const words = about.flatMap(wordsIn).toSorted((one, other) => other.length - one.length)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), text)
  return rest !== text && Array.from(rest.replaceAll(/[^\p{L}\p{M}]/gu, '')).length < OWN_LETTERS_MIN
}

/** The words of a text, and all of them as one. */
function wordsIn(text: string): string[] {
  const words = folded(text).split(/[^\p{L}\p{M}\p{N}]+/u)
  return [...words, words.join('')].filter((word) => word.length >= WORD_LENGTH_MIN)
}
