// Authenticates people: by session cookie or personal access token. Both are cached like
// API keys, so every process rejects a revoked one within a second.
//
// A browser sends its cookie with requests that any page initiates. So a state-changing
// request that is authenticated by cookie must carry an `Origin` (or `Sec-Fetch-Site`) of
// the dashboard.
//
// Wrong tokens of an address are counted and, above a limit, answered with 429. A browser
// without a valid session always gets 401, on which the dashboard offers to sign in. Neither
// keeps a valid secret out: its lookup waits for those of others at most (shared-lookups.io.ts).

import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { addressGroup } from '../../foundation/address-group.ts'
import type { Context } from '../../foundation/context.ts'
import { batched } from '../../foundation/load/batch.ts'
import { FreshCache } from '../../foundation/load/cache.ts'
import { shareLookups } from '../../foundation/load/shared-lookups.io.ts'
import { header } from '../../foundation/http/http.io.ts'
import { digestOf, formOf, isToken } from '../../foundation/key-format.ts'
import { readBearer } from '../../foundation/http/negotiation.ts'
import { isRefusedData, type Db } from '../../foundation/postgres/postgres.io.ts'
import { tooMany, type RateLimit, type SharedLimits } from '../../foundation/load/rate-limit.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { Revocations } from '../../foundation/postgres/revocations.io.ts'
import { MINUTE, SECOND, type Instant } from '../../foundation/time.ts'
import {
  RECENT_MINUTES,
  tokenScopeOf,
  tokenScopes,
  type PlatformOperation,
  type TokenScope,
} from '@petstore-platform/contract/platform/operation'
import { findTokens, touchToken, type AccountId, type TokenRow } from '../account-queries.ts'
import { findSessions, touchSession, type SessionRow } from './session-queries.ts'

export const COOKIE = '__Host-petstore'
export const DEVICE_COOKIE = '__Host-petstore-device'
/** Less than the promised second. */
const CACHE_MS = 800
const HELD_MAX = 100_000
const SECRETS_AT_ONCE = 256

/** A client that may not be signed in: its address group, its User-Agent, and what its cookies hold, valid or not. */
export type Visitor = {
  address: string
  userAgent: string | undefined
  deviceSecret: string | undefined
  sessionSecret: string | undefined
}

/** An authenticated person, and the session (if any) that authenticated the request. */
export type Person = Visitor & {
  account: AccountId
  /** The digest of the session's secret or of the token, in hexadecimal: revocations name it. */
  credential: string
  session: string | undefined
  /** When a password or a user-verified passkey was last presented in the session. */
  provedAt: Instant | undefined
  /** Those of the token; a session has all. */
  scopes: readonly TokenScope[]
}

/** Who a request is from, and its session. */
type Found = {
  account: AccountId
  session: SessionRow | undefined
  digest: Buffer
  scopes: readonly TokenScope[]
}

export type AccountGuard = {
  /** The person, or a refusal. */
  recognise(request: FastifyRequest): Promise<Person>
  visitorOf(request: FastifyRequest): Visitor
  /** Rejects requests whose headers say that a foreign page initiated them; programs send no such headers. */
  refuseForeignPage(request: FastifyRequest): void
}

/** How credentials are cached and failures are counted, of people as of API keys. */
export type CredentialRules = {
  revocations: Pick<Revocations, 'hold'>
  failures: { points: number; windowSeconds: number }
  /** Counts the failures, over all processes. */
  quotas: Pick<SharedLimits, 'limit'>
  /** Longer only in a negative control, which shows that caching secrets for longer is detected. */
  heldMs?: number | undefined
}

