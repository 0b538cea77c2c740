// The steps that all ways of signing in share, whatever the credential: attempts are
// counted, a session begins with a new cookie, and the account is returned. Also the
// check that a request comes from a session and not from a token.

import { digestOf } from '../foundation/key-format.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { tooMany, type RateLimit } from '../foundation/http/rate-limit.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { ABSOLUTE_SECONDS, cookieOf, newSecret, type Person } from './guard.io.ts'
import * as accounts from './account-queries.ts'
import type { AccountId, AccountRow } from './account-queries.ts'

/** A client that may not be signed in, and its User-Agent. */
export type Visitor = { address: string; userAgent: string | undefined }

/** Attempts to sign in or up, by client address and by account. */
export type Attempts = { perAddress: RateLimit; perAccount: RateLimit }

export type SessionDeps = { newId: (kind: string) => string; randomBytes: (count: number) => Uint8Array }

/** The account, the password hash that was compared with, and the device. */
export type Beginning = { account: AccountId; password: string; device: string | null }

/** The cookie of a new session, if the password hash is still the one that was compared with. */
export async function beginSession(db: Db, deps: SessionDeps, beginning: Beginning): Promise<string> {
  const secret = newSecret(deps.randomBytes)
  const row = await accounts.insertSession(db, {
    ...beginning,
    id: deps.newId('ses'),
    digest: digestOf(secret),
    seconds: ABSOLUTE_SECONDS,
  })
  if (!row) throw new Refusal('wrong_credentials')
  return cookieOf(secret)
}

export async function countAttempt(limit: RateLimit, key: string): Promise<void> {
  const { isOver, resetSeconds } = await limit.use(key)
  if (isOver) throw tooMany('attempts', resetSeconds)
}

/**
 * The session of a signed-in person. A leaked token is usable until it expires; it must not be able to
 * prolong itself.
 */
export function sessionIdOf({ session }: Person): string {
  if (session === undefined) throw new Refusal('session_required')
  return session
}

export const accountJson = ({ id, email, name, createdAt }: AccountRow) =>
  JSON.stringify({ id, email, name, createdAt })
