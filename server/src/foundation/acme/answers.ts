// Decodes and validates the authority's JSON. Nothing is trusted: unknown states, invalid addresses
// and challenges without a token are an `InvalidAnswer`, which is a problem like any other and never ends
// up in a row.

import { instantFrom } from '../time.ts'
import type { AcmeAuthorization, AcmeChallenge, AcmeOrder, AcmeProblem, ChallengeType } from './port.ts'
import { problemFrom, recordFrom, retryAfterMsFrom } from './problem.ts'

export class InvalidAnswer extends Error {}

type ReportedOrder = { body: unknown; url: string; retryAfter: string | null; now: number }

export function orderFrom({ body, retryAfter, url, now }: ReportedOrder): AcmeOrder {
  const order = recordFrom(body)
  if (order === null) throw new InvalidAnswer('The order is not an object.')
  const authorizations = order['authorizations']
  if (!Array.isArray(authorizations)) throw new InvalidAnswer('The order has no authorizations.')
  const { certificate } = order
  return {
    url: urlFrom(url, 'an order'),
    status: stateFrom(order['status'], ORDER_STATES),
    authorizations: authorizations.map((one) => urlFrom(one, 'an authorization')),
    finalize: urlFrom(order['finalize'], 'finalizing'),
    certificate: certificate === undefined || certificate === null ? null : urlFrom(certificate, 'a certificate'),
    problem: problemIn(order['error'], now),
    retryAfterMs: retryAfterMsFrom(retryAfter, now),
  }
}

/** The key authorization of a challenge depends on the account, which no answer contains. */
export type OfferedChallenge = Omit<AcmeChallenge, 'keyAuthorization'>

export function authorizationFrom(
  reported: ReportedOrder,
  type: ChallengeType,
): Omit<AcmeAuthorization, 'challenge'> & { challenge: OfferedChallenge | null } {
  const { body, url } = reported
  const authorization = recordFrom(body)
  if (authorization === null) throw new InvalidAnswer('The authorization is not an object.')
  const offered = authorization['challenges']
  const wanted = (Array.isArray(offered) ? offered : []).find((one) => recordFrom(one)?.['type'] === type)
  return {
    url,
    status: stateFrom(authorization['status'], AUTHORIZATION_STATES),
    challenge: wanted === undefined ? null : offeredChallenge(reported, recordFrom(wanted) ?? {}),
  }
}

function offeredChallenge(reported: ReportedOrder, challenge: Readonly<Record<string, unknown>>): OfferedChallenge {
  const { token } = challenge
  // It becomes part of a path on owners' hostnames (RFC 8555, 8.3).
  if (typeof token !== 'string' || !/^[\w-]{16,200}$/.test(token))
    throw new InvalidAnswer('The challenge has no token.')
  const url = urlFrom(challenge['url'], 'a challenge')
  return challengeFrom({ ...reported, body: challenge, url }, { token })
}

export function challengeFrom<Known extends { token: string }>(
  { body, url, now }: ReportedOrder,
  known: Known,
): Known & OfferedChallenge {
  const challenge = recordFrom(body)
  if (challenge === null) throw new InvalidAnswer('The challenge is not an object.')
  const status = stateFrom(challenge['status'], CHALLENGE_STATES)
  return { ...known, url, status, problem: problemIn(challenge['error'], now) }
}

export function renewalFrom({ body, retryAfter, now }: ReportedOrder): {
  start: number
  end: number
  retryAfterMs: number | null
} {
  const window = recordFrom(recordFrom(body)?.['suggestedWindow'])
  const [start, end] = [momentFrom(window?.['start']), momentFrom(window?.['end'])]
  // RFC 9773, 4.2: a window that ends before it begins counts as absent.
  if (start === undefined || end === undefined || end <= start)
    throw new InvalidAnswer('There is no window to renew in.')
  return { start, end, retryAfterMs: retryAfterMsFrom(retryAfter, now) }
}

/** Null if the authority does not support renewal information. */
export function renewalUrlFrom(directory: unknown): string | null {
  const known = recordFrom(directory)
  if (known === null) throw new InvalidAnswer('The directory is not an object.')
  return known['renewalInfo'] === undefined
    ? null
    : urlFrom(known['renewalInfo'], 'renewal information').replace(/\/$/, '')
}

export function urlFrom(value: unknown, of: string): string {
  const isUrl = typeof value === 'string' && value.length <= URL_MAX && /^https:\/\/[!-~]+$/.test(value)
  if (!isUrl || !URL.canParse(value)) throw new InvalidAnswer(`There is no address for ${of}.`)
  return value
}

const URL_MAX = 1_000
const ORDER_STATES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const
const AUTHORIZATION_STATES = ['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked'] as const
const CHALLENGE_STATES = ['pending', 'processing', 'valid', 'invalid'] as const

function stateFrom<State extends string>(value: unknown, states: readonly State[]): State {
  const state = states.find((one) => one === value)
  if (state === undefined) throw new InvalidAnswer('It is in a state that does not exist.')
  return state
}

const momentFrom = (value: unknown): number | undefined => (typeof value === 'string' ? instantFrom(value) : undefined)

/**
 * In an order or a challenge; there the status is a member of the problem document, not that of the
 * HTTP response.
 */
function problemIn(value: unknown, now: number): AcmeProblem | null {
  const document = recordFrom(value)
  if (document === null) return null
  const status = typeof document['status'] === 'number' ? document['status'] : 400
  return problemFrom({ status, body: document, retryAfter: null }, now)
}
