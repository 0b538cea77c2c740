// Classifies an authority's problem for the next attempt, and maps it to the code that owners
// are shown. The class decides who must act: the authority itself (`outage`, `limited`), the
// owner's DNS (`evidence`), the servers of the hostname (`validation`), or we (`ours`). Our own
// self-check uses the same form of problem: it costs the authority nothing.

import type { AcmeProblem } from '../foundation/acme/port.ts'
import { isSecondaryValidation, rateLimitOf } from '../foundation/acme/problem.ts'

export type ProblemClass = 'outage' | 'limited' | 'evidence' | 'validation' | 'ours' | 'self_check'

export function classOf({ type, status }: AcmeProblem): ProblemClass {
  if (type === SELF_CHECK) return 'self_check'
  if (type === 'rateLimited' || status === 429) return 'limited'
  if (silent.has(type) || (status !== null && status >= 500)) return 'outage'
  if (fromDns.has(type)) return 'evidence'
  return fromName.has(type) ? 'validation' : 'ours'
}

/** The problem type of our own check before an order. */
const SELF_CHECK = 'selfCheck'
/** The authority refused one nonce after the other; nothing was done, and other orders need not be held back. */
const BAD_NONCE = 'badNonce'
/** An order that the authority left open for too long; given up. */
export const STUCK = 'stuck'
/** An attempt that ended with the process that made it, twice. */
export const INTERRUPTED = 'interrupted'
/** The authority issued a certificate that we do not accept. */
export const BAD_CERTIFICATE = 'badCertificate'
/** The stored key of the order cannot be decrypted. */
export const KEY_LOST = 'keyLost'

const silent = new Set(['unreachable', 'timeout', 'nonsense', 'serverInternal', BAD_NONCE, STUCK, BAD_CERTIFICATE])
const fromDns = new Set(['dns', 'caa', 'rejectedIdentifier', 'unsupportedIdentifier'])
const fromName = new Set(['connection', 'unauthorized', 'tls', 'incorrectResponse'])

/** A problem of our own making, in the form of theirs. */
export const problemOf = (type: string, detail: string): AcmeProblem => ({
  type,
  detail: detail.slice(0, 200),
  status: null,
  subproblems: [],
  retryAfterMs: null,
})

/** The result of our own check before an order: its code is reported unchanged. */
export const selfCheckProblem = (code: string, detail: string): AcmeProblem => ({
  ...problemOf(SELF_CHECK, detail),
  subproblems: [{ type: code, detail: '', hostname: null }],
})

/** The code in the list of causes, for texts to owners. */
export function codeOf(reported: AcmeProblem): string {
  if (reported.type === SELF_CHECK) return reported.subproblems[0]?.type ?? 'ca.connection'
  const problem = innermost(reported)
  if (/key authorization .*did not match/i.test(problem.detail)) return 'ca.key_mismatch'
  if (isSecondaryValidation(problem)) return 'ca.mpic'
  const limit = rateLimitOf(problem)
  if (limit !== null) return limits[limit]
  if (classOf(problem) === 'outage') return 'ca.outage'
  return (Object.hasOwn(codes, problem.type) && codes[problem.type]) || 'ca.malformed'
}

/** In the authority's words. */
export const detailOf = (reported: AcmeProblem): string => innermost(reported).detail

/** A compound problem has the details in its subproblems. */
function innermost(problem: AcmeProblem): AcmeProblem {
  const [part] = problem.subproblems
  return part && problem.type === 'compound' ? { ...problem, type: part.type, detail: part.detail } : problem
}

const limits: Readonly<Record<NonNullable<ReturnType<typeof rateLimitOf>>, string>> = {
  failures: 'ca.rate_limited_failures',
  duplicate: 'ca.rate_limited_duplicate',
  domain: 'ca.rate_limited_domain',
  account: 'ca.rate_limited_account',
  registrations: 'ca.rate_limited_account',
  load: 'ca.outage',
  paused: 'ca.paused',
}

const codes: Readonly<Record<string, string>> = {
  dns: 'ca.dns',
  caa: 'ca.caa',
  rejectedIdentifier: 'ca.policy',
  unsupportedIdentifier: 'ca.policy',
  connection: 'ca.connection',
  unauthorized: 'ca.unauthorized',
  tls: 'ca.tls',
  incorrectResponse: 'ca.unauthorized',
}

/** Whether it concerns all requests to the authority, not this hostname alone. */
export const isForAll = (problem: AcmeProblem): boolean => {
  const limit = rateLimitOf(problem)
  if (limit !== null) return limit === 'account' || limit === 'registrations' || limit === 'load'
  return classOf(problem) === 'outage' && !ofOneOrder.has(problem.type)
}

const ofOneOrder = new Set([STUCK, BAD_CERTIFICATE, BAD_NONCE])

/** Whether the authority certainly created no order from the request that got this response. */
export const isUnused = (problem: AcmeProblem): boolean =>
  problem.type === 'unreachable' || (problem.status !== null && problem.status >= 400)
