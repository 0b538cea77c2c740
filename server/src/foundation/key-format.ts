/*
 * The format of API keys: `pets_live_` or `pets_test_`, 32 random base62 characters, then 6 base62
 * characters of CRC-32 over everything before them; 48 characters in all.
 * - The prefix lets secret scanners find a leaked key and keeps keys of one installation out of the
 *   other.
 * - The checksum allows a mistyped or invented key to be rejected without a database query; it
 *   protects nothing else.
 * - Only the digest is ever stored; a plain SHA-256 is enough for 190 random bits.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Project keys of production and of staging, and personal access tokens. */
export type KeyKind = 'live' | 'test' | 'pat'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = ALPHABET.length
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const DISPLAY_LENGTH = 14
/** The largest multiple of 62 that a byte can reach; bytes from here on would favour the first characters. */
const BYTE_LIMIT = 256 - (256 % BASE)
const FORM = /^pets_(live|test|pat)_[0-9A-Za-z]{38}$/

/** Creates a key; `random` returns the requested number of random bytes. */
export function makeKey(kind: KeyKind, random: (count: number) => Uint8Array): string {
  let characters = ''
  while (characters.length < RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH - characters.length)) {
      if (byte < BYTE_LIMIT) characters += ALPHABET.charAt(byte % BASE)
    }
  }
  const unchecked = `pets_${kind}_${characters}`
  return unchecked + checksumOf(unchecked)
}

/**
 * The kind according to prefix and length, whether or not the checksum is right. Proves nothing
 * about validity.
 */
export function formOf(text: string): KeyKind | undefined {
  return FORM.exec(text)?.[1] as KeyKind | undefined
}

/** True if the text can be a key of this installation: form, prefix, checksum. Needs no database query. */
export function isKey(text: string, kind: KeyKind): boolean {
  return formOf(text) === kind && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** True if the text can be a personal access token. */
export const isToken = (text: string): boolean => isKey(text, 'pat')

/** The only form in which a key is stored and looked up. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The parts of a key that lists show, so that its owner can distinguish it from others. */
export function displayOf(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, DISPLAY_LENGTH), lastFour: key.slice(-4) }
}

function checksumOf(text: string): string {
  let digits = ''
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / BASE)) digits = ALPHABET.charAt(rest % BASE) + digits
  return digits.padStart(CHECKSUM_LENGTH, '0')
}
