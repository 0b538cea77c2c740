// Searches anything for private keys: as PEM, as DER, or as the bare scalar, each in clear,
// in hexadecimal and in base64. Text is searched as it is; bytes that a database prints are
// in hexadecimal, so keys inside them are found too.

import { createPrivateKey } from 'node:crypto'

export type SearchedPlace = { name: string; text: string }

/** Where something of a key was found, and in which form. */
export function keysFoundIn(places: readonly SearchedPlace[], keyPems: readonly string[]): string[] {
  const needles = [...headers, ...keyPems.flatMap(needlesOf)]
  return places.flatMap(({ name, text }) => {
    // Hexadecimal is case-insensitive; base64 is not.
    const small = text.toLowerCase()
    return needles
      .filter(({ hex, plain }) => plain.some((one) => text.includes(one)) || small.includes(hex))
      .map(({ what }) => `${name}: ${what}`)
  })
}

type Needle = { what: string; hex: string; plain: readonly string[] }

const needle = (what: string, bytes: Buffer): Needle => ({
  what,
  hex: bytes.toString('hex'),
  plain: [bytes.toString('latin1'), ...alignments(bytes)],
})

/** The base64 of the bytes at each alignment, without the characters that depend on adjacent bytes. */
const alignments = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3))
    const from = before === 0 ? 0 : 4
    return [whole.toString('base64').slice(from), whole.toString('base64url').slice(from)]
  })

const headers = [
  needle('the head of a private key', Buffer.from('BEGIN PRIVATE KEY')),
  needle('the head of an EC private key', Buffer.from('BEGIN EC PRIVATE KEY')),
]

function needlesOf(keyPem: string): Needle[] {
  const key = createPrivateKey(keyPem)
  const { d = '' } = key.export({ format: 'jwk' })
  const [line = ''] = keyPem.split('\n').slice(1)
  return [
    needle('the number of a key', Buffer.from(d, 'base64url')),
    needle('a key as DER', key.export({ format: 'der', type: 'pkcs8' })),
    needle('a line of a key as PEM', Buffer.from(line)),
  ]
}
