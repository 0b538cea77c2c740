// Recovery codes: 80 random bits each, written so that a person can copy them from paper. Letters
// that look like digits are read as these.

import { digestOf } from '../../foundation/key-format.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BYTES = 10
const GROUP = /.{4}(?=.)/g

export function newCode(randomBytes: (count: number) => Uint8Array): string {
  const bits = Array.from(randomBytes(BYTES), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = Array.from(bits.match(/.{5}/g) ?? [], (five) => ALPHABET[Number.parseInt(five, 2)])
  return letters.join('').replace(GROUP, '$&-')
}

/** The same for every way of writing a code. */
export const codeDigest = (code: string): Buffer =>
  digestOf(
    code
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^0-9a-z]/g, '')
      .replaceAll('o', '0')
      .replace(/[il]/g, '1'),
  )
