// What a certificate authority says when it refuses, as a cause that people can act
// on. What our own look has found explains most refusals, and better than the
// authority's words do: then that is the cause. Only what remains becomes a cause of
// its own, with the authority's words escaped and cut.

import type { CauseCode } from '../causes.ts'
import { trouble, type Trouble } from '../trouble.ts'
import { timeOfDay } from './words.ts'

/** An ACME problem document (RFC 8555, 6.7), as far as it is read; the type without its prefix. */
export type Problem = {
  type: string
  detail: string
  subproblems: readonly { type: string; detail: string }[]
  /** When the authority wants to be asked again, in ms since 1970. */
  retryAfter: number | null
  /** Of the HTTP answer; 0 if none came. */
  status: number
}

export type Order = {
  host: string
  apex: string
  /** Name of the authority. */
  authority: string
  /** In ms since 1970: now, and when we try again by ourselves. */
  now: number
  nextTryAt: number
  /** Place in our own queue, where our account is the limit. */
  place: number
  /** Of the last look; they explain what the authority saw. */
  found: readonly Trouble[]
}

const DETAIL_MAX = 200
const PREFIX = /^urn:ietf:params:acme:error:/

export function authorityTrouble(problem: Problem, order: Order): Trouble {
  const code = codeOf(innermost(problem))
  const explained = order.found.find((found) => found.severity === 'blocks' && explains(found.code, code))
  if (explained) return explained
  const until = problem.retryAfter ?? order.nextTryAt
  const { host, apex, authority: ca, place: n } = order
  const isWait = waits.includes(code)
  const values = { host, apex, ca, n, time: timeOfDay(until, order.now), detail: escaped(innermost(problem).detail) }
  return trouble(code, values, isWait ? { until } : {})
}

type Said = Pick<Problem, 'type' | 'detail' | 'status'>

/** A compound problem says what is wrong in its parts. */
function innermost({ type, detail, subproblems, status }: Problem): Said {
  const [part] = subproblems
  return part && kindOf(type) === 'compound' ? { ...part, status } : { type, detail, status }
}

const kindOf = (type: string) => type.replace(PREFIX, '')

const waits: readonly CauseCode[] = [
  'ca.rate_limited_failures',
  'ca.rate_limited_duplicate',
  'ca.rate_limited_domain',
  'ca.rate_limited_account',
  'ca.paused',
  'ca.outage',
  'ca.malformed',
  'ca.key_mismatch',
]

const byType: Readonly<Record<string, CauseCode>> = {
  rejectedIdentifier: 'ca.policy',
  unsupportedIdentifier: 'ca.policy',
  userActionRequired: 'ca.malformed',
  dns: 'ca.dns',
  connection: 'ca.connection',
  unauthorized: 'ca.unauthorized',
  incorrectResponse: 'ca.unauthorized',
  tls: 'ca.tls',
  caa: 'ca.caa',
  serverInternal: 'ca.outage',
}

function codeOf({ type, detail, status }: Said): CauseCode {
  const kind = kindOf(type)
  if (kind === 'rateLimited') return limitOf(detail)
  if (/secondary validation|remote perspective|perspectives? (could not|did not)/i.test(detail)) return 'ca.mpic'
  if (/key authorization .*did not match/i.test(detail)) return 'ca.key_mismatch'
  const known = Object.hasOwn(byType, kind) ? byType[kind] : undefined
  if (known) return known
  return status >= 500 || status === 0 ? 'ca.outage' : 'ca.malformed'
}

/** Authorities have one type for all limits, and tell them apart only in words. */
function limitOf(detail: string): CauseCode {
  if (/paused|temporarily prevented/i.test(detail)) return 'ca.paused'
  if (/failed (authorizations|validations)|authorizations? failures?/i.test(detail)) return 'ca.rate_limited_failures'
  if (/exact (set|same)|duplicate/i.test(detail)) return 'ca.rate_limited_duplicate'
  if (/registered domain|already issued for/i.test(detail)) return 'ca.rate_limited_domain'
  return 'ca.rate_limited_account'
}

const explanations: Readonly<Partial<Record<CauseCode, readonly string[]>>> = {
  'ca.dns': ['name.', 'zone.', 'dns.'],
  'ca.connection': ['dns.', 'http.', 'proxy.'],
  'ca.unauthorized': ['dns.', 'http.', 'proxy.'],
  'ca.tls': ['dns.', 'http.', 'proxy.'],
  'ca.caa': ['caa.', 'zone.'],
  'ca.mpic': ['zone.geo_blocked', 'zone.ns_unreachable', 'zone.lame_ns'],
}

const explains = (found: CauseCode, said: CauseCode) =>
  explanations[said]?.some((start) => found.startsWith(start)) ?? false

const escaped = (text: string) =>
  text.slice(0, DETAIL_MAX).replace(/[^\x20-\x7e]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`)
