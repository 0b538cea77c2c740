// Decodes and validates control-plane responses. Anything that does not match fleet/protocol.ts is
// undefined as a whole: an edge continues with its current data rather than with half of a
// response. Hostnames are checked strictly because they end up in `Location`, in file names and in
// certificates' names.

import { hash } from 'node:crypto'
import { redirectStatuses } from '@petstore-platform/contract/platform/domain-shapes'
import { isHostname } from '../foundation/dns/hostname.ts'
import { isTableName, isWildcardName } from '../fleet/table-name.ts'
import { isSlug } from '../foundation/slug.ts'
import type { Changes, ChallengeResponse, DeliveredCertificate, EnrolmentResponse, Route } from '../fleet/protocol.ts'

/** Numbers rise from one route to the next, and from the requested number unless the table is reset. */
export function readChanges(value: unknown, after: number): Changes | undefined {
  const { head, isReset, routes, audience } = fieldsOf(value)
  if (!isSeq(head) || typeof isReset !== 'boolean' || !Array.isArray(routes)) return undefined
  const read: Route[] = []
  let last = isReset ? 0 : after
  for (const item of routes) {
    const route = readRoute(item)
    if (!route || route.seq <= last) return undefined
    last = route.seq
    read.push(route)
  }
  return { head, isReset, routes: read, ...(isText(audience, audienceForm) && { audience }) }
}

/** Also used for the edge's own disk. */
export function readRoute(value: unknown): Route | undefined {
  const { seq, hostname, kind, slug, target, status, generation, serial } = fieldsOf(value)
  if (!isSeq(seq) || !isTableName(hostname) || !isText(generation, generationForm)) return undefined
  if (kind === 'gone') return { seq, hostname, kind, generation }
  if (isWildcardName(hostname) !== (kind === 'wildcard')) return undefined
  if (kind === 'service' || kind === 'wildcard') {
    return isText(serial, serialForm) ? { seq, hostname, kind, generation, serial } : undefined
  }
  if (!isSlug(slug)) return undefined
  if (kind === 'suspended') return { seq, hostname, kind, slug, generation }
  if (!isText(serial, serialForm)) return undefined
  if (kind === 'site') return { seq, hostname, kind, slug, generation, serial }
  const known = redirectStatuses.find((one) => one === status)
  if (kind !== 'redirect' || !isHostname(target) || known === undefined) return undefined
  return { seq, hostname, kind, slug, target, status: known, generation, serial }
}

/** Undefined too if it is for another name or generation than the requested one. */
export function readCertificate(
  value: unknown,
  wanted: { hostname: string; generation: string },
): DeliveredCertificate | undefined {
  const { hostname, generation, serial, notAfter, chain, sealedKey } = fieldsOf(value)
  if (hostname !== wanted.hostname || generation !== wanted.generation || !isText(serial, serialForm)) return undefined
  if (typeof notAfter !== 'string' || Number.isNaN(Date.parse(notAfter))) return undefined
  if (typeof chain !== 'string' || typeof sealedKey !== 'string') return undefined
  return { ...wanted, serial, notAfter, chain, sealedKey }
}

export function readEnrolment(value: unknown): EnrolmentResponse | undefined {
  const { id } = fieldsOf(value)
  return isText(id, /^edg_[0-9a-f]{24}$/) ? { id } : undefined
}

export function readSettings(value: unknown): Pick<DeliveredCertificate, 'sealedKey'> | undefined {
  const { sealedKey } = fieldsOf(value)
  return isText(sealedKey, /^[\w-]{64,8192}$/) ? { sealedKey } : undefined
}

/** It is forwarded unchanged, so it must be one line of plain characters that begins with the token. */
export function readChallenge(value: unknown, token: string): ChallengeResponse | undefined {
  const { keyAuthorization } = fieldsOf(value)
  const isWhole = isText(keyAuthorization, /^[\w-]{1,256}\.[\w-]{1,256}$/) && keyAuthorization.startsWith(`${token}.`)
  return isWhole ? { keyAuthorization } : undefined
}

const generationForm = /^(0|[1-9]\d{0,18})$/
const audienceForm = /^[a-z]{1,16}$/
const serialForm = /^[\w-]{1,128}$/

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value)
const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

// A line of an edge's log of routes: a digest, and the text it covers. A line that was written only
// in part, or that the disk has changed, is never read as another one; so a log is good up to its
// first bad line. The digest protects against accidents: an attacker who can write to the folder of
// an edge can do anything.

/** A route, or a number up to which the lines above are complete. */
export type LogEntry = Route | { seq: number }

const DIGEST_LENGTH = 16

export function lineOf(entry: LogEntry): string {
  const text = JSON.stringify(entry)
  return `${digestOf(text)} ${text}\n`
}

/** Without its line break; undefined if it is damaged. */
export function entryOf(line: string): LogEntry | undefined {
  const text = line.slice(DIGEST_LENGTH + 1)
  if (line[DIGEST_LENGTH] !== ' ' || !line.startsWith(digestOf(text))) return undefined
  return entryIn(parsed(text))
}

const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH)

function entryIn(value: unknown): LogEntry | undefined {
  const route = readRoute(value)
  if (route) return route
  const { seq, hostname } = (value ?? {}) as { seq?: unknown; hostname?: unknown }
  return Number.isSafeInteger(seq) && hostname === undefined ? { seq: seq as number } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