/** `origin`: that of the dashboard, such as https://app.petstore.example. */
export function createAccountGuard(
  { database, now, monotonic, onError }: Pick<Context, 'database' | 'now' | 'monotonic' | 'onError'>,
  { revocations, failures, quotas, heldMs = CACHE_MS }: CredentialRules,
  origin: string,
): AccountGuard {
  const { run } = database
  const sessions = new FreshCache<SessionRow>({ holdMs: heldMs, countMax: HELD_MAX, now: monotonic })
  const tokens = new FreshCache<TokenRow>({ holdMs: heldMs, countMax: HELD_MAX, now: monotonic })
  revocations.hold(sessions)
  revocations.hold(tokens)
  const malformed = quotas.limit('malformed_token', { name: 'address', ...failures })
  const wrong = quotas.limit('failed_token', { name: 'address', ...failures })
  const findSession = lookUpOf(run, sessions, findSessions)
  const findToken = lookUpOf(run, tokens, findTokens)

  const refuseToken = async (failed: RateLimit, address: string, message: string): Promise<never> => {
    const usage = await failed.use(address)
    throw usage.isOver ? tooManyFailures(usage.resetSeconds) : notSignedIn(message)
  }

  const bySession = async (secret: string, address: string): Promise<Found | undefined> => {
    if (!isSecret(secret)) return undefined
    const digest = digestOf(secret)
    const held = await findSession(digest, address)
    if (!held) return undefined
    const isStale = isOver(held, now())
    // Another process may have recorded a use in the meantime without notifying this one.
    if (isStale) sessions.forget(digest.toString('hex'))
    const found = isStale ? await findSession(digest, address) : held
    const at = now()
    if (!found || isOver(found, at)) return undefined
    if (at - found.seenAt.getTime() >= MINUTE) {
      // Cached rows are shared, so the next request of this minute does not write again.
      found.seenAt = new Date(at)
      touchSession(run, found.id).catch(onError)
    }
    return { account: found.account, session: found, digest, scopes: tokenScopes }
  }

  const byToken = async (secret: string, address: string): Promise<Found | undefined> => {
    if (!isToken(secret)) return undefined
    const digest = digestOf(secret)
    const found = await findToken(digest, address)
    const at = now()
    if (!found || (found.expiresAt !== null && found.expiresAt.getTime() <= at)) return undefined
    if (found.lastUsedAt === null || at - found.lastUsedAt.getTime() >= MINUTE) {
      found.lastUsedAt = new Date(at)
      touchToken(run, found.id).catch(onError)
    }
    return { account: found.account, session: undefined, digest, scopes: found.scopes }
  }

  const visitorOf = (request: FastifyRequest): Visitor => ({
    address: addressGroup(request.ip),
    userAgent: header(request, 'user-agent'),
    ...secretsIn(request),
  })

  /** By token or by cookie, or a refusal. */
  const find = async (request: FastifyRequest, address: string): Promise<Found> => {
    const authorization = header(request, 'authorization')
    if (authorization !== undefined) {
      const secret = readBearer(authorization)
      const found = secret === undefined ? undefined : await byToken(secret, address)
      const failed = secret !== undefined && isToken(secret) ? wrong : malformed
      return found ?? refuseToken(failed, address, isApiKey(secret) ? API_KEY_SENT : 'The access token is not valid.')
    }
    const secret = cookieIn(request, COOKIE)
    const found = secret === undefined ? undefined : await bySession(secret, address)
    if (!found) throw notSignedIn()
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeign(request, origin)
    return found
  }

  return {
    visitorOf,
    async recognise(request) {
      const visitor = visitorOf(request)
      const { account, session, digest, scopes } = await find(request, visitor.address)
      const provedAt = session?.provedAt?.getTime()
      return { ...visitor, account, credential: digest.toString('hex'), session: session?.id, provedAt, scopes }
    },
    refuseForeignPage(request) {
      const isFromPage = header(request, 'origin') !== undefined || header(request, 'sec-fetch-site') !== undefined
      if (isFromPage) refuseForeign(request, origin)
    },
  }
}

