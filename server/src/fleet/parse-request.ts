// `parseEdgeRequest` parses an edge's request strictly from its target: every parameter once,
// nothing else, numbers as decimal digits, names as in DNS. Malformed values never reach the
// database.

import { isHostname } from '../foundation/dns/hostname.ts'
import { isSlug } from '../foundation/slug.ts'
import { isTableName } from './table-name.ts'
import {
  CERTIFICATES_PATH,
  CHALLENGES_PATH,
  CHANGES_PATH,
  ENROLMENT_PATH,
  SETTINGS_PATH,
  SITE_PATH,
  WAIT_MAX_MS,
  type EdgeKeys,
} from './protocol.ts'

export type EdgeRequest =
  | { kind: 'changes'; after: number; begun: number; waitMs: number; protocol: number }
  | { kind: 'certificate'; hostname: string; generation: bigint }
  | { kind: 'challenge'; hostname: string; token: string }
  /** The rest of the target, byte for byte. */
  | { kind: 'site'; target: string }
  | { kind: 'enrolment' }
  | { kind: 'settings' }
  | { kind: 'malformed' }
  | { kind: 'unknown' }

export function parseEdgeRequest(url: string): EdgeRequest {
  // First, because a path and query of a site may contain anything.
  if (url.startsWith(`${SITE_PATH}/`)) return { kind: 'site', target: url.slice(SITE_PATH.length) }
  if (url === ENROLMENT_PATH) return { kind: 'enrolment' }
  if (url === SETTINGS_PATH) return { kind: 'settings' }
  const [path = '', query = '', ...more] = url.split('?')
  if (more.length > 0) return malformed
  if (path === CHANGES_PATH) return changesRequest(query)
  if (path.startsWith(CERTIFICATES_PATH)) return certificateRequest(path.slice(CERTIFICATES_PATH.length), query)
  if (path.startsWith(CHALLENGES_PATH)) return challengeRequest(path.slice(CHALLENGES_PATH.length), query)
  return { kind: 'unknown' }
}

const malformed: EdgeRequest = { kind: 'malformed' }

function changesRequest(query: string): EdgeRequest {
  const { after, wait = 0n, begun = 0n, protocol = 1n, ...others } = numbersOf(query)
  const isForm = after !== undefined && after <= SEQ_MAX && begun <= SEQ_MAX && Object.keys(others).length === 0
  if (!isForm) return malformed
  const waitMs = Math.min(Number(wait), WAIT_MAX_MS)
  return { kind: 'changes', after: Number(after), begun: Number(begun), waitMs, protocol: Number(protocol) }
}

const SEQ_MAX = BigInt(Number.MAX_SAFE_INTEGER)
const INT8_MAX = 2n ** 63n - 1n

function certificateRequest(name: string, query: string): EdgeRequest {
  const hostname = name.replace(/^%2A(?=\.)/i, '*')
  const { generation, ...others } = numbersOf(query)
  const isForm = generation !== undefined && generation <= INT8_MAX && Object.keys(others).length === 0
  return isForm && isTableName(hostname) ? { kind: 'certificate', hostname, generation } : malformed
}

function challengeRequest(rest: string, query: string): EdgeRequest {
  const [hostname = '', token = '', ...more] = rest.split('/')
  const isForm = more.length === 0 && query === '' && /^[\w-]{1,128}$/.test(token)
  return isForm && isHostname(hostname) ? { kind: 'challenge', hostname, token } : malformed
}

/** The public keys in the body of an enrolment; undefined if it is malformed. */
export function enrolledKeys(body: unknown): EdgeKeys | undefined {
  const [, signKey, sealKey] = /^sign=([\w-]{43})&seal=([\w-]{43})$/.exec(typeof body === 'string' ? body : '') ?? []
  return signKey === undefined || sealKey === undefined ? undefined : { signKey, sealKey }
}

/** Each parameter once; malformed input yields a name that no request uses. */
function numbersOf(query: string): Partial<Record<string, bigint>> {
  const pairs = query.split('&').map((pair) => /^([a-z]+)=(0|[1-9]\d{0,18})$/.exec(pair))
  const names = pairs.map((pair) => pair?.[1])
  if (pairs.some((pair) => pair === null) || new Set(names).size < names.length) return { malformed: 0n }
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', BigInt(pair?.[2] ?? 0)]))
}

const visitedForm = /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i

/** The site and the host that the visitor requested; undefined if the edge's headers are malformed. */
export const visitOf = (slug: unknown, host: unknown): { slug: string; host: string } | undefined =>
  isSlug(slug) && typeof host === 'string' && visitedForm.test(host) ? { slug, host } : undefined
