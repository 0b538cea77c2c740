// The proof that a server is one of ours: an HMAC over a nonce and a hostname with the
// secret that the control plane and its edges share.

import { createHmac } from 'node:crypto'

export const PROBE_PATH = '/.well-known/petstore-probe/'

/** The nonce contains no dot, so no two pairs of nonce and hostname have the same input. */
export const probeProof = (secret: string, nonce: string, hostname: string): string =>
  createHmac('sha256', secret).update(`petstore-probe\n${nonce}.${hostname}`).digest('base64url')
