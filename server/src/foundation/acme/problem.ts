// `problemFrom` decodes error responses of a certificate authority: the problem document (RFC 8555,
// 6.7) and the requested wait. Load balancers in front of an authority respond with HTML pages, and
// owners' servers can influence its texts, so nothing here is trusted: texts are escaped and
// truncated, numbers bounded, and a response that cannot be decoded is still a problem. Nothing
// here throws.

import { plainBytes } from '../dns/wire-reader.ts'
import type { AcmeProblem } from './port.ts'

export type ProblemAnswer = { status: number; body: unknown; retryAfter: string | null }

export function problemFrom({ status, body, retryAfter }: ProblemAnswer, now: number): AcmeProblem {
  const document = recordFrom(body) ?? {}
  return {
    type: typeFrom(document['type']) ?? typeByStatus(status),
    detail: detailFrom(document['detail'] ?? `HTTP ${status} without a problem document.`),
    status,
    subproblems: listFrom(document['subproblems']).slice(0, SUBPROBLEMS_MAX).map(subproblemFrom),
    retryAfterMs: retryAfterMsFrom(retryAfter, now) ?? promisedInWords(document['detail'], now),
  }
}

/** For when there was no response that could be a problem document. */
export const silence = (type: 'unreachable' | 'timeout' | 'nonsense', detail: string): AcmeProblem => ({
  type,
  detail: detailFrom(detail),
  status: null,
  subproblems: [],
  retryAfterMs: null,
})

/** RFC 9110, 10.2.3: seconds or a date. Null if it is neither; never negative, never longer than a month. */
export function retryAfterMsFrom(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return bounded(Number(text) * 1000)
  // Only the form that must be sent; Date.parse alone reads "1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? null : bounded(moment - now)
}

/** Let's Encrypt also writes the time into the detail text, and sometimes only there. */
function promisedInWords(detail: unknown, now: number): number | null {
  if (typeof detail !== 'string') return null
  const [, day, time] = /retry after (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC/.exec(detail) ?? []
  const moment = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(moment) ? null : bounded(moment - now)
}

const WAIT_MS_MAX = 31 * 86_400_000
const SUBPROBLEMS_MAX = 20
const DETAIL_MAX = 200
const PREFIX = 'urn:ietf:params:acme:error:'

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), WAIT_MS_MAX)

export const recordFrom = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

const listFrom = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function subproblemFrom(value: unknown): AcmeProblem['subproblems'][number] {
  const { type, detail, identifier } = recordFrom(value) ?? {}
  const hostname = recordFrom(identifier)?.['value']
  return {
    type: typeFrom(type) ?? 'nonsense',
    detail: detailFrom(detail),
    hostname: typeof hostname === 'string' ? detailFrom(hostname) : null,
  }
}

/** Types outside ACME's namespace keep their whole name. */
function typeFrom(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.startsWith(PREFIX) ? value.slice(PREFIX.length) : value
  const isOurs = name === 'unreachable' || name === 'timeout' || name === 'nonsense'
  return /^[\w:./#-]{1,100}$/.test(name) && name !== 'about:blank' && !isOurs ? name : null
}

function typeByStatus(status: number): string {
  if (status === 429) return 'rateLimited'
  return status >= 500 ? 'serverInternal' : 'nonsense'
}

function detailFrom(value: unknown): string {
  if (typeof value !== 'string') return ''
  // Truncated before as well, so that a text of megabytes is not escaped to its end.
  return plainBytes(new TextEncoder().encode(value.slice(0, DETAIL_MAX))).slice(0, DETAIL_MAX)
}

// `rateLimitOf` identifies which of the authority's rate limits was reached. All of them arrive as
// `rateLimited`, but one concerns a name, one its registered domain and one our account, and owners
// need different advice. Let's Encrypt names the limit in the detail text and in the link that
// follows it; the text is matched first because details are truncated.

type RateLimit = 'failures' | 'duplicate' | 'domain' | 'account' | 'registrations' | 'paused' | 'load'

/** Null if it is not a rate limit; `account` if it is an unknown one. */
export function rateLimitOf({ type, status, detail }: AcmeProblem): RateLimit | null {
  if (type !== 'rateLimited') return null
  const known = sentences.find(([sentence]) => sentence.test(detail))
  if (known !== undefined) return known[1]
  return status === 503 ? 'load' : 'account'
}

const sentences: readonly (readonly [RegExp, RateLimit])[] = [
  [/failed authorizations|#authorization-failures/i, 'failures'],
  [/exact set of (identifiers|domains)|#new-certificates-per-exact-set/i, 'duplicate'],
  [/certificates .*already issued for|#new-certificates-per-registered-domain/i, 'domain'],
  [/temporarily prevented from requesting|paused/i, 'paused'],
  [/new registrations|#new-registrations/i, 'registrations'],
  [/new orders|#new-orders/i, 'account'],
  [/service busy|overloaded|load shed/i, 'load'],
]

/** The authority's primary validation succeeded, another perspective failed (Let's Encrypt's words). */
export const isSecondaryValidation = ({ detail }: Pick<AcmeProblem, 'detail'>): boolean =>
  /^During secondary (domain )?validation: /.test(detail)
