// Encrypts a certificate's private key to one edge, for its way there: X25519 with a key pair that is used once,
// HKDF-SHA-256, AES-256-GCM. Edge, hostname, generation and serial number are authenticated with it, so that a response
// for one name cannot take the place of another's. A recorded response reveals nothing, not even to the holder of the
// edge's enrolment token.
//
// The format, in base64url: the public key (32 bytes), the tag (16), the ciphertext.

import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

/** What a delivered key is for, and nothing else. */
export type DeliveredFor = { edge: string; hostname: string; generation: string; serial: string }

export function sealToEdge(to: KeyObject, keyPem: string, what: DeliveredFor): string {
  const once = generateKeyPairSync('x25519')
  const shared = diffieHellman({ privateKey: once.privateKey, publicKey: to })
  const { key, nonce } = cipherKeyOf(shared, once.publicKey, to)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(aboutOf(what))
  const sealed = Buffer.concat([cipher.update(keyPem), cipher.final()])
  return Buffer.concat([rawOf(once.publicKey), cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null if it was not encrypted to this edge for exactly this. */
export function openAtEdge(own: KeyObject, text: string, what: DeliveredFor): string | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < KEY_BYTES + TAG_BYTES) return null
  try {
    const once = publicKeyOf('X25519', bytes.toString('base64url', 0, KEY_BYTES))
    const shared = diffieHellman({ privateKey: own, publicKey: once })
    const { key, nonce } = cipherKeyOf(shared, once, createPublicKey(own))
    const tag = bytes.subarray(KEY_BYTES, KEY_BYTES + TAG_BYTES)
    const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(aboutOf(what)).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(KEY_BYTES + TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return null
  }
}

/** From 32 bytes in base64url. Throws if they are no public key. */
export const publicKeyOf = (curve: 'Ed25519' | 'X25519', x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: curve, x } })

/** In base64url. */
export const publicTextOf = (key: KeyObject): string => key.export({ format: 'jwk' }).x ?? ''

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const TAG_BYTES = 16
const NONCE_BYTES = 12

const rawOf = (key: KeyObject): Buffer => Buffer.from(publicTextOf(key), 'base64url')

/** The nonce may follow from the key, which encrypts once. */
function cipherKeyOf(shared: Buffer, once: KeyObject, to: KeyObject): { key: Buffer; nonce: Buffer } {
  const salt = Buffer.concat([rawOf(once), rawOf(to)])
  const bytes = Buffer.from(hkdfSync('sha256', shared, salt, 'petstore key delivery', KEY_BYTES + NONCE_BYTES))
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) }
}

const aboutOf = ({ edge, hostname, generation, serial }: DeliveredFor): Buffer =>
  Buffer.from([edge, hostname, generation, serial].join('\n'))
