// The format of enrolment tokens: `edge_` and 32 random bytes in base64url. Only the digest is ever stored. Pure.

import { hash } from 'node:crypto'

export const tokenOf = (bytes: Uint8Array): string => `edge_${Buffer.from(bytes).toString('base64url')}`

export const isToken = (text: string): boolean => /^edge_[\w-]{43}$/.test(text)

export const tokenDigest = (token: string): string => hash('sha256', token, 'hex')
