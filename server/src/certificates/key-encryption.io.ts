// Encrypts private keys at rest. Each is encrypted with a data key of its own (AES-256-GCM),
// and that with a key-encryption key from the configuration. The purpose of a seal (hostname,
// generation, use) is authenticated in both layers: a seal with a flipped bit, in another row
// or for another purpose cannot be opened. Nonces are random and used once, since a data key
// never encrypts twice.
//
// The format: 1 byte version, 1 byte length of the key's id, the id, then nonce (12), tag (16)
// and the encrypted data key (32), then nonce (12), tag (16) and the ciphertext. Nothing here
// writes a key anywhere or puts one into an error.

import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Secret } from '../foundation/secret.ts'

/** What a sealed key may be used for, and nothing else. */
export type SealedFor = { hostname: string; generation: bigint; purpose: 'certificate' | 'account' | 'identity' }

/** Base64 of 32 bytes each, with an id that is stored next to the ciphertext; the first one encrypts, all decrypt. */
export type KeyRing = readonly { id: string; key: Secret }[]

export type Keys = {
  /** The key-encryption key of new seals. */
  readonly sealId: string
  seal(keyPem: string, what: SealedFor): Buffer
  /** Null if it was not sealed for exactly this, or was sealed with a key that we do not have. */
  open(sealed: Buffer, what: SealedFor): string | null
  /** Re-encrypts with the first key, for the same or another purpose. */
  reseal(sealed: Buffer, from: SealedFor, to?: SealedFor): Buffer | null
}

/** Throws if the configuration is invalid. */
export function openKeys(ring: KeyRing): Keys {
  const keys = new Map(ring.map(({ id, key }) => [id, Buffer.from(key.reveal(), 'base64')]))
  const [first] = ring
  if (!first) throw new Error('There is no key-encryption key.')
  if (keys.size !== ring.length) throw new Error('Two key-encryption keys have the same id.')
  for (const [id, key] of keys) {
    if (!/^[\w.-]{1,32}$/.test(id)) throw new Error('The id of a key-encryption key is 1 to 32 letters, digits, . _ -')
    if (key.length !== KEY_BYTES) throw new Error(`The key-encryption key ${id} is not 32 bytes in base64.`)
  }
  const current = { id: first.id, key: keys.get(first.id) ?? Buffer.alloc(0) }

  const seal = (keyPem: string, what: SealedFor): Buffer => {
    const about = aboutOf(what, current.id)
    const dataKey = randomBytes(KEY_BYTES)
    const body = encrypt(dataKey, Buffer.from(keyPem), about)
    const id = Buffer.from(current.id)
    const head = Buffer.concat([Buffer.from([VERSION, id.length]), id])
    return Buffer.concat([head, encrypt(current.key, dataKey, about), body])
  }
  const open = (sealed: Buffer, what: SealedFor): string | null => {
    const parts = partsOf(sealed)
    const key = parts && keys.get(parts.id)
    if (!parts || !key) return null
    const about = aboutOf(what, parts.id)
    const dataKey = decrypt(key, parts.dataKey, about)
    return (dataKey && decrypt(dataKey, parts.body, about)?.toString()) ?? null
  }
  return {
    sealId: current.id,
    seal,
    open,
    reseal(sealed, from, to = from) {
      const keyPem = open(sealed, from)
      return keyPem === null ? null : seal(keyPem, to)
    },
  }
}

/** The key-encryption key of a seal; readable without decryption. */
export const sealIdOf = (sealed: Buffer): string => sealed.toString('utf8', 2, 2 + (sealed[1] ?? 0))

/** A new private key for one certificate: ECDSA on P-256 (PEM, PKCS #8). */
export const newKeyPem = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

const VERSION = 1
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED_KEY_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES

/** No two inputs encode to the same text: neither ids nor names nor numbers contain a line break. */
const aboutOf = ({ hostname, generation, purpose }: SealedFor, id: string): Buffer =>
  Buffer.from(['petstore-seal', VERSION, id, purpose, generation, hostname].join('\n'))

function partsOf(sealed: Buffer): { id: string; dataKey: Buffer; body: Buffer } | null {
  const [version, length = 0] = sealed
  const begin = 2 + length
  if (version !== VERSION || sealed.length < begin + SEALED_KEY_BYTES + NONCE_BYTES + TAG_BYTES) return null
  return {
    id: sealed.toString('utf8', 2, begin),
    dataKey: sealed.subarray(begin, begin + SEALED_KEY_BYTES),
    body: sealed.subarray(begin + SEALED_KEY_BYTES),
  }
}

function encrypt(key: Buffer, text: Buffer, about: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(about)
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function decrypt(key: Buffer, sealed: Buffer, about: Buffer): Buffer | null {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(about).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
