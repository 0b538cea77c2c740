// The certificate settings of an installation: the keys that encrypt private keys, the
// directory URL of each authority, and how many orders it grants. Readers return undefined for
// invalid values, so that the configuration reports all errors together.

import { Secret } from '../foundation/secret.ts'
import type { KeyRing } from './key-encryption.io.ts'

export type CertificatesConfig = Readonly<{
  /** The first one encrypts, all of them decrypt. */
  keys: KeyRing
  /** The directory URL of each authority (RFC 8555, 7.1.1), by its domain in CAA records. */
  directories: ReadonlyMap<string, string>
  /** An email address for the authorities; optional. */
  contact: string | undefined
  /** The orders that the authority grants an account in three hours. */
  ordersPerThreeHours: number
  /** Roots (PEM) of authorities that are not publicly trusted, for tests only. */
  testRoots: string | undefined
}>

/** `2026=<base64 of 32 bytes>,2025=…`: ids and keys, the one that encrypts first. */
export function readKeyRing(text: string): KeyRing | undefined {
  const ring = text.split(',').map((item) => {
    const [, id, key = ''] = /^([\w.-]{1,32})=([A-Za-z0-9+/]{43}=)$/.exec(item.trim()) ?? []
    return id === undefined ? undefined : { id, key: new Secret(key) }
  })
  const read = ring.filter((item) => item !== undefined)
  return read.length === ring.length && new Set(read.map(({ id }) => id)).size === ring.length ? read : undefined
}

/** `letsencrypt.org=https://…/directory, …`. */
export function readDirectories(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = text.split(',').map((item) => /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=(https:\/\/\S+)$/.exec(item.trim()))
  if (pairs.some((pair) => pair === null || !URL.canParse(pair[2] ?? ''))) return undefined
  return new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}