/** Concurrent lookups are one statement; those of secrets that are not cached as valid are bounded by address group. */
function lookUpOf<Row extends { digest: Buffer }>(
  run: Db,
  held: FreshCache<Row>,
  findRows: (db: Db, digests: readonly Buffer[]) => Promise<Row[]>,
): (digest: Buffer, address: string) => Promise<Row | undefined> {
  const find = batched<Buffer, Row | undefined>({
    async together(digests) {
      const found = new Map((await findRows(run, digests)).map((row) => [row.digest.toString('hex'), row]))
      return digests.map((digest) => found.get(digest.toString('hex')))
    },
    isBlamed: isRefusedData,
    groupOf: (digest) => digest,
    weightOf: () => 1,
    weightMax: SECRETS_AT_ONCE,
    lanes: 2,
  })
  const findUncached = shareLookups({ find, refuse: () => tooManyFailures(1) })
  return (digest, address) => {
    const name = digest.toString('hex')
    return held.get(name, held.has(name) ? () => find(digest) : () => findUncached(address, digest))
  }
}

/** By form alone: whether the key is valid is not looked up here, and must not be revealed. */
const isApiKey = (secret = ''): boolean => ['live', 'test'].includes(formOf(secret) ?? '')

const API_KEY_SENT =
  "A project's API key authenticates requests to /v1 only. /platform/v1 needs a personal access token or a signed-in session."

/** Rejects requests that a foreign page may have initiated: those that do not prove to be ours. */
function refuseForeign(request: FastifyRequest, origin: string): void {
  const sent = header(request, 'origin')
  const site = header(request, 'sec-fetch-site')
  // With our Origin, the request may still have passed through a foreign site that redirected the browser to
  // us.
  const isOurs = sent === undefined ? site === 'same-origin' : sent === origin && site !== 'cross-site'
  if (!isOurs) throw new Refusal('foreign_origin')
}

const isOver = ({ expiresAt, seenAt, idleSeconds }: SessionRow, at: Instant) =>
  expiresAt.getTime() <= at || at - seenAt.getTime() >= idleSeconds * SECOND

/** A token never qualifies: a leaked one must not be able to prolong or to widen its access. */
export function refuseUnlessRecent({ session, provedAt }: Person, at: Instant): void {
  if (session === undefined) throw new Refusal('session_required')
  if (provedAt === undefined || at - provedAt >= RECENT_MINUTES * MINUTE) throw new Refusal('reauthentication_required')
}

/** A token is refused what its scopes do not include. */
export function refuseNarrowToken({ scopes }: Person, operation: PlatformOperation): void {
  const scope = tokenScopeOf(operation)
  if (!scopes.includes(scope))
    throw new Refusal('insufficient_scope', `This access token does not have the scope '${scope}'.`)
}

const tooManyFailures = (seconds: number) => tooMany('failed authentications from this address', seconds)

export const notSignedIn = (message?: string) =>
  new Refusal('not_signed_in', message, { 'WWW-Authenticate': 'Bearer realm="petstore"' })

export const newSecret = (randomBytes: (count: number) => Uint8Array): string =>
  Buffer.from(randomBytes(32)).toString('base64url')

/** Anything else in place of a secret costs no lookup. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

function cookieIn(request: FastifyRequest, name: string): string | undefined {
  const cookies = header(request, 'cookie')
  return cookies === undefined ? undefined : parseCookie(cookies)[name]
}

function secretsIn(request: FastifyRequest): Pick<Visitor, 'deviceSecret' | 'sessionSecret'> {
  const secret = (cookie: string) => {
    const text = cookieIn(request, cookie)
    return text !== undefined && isSecret(text) ? text : undefined
  }
  return { deviceSecret: secret(DEVICE_COOKIE), sessionSecret: secret(COOKIE) }
}

const flags = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

export const cookieOf = (name: string, secret: string, seconds: number): string =>
  stringifySetCookie({ name, value: secret, ...flags, maxAge: seconds })

export const expiredCookie = (): string => cookieOf(COOKIE, '', 0)
