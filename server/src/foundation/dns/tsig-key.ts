// The key that signs dynamic updates (TSIG, RFC 8945).

import type { Secret } from '../secret.ts'

/** By the names of the protocol, with those of the hash functions. */
export const tsigAlgorithms = { 'hmac-sha256': 'sha256', 'hmac-sha384': 'sha384', 'hmac-sha512': 'sha512' } as const

export type TsigKey = {
  name: string
  algorithm: keyof typeof tsigAlgorithms
  /** Base64. */
  secret: Secret
}
