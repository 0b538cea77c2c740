// Identifiers that cannot be guessed or confused: version 7 UUIDs for requests, which sort by time,
// and random ids that carry their kind (`key_…`).

import { randomBytes, randomUUID } from 'node:crypto'

/** RFC 9562, section 5.7: 48 bits of time, the rest random. */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The kind, followed by 96 random bits in hexadecimal. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`
