// Light checks send a few queries to one nameserver, full checks send all queries to all. A
// full check stores a short form of each server's answers; a light check is compared with it,
// and any difference triggers a full check. Silence is not a difference.

import { MINUTE, SECOND, type Instant } from '../../foundation/time.ts'
import type { DnsRecord, Lookup } from '../../foundation/dns/answer.ts'
import type { Evidence, FirstCheck } from '../observing/evidence.ts'
import type { LifecycleState } from './states.ts'

/** Answers by server, name and type. */
export type Answers = Readonly<Record<string, string>>

const FULL_EVERY = 15 * MINUTE
/** Where only time is needed, the resolvers must be queried too, and light checks do not query them. */
const FULL_WHILE_WAITING = 15 * SECOND

export function wantsFull(life: LifecycleState, fullyCheckedAt: Instant | null, now: Instant): boolean {
  if (fullyCheckedAt === null || now - fullyCheckedAt >= FULL_EVERY) return true
  // A served hostname that was found elsewhere must be confirmed or cleared.
  if (life.driftChecks !== 0) return true
  if (life.causeUntil !== null && life.causeUntil <= now) return true
  const isRight = life.ownership === 'proven' && life.routing === 'pointing'
  // What blocks a hostname with correct records, such as a CAA record, is not visible to a light check.
  const isSeenByLight = (life.severity === 'blocks') !== isRight
  return !isSeenByLight && now - fullyCheckedAt >= FULL_WHILE_WAITING
}

export const answersOf = (evidence: Evidence): Answers =>
  Object.fromEntries(relevantLookups(evidence).map((lookup) => [keyOf(lookup), answerText(lookup)]))

/** Whether a check got an answer that differs from the full check before it. */
export const hasChanged = (before: Answers, evidence: Evidence): boolean =>
  relevantLookups(evidence).some((lookup) => before[keyOf(lookup)] !== answerText(lookup))

/** Answers about the hostname and its token, which are what light checks query. */
const relevantLookups = ({ hostname, looks }: Evidence): Lookup[] =>
  looks.filter(
    ({ to, outcome, name, type }) =>
      to === 'authoritative' &&
      outcome.kind === 'answer' &&
      ((name === hostname && pointers.has(type)) || (name === `_petstore.${hostname}` && type === 'TXT')),
  )
const pointers = new Set<string>(['CNAME', 'A', 'AAAA'])
const keyOf = ({ address, name, type }: Lookup) => `${address} ${name} ${type}`

function answerText({ outcome }: Lookup): string {
  if (outcome.kind === 'silence') return ''
  const values = outcome.records.map((record) => `${record.name} ${record.type} ${valueOf(record)}`)
  return [outcome.rcode, ...values.toSorted()].join('\n')
}

function valueOf(record: DnsRecord): string {
  if ('address' in record) return record.address
  if ('target' in record) return record.target
  if ('text' in record) return record.text
  const { ttl: _, ...rest } = record
  return JSON.stringify(rest)
}

/** The parts of the first check to keep: the records found, and for how long resolvers may cache them. */
export function firstCheckOf({ hostname, at, zone, looks }: Evidence): FirstCheck {
  const own = looks.filter(({ to, outcome }) => to === 'authoritative' && outcome.kind === 'answer')
  const found = own.flatMap(({ outcome }) => (outcome.kind === 'answer' ? outcome.records : []))
  const here = found.filter(({ name, type }) => name === hostname && ['A', 'AAAA', 'CNAME'].includes(type))
  const soas = own.flatMap(({ outcome }) =>
    outcome.kind === 'answer' ? [...outcome.authority, ...outcome.records] : [],
  )
  const negative = soas.flatMap((record) => (record.type === 'SOA' ? [Math.min(record.ttl, record.minimum)] : []))
  const seconds = Math.max(0, ...(here.length > 0 ? here.map(({ ttl }) => ttl) : negative))
  const serials = own.flatMap(({ server, outcome }) =>
    outcome.kind === 'answer'
      ? [...outcome.records, ...outcome.authority].flatMap((record) =>
          record.type === 'SOA' ? [[server, record.serial] as const] : [],
        )
      : [],
  )
  return {
    at,
    rememberedUntil: at + seconds * SECOND,
    values: [...new Set(here.map((record) => `${record.type} ${valueOf(record)}`))],
    serials: Object.fromEntries(serials),
    delegated: zone?.delegated ?? [],
  }
}

/** Slugs of default hosts that a hostname points at. */
export function slugsIn({ looks }: Evidence, platformHost: string): string[] {
  const end = `.${platformHost}`
  const targets = looks.flatMap(({ outcome }) =>
    outcome.kind === 'answer'
      ? outcome.records.flatMap((record) => (record.type === 'CNAME' ? [record.target] : []))
      : [],
  )
  const slugs = targets.filter((target) => target.endsWith(end)).map((target) => target.slice(0, -end.length))
  return [...new Set(slugs)].filter((slug) => slug !== '' && !slug.includes('.')).slice(0, 8)
}
