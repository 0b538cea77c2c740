// The CAA rules decide which certificate authorities the owner allows, over observed records:
// RFC 8659 with the parameters of RFC 8657. They read records as a certificate authority
// must:
//
// - a record that is malformed, or critical and unknown, forbids;
// - a level that could not be looked up before the deciding set forbids as well, but is
//   distinguished ("failed", "unknown"), because then the owner's intention is not known;
// - they send no queries.
//
// Nameservers may return different sets while a change spreads. Then every set that could
// decide is returned; a caller refuses only if all of them refuse, and uses an authority only
// if all of them allow it.

import type { DnsRecord } from '../../foundation/dns/answer.ts'
import type { Authority } from '../observing/evidence.ts'

export type CaaRecord = Extract<DnsRecord, { type: 'CAA' }>

/** A non-empty set of records, and the name that has it: not the queried name, if that is a CNAME. */
export type CaaSet = { at: string; records: readonly CaaRecord[] }

/** The state of one name of the climb. */
export type CaaLevel = { name: string } & (
  | {
      kind: 'seen'
      /** Every set that was returned; an empty set means "continue at the parent name". */ sets: readonly CaaSet[]
    }
  /** The servers answer, but not this query. */
  | { kind: 'failed' }
  /** No server was queried, or none could be. */
  | { kind: 'unknown' }
)

export type CaaDecision =
  | ({ kind: 'set' } & CaaSet)
  /** No name of the climb has a record: every authority may issue. */
  | { kind: 'free' }
  | { kind: 'failed'; at: string }
  | { kind: 'unknown'; at: string }

/** From the hostname upward; the first set that is not empty decides. */
export function caaDecisions(levels: readonly CaaLevel[]): CaaDecision[] {
  const decisions: CaaDecision[] = []
  for (const level of levels) {
    if (level.kind !== 'seen') return [...decisions, { kind: level.kind, at: level.name }]
    const full = level.sets.filter(({ records }) => records.length > 0)
    decisions.push(...full.map((set) => ({ kind: 'set' as const, ...set })))
    if (full.length > 0 && full.length === level.sets.length) return decisions
  }
  return [...decisions, { kind: 'free' }]
}

export type CaaVerdict =
  | { kind: 'allowed'; /** The methods of the authority that are allowed. */ methods: readonly string[] }
  | { kind: 'critical_unknown'; tag: string }
  /** No authority may issue: every record has no issuer, or cannot be parsed. */
  | { kind: 'deny_all' }
  | { kind: 'others_only'; issuers: readonly string[] }
  | { kind: 'account_bound' }
  | { kind: 'method_bound'; methods: readonly string[] }

export function caaVerdict(records: readonly CaaRecord[], authority: Authority, isWildcard = false): CaaVerdict {
  const unknown = records.find((record) => mustBeKnown(record) && !knownTags.has(record.tag.toLowerCase()))
  if (unknown) return { kind: 'critical_unknown', tag: unknown.tag }

  const lines = linesFor(records, isWildcard)
  if (lines.length === 0) return { kind: 'allowed', methods: authority.methods }
  const grants = lines.map(({ value }) => readIssue(value)).filter((grant) => grant !== null)
  const ours = grants.filter(({ issuer }) => issuer === authority.domain.toLowerCase())
  if (ours.length === 0) {
    const issuers = [...new Set(grants.map(({ issuer }) => issuer))]
    return issuers.length === 0 ? { kind: 'deny_all' } : { kind: 'others_only', issuers }
  }

  const ofAccount = ours.filter((grant) => isForAccount(grant, authority.accountUri))
  if (ofAccount.length === 0) return { kind: 'account_bound' }
  const methods = authority.methods.filter((method) => ofAccount.some((grant) => isForMethod(grant, method)))
  if (methods.length > 0) return { kind: 'allowed', methods }
  return { kind: 'method_bound', methods: [...new Set(ofAccount.flatMap((grant) => methodsOf(grant) ?? []))] }
}

/** Whether separate records decide for wildcards here. */
export const hasWildLines = (records: readonly CaaRecord[]): boolean =>
  records.some(({ tag }) => tag.toLowerCase() === 'issuewild')

function linesFor(records: readonly CaaRecord[], isWildcard: boolean): CaaRecord[] {
  const tag = isWildcard && hasWildLines(records) ? 'issuewild' : 'issue'
  return records.filter((record) => record.tag.toLowerCase() === tag)
}

// Let's Encrypt supports these tags and no others, not even `contactemail`, and also reads
// the bit of value 1 as "critical", because so many people write it in that position.
const knownTags = new Set(['issue', 'issuewild', 'iodef'])
const mustBeKnown = ({ isCritical, flags }: CaaRecord) => isCritical || (flags & 129) !== 0

type Grant = { issuer: string; parameters: readonly { tag: string; value: string }[] }

const WORD = '[a-z0-9](?:-*[a-z0-9])*'
const ISSUER = new RegExp(`^[ \\t]*(?:(${WORD}(?:\\.${WORD})*)[ \\t]*)?$`, 'i')
const PARAMETER = new RegExp(`^[ \\t]*(${WORD})[ \\t]*=[ \\t]*(?:([\\x21-\\x3a\\x3c-\\x7e]+)[ \\t]*)?$`, 'i')
const BLANK = /^[ \t]*$/

/**
 * Parses the value of an `issue` record by the grammar of RFC 8659, 4.2. Null: it allows no
 * authority, or is malformed, which has the same effect.
 */
export function readIssue(value: string): Grant | null {
  const [head = '', ...parts] = value.split(';')
  const issuer = ISSUER.exec(head)?.[1]
  if (issuer === undefined) return null
  // A trailing semicolon is allowed only if no parameter precedes it.
  if (parts.length === 1 && BLANK.test(parts[0] ?? '')) return { issuer: issuer.toLowerCase(), parameters: [] }
  const parameters: { tag: string; value: string }[] = []
  for (const part of parts) {
    const [, tag, parameter = ''] = PARAMETER.exec(part) ?? []
    if (tag === undefined) return null
    parameters.push({ tag: tag.toLowerCase(), value: parameter })
  }
  return { issuer: issuer.toLowerCase(), parameters }
}

const valuesOf = ({ parameters }: Grant, tag: string) =>
  parameters.filter((parameter) => parameter.tag === tag).map(({ value }) => value)

/** A record that is bound to two accounts at once is valid for neither. */
const isForAccount = (grant: Grant, accountUri: string | null) => {
  const uris = valuesOf(grant, 'accounturi')
  return uris.length === 0 || (uris.length === 1 && uris[0] === accountUri)
}

/** The methods that a record is bound to; null: to none. A list that cannot be parsed counts as empty. */
function methodsOf(grant: Grant): string[] | null {
  const lists = valuesOf(grant, 'validationmethods')
  const [list] = lists
  if (list === undefined) return null
  const methods = list.split(',')
  return lists.length === 1 && methods.every((method) => /^[a-z0-9-]+$/i.test(method)) ? methods : []
}

const isForMethod = (grant: Grant, method: string) => methodsOf(grant)?.includes(method) ?? true
