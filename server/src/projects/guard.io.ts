// Authenticates API keys and resolves their project. A key that is malformed, of the
// other installation or mistyped costs no database work. A valid one is cached for less
// than a second, counted from its lookup or from the last query of the directory of
// revocations: so every process rejects a revoked key within a second, even if the
// notification that would have made it faster was lost.
//
// Failures of an address are counted and, above a limit, answered with 429. That never
// keeps a valid key out: its lookup waits for those of others at most (shared-lookups.io.ts).

import { hash } from 'node:crypto'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import type { Scope } from '@petstore-platform/contract/operations'
import type { CredentialRules } from '../accounts/sessions/guard.io.ts'
import type { Context } from '../foundation/context.ts'
import { FreshCache } from '../foundation/load/cache.ts'
import { batched } from '../foundation/load/batch.ts'
import { shareLookups } from '../foundation/load/shared-lookups.io.ts'
import { readBearer } from '../foundation/http/negotiation.ts'
import { isRefusedData } from '../foundation/postgres/postgres.io.ts'
import { tooMany, type RateLimit } from '../foundation/load/rate-limit.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import * as directory from './directory.io.ts'
import type { FoundKey } from './directory.io.ts'
import { formOf, isKey, type KeyKind } from '../foundation/key-format.ts'
import type { ProjectId } from './scope.io.ts'

export type Caller = { project: ProjectId; keyId: string; scopes: readonly Scope[] }

/** Less than the promised second: the response must be under way before the second is over. */
export const KEY_CACHE_MS = 800
const KEYS_HELD_MAX = 100_000
/** Larger batches would cost more per key: every key is checked against the projects of all. */
const KEYS_AT_ONCE = 64

export type Guard = {
  /** The caller if the key is cached and valid: the common case, without waiting. */
  recognise(authorizations: readonly string[]): Caller | undefined
  authenticate(authorizations: readonly string[], address: string): Promise<Caller>
}

export function createGuard(
  { database: { run }, now, monotonic }: Pick<Context, 'database' | 'now' | 'monotonic'>,
  { revocations, failures, quotas, heldMs = KEY_CACHE_MS }: CredentialRules,
  kind: KeyKind,
): Guard {
  const known = new FreshCache<FoundKey>({ holdMs: heldMs, countMax: KEYS_HELD_MAX, now: monotonic })
  revocations.hold(known)
  // Apart: a client that sends no key, or cuts it off, does not use up the answers of one with a wrong key.
  const malformed = quotas.limit('malformed_key', { name: 'address', ...failures })
  const wrong = quotas.limit('failed_key', { name: 'address', ...failures })

  // Every active key is looked up again each second; concurrent lookups are one statement.
  const lookUp = batched<Buffer, FoundKey | undefined>({
    together: (digests) => directory.findKeys(run, digests),
    isBlamed: isRefusedData,
    groupOf: (digest) => digest,
    weightOf: () => 1,
    weightMax: KEYS_AT_ONCE,
    lanes: 2,
  })
  const lookUpUncached = shareLookups({ find: lookUp, refuse: () => tooManyFailures(1) })

  const refuse = async (failed: RateLimit, code: RefusalCode, address: string, message?: string): Promise<never> => {
    const usage = await failed.use(address)
    if (usage.isOver) throw tooManyFailures(usage.resetSeconds)
    throw unauthorized(code, message)
  }

  const isGood = ({ revokedAt, expiresAt, isSuspended }: FoundKey) =>
    !isSuspended && revokedAt === null && (expiresAt === null || expiresAt.getTime() > now())

  return {
    recognise(authorizations) {
      const [sent] = authorizations
      // Any other malformed token would have an unknown digest.
      const token = sent === undefined || authorizations.length > 1 ? undefined : readBearer(sent)
      const found = token === undefined ? undefined : known.peek(nameOf(token))
      return found && isGood(found) ? callerOf(found) : undefined
    },
    async authenticate(authorizations, address) {
      const [sent] = authorizations
      const token = sent === undefined ? undefined : readBearer(sent)
      if (token === undefined && authorizations.length < 2) return refuse(malformed, 'missing_api_key', address)
      if (token === undefined || authorizations.length > 1) return refuse(malformed, 'invalid_api_key', address)
      // By form alone: whether the token is valid is not looked up here, and must not be revealed.
      if (formOf(token) === 'pat') return refuse(malformed, 'invalid_api_key', address, TOKEN_SENT)
      if (!isKey(token, kind)) return refuse(malformed, 'invalid_api_key', address)

      const name = nameOf(token)
      const digest = Buffer.from(name, 'hex')
      const read = known.has(name) ? () => lookUp(digest) : () => lookUpUncached(address, digest)
      const found = await known.get(name, read)
      if (!found) return refuse(wrong, 'invalid_api_key', address)

      if (found.revokedAt !== null) return refuse(wrong, 'revoked_api_key', address)
      if (found.isSuspended) throw new Refusal('project_suspended')
      if (!isGood(found)) return refuse(wrong, 'expired_api_key', address)
      return callerOf(found)
    },
  }
}

/** The cache key of an API key: its digest, as it also comes with a notification. */
const nameOf = (token: string) => hash('sha256', token, 'hex')

const callerOf = ({ project, id, scopes }: FoundKey): Caller => ({ project, keyId: id, scopes })

export function refuseNarrow(scopes: readonly Scope[], scope: Scope): void {
  if (scopes.includes(scope)) return
  throw new Refusal('insufficient_scope', `This key does not have the scope '${scope}'.`, {
    'WWW-Authenticate': `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`,
  })
}

const TOKEN_SENT = "A personal access token authenticates requests to /platform/v1 only. /v1 needs a project's API key."

function unauthorized(code: RefusalCode, message?: string): Refusal {
  const refusal = new Refusal(code, message)
  const fault = `, error="invalid_token", error_description="${refusal.message.replace(/\.$/, '')}"`
  return new Refusal(code, message, {
    'WWW-Authenticate': `Bearer realm="petstore"${code === 'missing_api_key' ? '' : fault}`,
  })
}

const tooManyFailures = (seconds: number) => tooMany('failed authentications from this address', seconds)
