// The proof that a server is one of ours: an HMAC over a nonce and a hostname with the
// secret that the control plane and its edges share.

import { createHmac } from 'node:crypto'

export const PROBE_PATH = '/.well-known/petstore-probe/'

type Proof = (secret: string, nonce: string, hostname: string) => string

/** The nonce contains no dot, so no two pairs of nonce and hostname have the same input. */
const proofFor =
  (purpose: string): Proof =>
  (secret, nonce, hostname) =>
    createHmac('sha256', secret).update(`${purpose}\n${nonce}.${hostname}`).digest('base64url')

/** Of an edge. */
export const probeProof = proofFor('petstore-probe')

/** Of the service: an edge responds for every hostname, and must not pass for the API. */
export const serviceProof = proofFor('petstore-service')
