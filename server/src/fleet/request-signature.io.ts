// The signature on every request of an edge: Ed25519 over all that the control plane acts upon, that is method, target,
// time, body, and the headers that name a site and its visitor.
//
//   Authorization: Petstore-Edge <id> <time, ms> <SHA-256 of the body, base64url> <signature, base64url>
//
// A signature is valid for minutes, and there is no list of those already seen: a request that is recorded and sent again
// within this time reads what the edge has read, encrypted to the edge where it is secret, or confirms what the edge has
// confirmed. A form that is sent again is a form that its recorder could have sent to the site.

import { hash, sign, verify, type KeyObject } from 'node:crypto'
import { MINUTE, type Instant } from '../foundation/time.ts'
import { SITE_HEADER, VISITED_HOST_HEADER, VISITOR_HEADER } from './protocol.ts'

/** As Node receives it; an edge creates the same. */
export type SignableRequest = {
  method?: string | undefined
  /** The target. */
  url?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** How far the clocks of edge and control plane may differ. */
export const SKEW_MS = 5 * MINUTE

export type Signature = { id: string; at: Instant; digest: string; bytes: Buffer }

export function signatureOf(
  { id, key, at }: { id: string; key: KeyObject; at: Instant },
  request: SignableRequest,
  body: Buffer | undefined,
): string {
  const digest = digestOf(body)
  const bytes = sign(null, signedText({ id, at, digest }, request), key)
  return `Petstore-Edge ${id} ${at} ${digest} ${bytes.toString('base64url')}`
}

const form = /^Petstore-Edge (edg_[0-9a-f]{24}) ([1-9]\d{0,14}) ([\w-]{43}) ([\w-]{86})$/

/** Undefined if the header is no signature. */
export function readSignature(authorization: string | undefined): Signature | undefined {
  const [, id, at, digest, bytes] = form.exec(authorization ?? '') ?? []
  if (id === undefined || digest === undefined || bytes === undefined) return undefined
  return { id, at: Number(at), digest, bytes: Buffer.from(bytes, 'base64url') }
}

/** Of a body only the digest that was sent is covered: see `isSignedBody`. */
export const isSignedBy = (key: KeyObject, signature: Signature, request: SignableRequest): boolean =>
  verify(null, signedText(signature, request), key, signature.bytes)

/** True too without a signature: then it is not by a body that the request is recognised. */
export function isSignedBody(authorization: string | undefined, body: Buffer): boolean {
  const signature = readSignature(authorization)
  return signature === undefined || signature.digest === digestOf(body)
}

const digestOf = (body: Buffer | undefined): string => hash('sha256', body ?? '', 'base64url')

/** No part contains a line break: neither targets nor headers can. */
const signedText = (
  { id, at, digest }: Pick<Signature, 'id' | 'at' | 'digest'>,
  { method = 'GET', url = '', headers }: SignableRequest,
): Buffer => {
  const named = [SITE_HEADER, VISITED_HOST_HEADER, VISITOR_HEADER].map((name) => String(headers[name] ?? ''))
  return Buffer.from(['petstore-edge', id, at, method, url, digest, ...named].join('\n'), 'latin1')
}
