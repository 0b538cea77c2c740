// Which certificate authorities the owner allows: RFC 8659 with the parameters of
// RFC 8657, over what was seen. It reads as a certificate authority must read: what
// is malformed, or critical and unknown, forbids; a level that could not be looked
// up before the set that decides forbids as well, but is told apart ("failed",
// "unknown"), because then nobody knows what the owner wants. It never asks anything.
//
// Nameservers may say different things while a change spreads. Then every set that
// could decide is returned; a caller refuses only if all of them refuse, and uses
// an authority only if all of them allow it.

import type { DnsRecord } from '../../foundation/dns/answer.ts'
import type { Authority } from '../observing/evidence.ts'

export type CaaRecord = Extract<DnsRecord, { type: 'CAA' }>

/** A non-empty set of records, and the name that has it: not the name asked for, if a CNAME stands there. */
export type CaaSet = { at: string; records: readonly CaaRecord[] }

/** What is known of one name on the way up. */
export type CaaLevel = { name: string } & (
  | { kind: 'seen'; /** Every answer that was given; an empty set says "look further up". */ sets: readonly CaaSet[] }
  /** The servers answer, but not this question. */
  | { kind: 'failed' }
  /** Nobody was asked, or nobody could be. */
  | { kind: 'unknown' }
)

export type CaaDecision =
  | ({ kind: 'set' } & CaaSet)
  /** No name on the way has a record: everybody may issue. */
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
  | { kind: 'allowed'; /** Of the authority's methods, those that are allowed. */ methods: readonly string[] }
  | { kind: 'critical_unknown'; tag: string }
  /** Nobody may issue: every line has no issuer, or cannot be read. */
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

/** Whether lines of their own decide for wildcards here. */
export const hasWildLines = (records: readonly CaaRecord[]): boolean =>
  records.some(({ tag }) => tag.toLowerCase() === 'issuewild')

function linesFor(records: readonly CaaRecord[], isWildcard: boolean): CaaRecord[] {
  const tag = isWildcard && hasWildLines(records) ? 'issuewild' : 'issue'
  return records.filter((record) => record.tag.toLowerCase() === tag)
}

// Let's Encrypt knows these and no others, not even `contactemail`, and reads the bit
// of value 1 as "critical" too, because so many people write it in that place.
const knownTags = new Set(['issue', 'issuewild', 'iodef'])
const mustBeKnown = ({ isCritical, flags }: CaaRecord) => isCritical || (flags & 129) !== 0

type Grant = { issuer: string; parameters: readonly { tag: string; value: string }[] }

const WORD = '[a-z0-9](?:-*[a-z0-9])*'
const ISSUER = new RegExp(`^[ \\t]*(?:(${WORD}(?:\\.${WORD})*)[ \\t]*)?$`, 'i')
const PARAMETER = new RegExp(`^[ \\t]*(${WORD})[ \\t]*=[ \\t]*([\\x21-\\x3a\\x3c-\\x7e]*)[ \\t]*$`, 'i')
const BLANK = /^[ \t]*$/

/** The value of an `issue` line by the grammar of RFC 8659, 4.2. Null: it allows nobody, or is malformed, which is the same. */
export function readIssue(value: string): Grant | null {
  const [head = '', ...parts] = value.split(';')
  const issuer = ISSUER.exec(head)?.[1]
  if (issuer === undefined) return null
  // A semicolon may stand at the end only if no parameter stands before it.
  if (parts.length === 1 && BLANK.test(parts[0] ?? '')) return { issuer: issuer.toLowerCase(), parameters: [] }
  const parameters: { tag: string; value: string }[] = []
  for (const part of parts) {
    const [, tag, said] = PARAMETER.exec(part) ?? []
    if (tag === undefined || said === undefined) return null
    parameters.push({ tag: tag.toLowerCase(), value: said })
  }
  return { issuer: issuer.toLowerCase(), parameters }
}

const valuesOf = ({ parameters }: Grant, tag: string) =>
  parameters.filter((parameter) => parameter.tag === tag).map(({ value }) => value)

/** Bound to two accounts at once, a line is for nobody. */
const isForAccount = (grant: Grant, accountUri: string | null) => {
  const uris = valuesOf(grant, 'accounturi')
  return uris.length === 0 || (uris.length === 1 && uris[0] === accountUri)
}

/** The methods that a line is bound to; null: to none. A list that cannot be read is an empty one. */
function methodsOf(grant: Grant): string[] | null {
  const lists = valuesOf(grant, 'validationmethods')
  const [list] = lists
  if (list === undefined) return null
  const methods = list.split(',')
  return lists.length === 1 && methods.every((method) => /^[a-z0-9-]+$/i.test(method)) ? methods : []
}

const isForMethod = (grant: Grant, method: string) => methodsOf(grant)?.includes(method) ?? true
