// CAA judging decides whether one of our certificate authorities may issue for the hostname,
// and if not, which record the owner must add, and where. It reports "blocked" only for a set
// that was observed. A query without an answer is `caa.lookup_failed` if the servers answer
// everything else, and is not reported if they do not answer at all: then the zone has a
// trouble, or we have.

import { caaDecisions, caaVerdict, hasWildLines, type CaaDecision, type CaaSet, type CaaVerdict } from './caa.ts'
import { caaLevels, isInZone, lineOf } from './caa-seen.ts'
import type { Authority } from '../observing/evidence.ts'
import type { RecordAdvice } from './judgement.ts'
import { typedName } from '../providers/provider.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'
import { listed } from './format.ts'

/** Wildcards cannot be added yet; the texts for the records that decide about them are ready. */
type Order = { isWildcard: boolean }
const orderOf = ({ wanted }: Scene): Order => ({ isWildcard: wanted.hostname.startsWith('*.') })

export function caaTroubles(scene: Scene, { isWildcard }: Order = orderOf(scene)): Trouble[] {
  const decisions = caaDecisions(caaLevels(scene))
  const [primary] = scene.wanted.authorities
  if (primary === undefined) return []

  const [allowed] = allowedOf(scene, decisions, isWildcard)
  if (allowed) {
    const isPrimaryRefused = allowed !== primary && decisions.every(isRefusing(primary, isWildcard))
    const { name: ca1 } = primary
    return isPrimaryRefused ? [trouble('caa.fallback_ca_used', { ca1, ca2: allowed.name })] : []
  }
  const refusal = decisions.every((decision) =>
    scene.wanted.authorities.every((one) => isRefusing(one, isWildcard)(decision)),
  )
  const [first] = decisions
  return refusal && first ? refusalTroubles(scene, first, primary, isWildcard) : []
}

/**
 * Domains of the authorities that may issue by a method that we support, best first; empty if
 * none may, or if that is unknown.
 */
export const allowedAuthorities = (scene: Scene): string[] =>
  allowedOf(scene, caaDecisions(caaLevels(scene)), orderOf(scene).isWildcard).map(({ domain }) => domain)

/**
 * The record that the owner must add, in the form of the owner's provider; null if none is
 * needed, or none would help.
 */
export function caaAdvice(scene: Scene): RecordAdvice | null {
  const [set] = caaDecisions(caaLevels(scene))
  const [primary] = scene.wanted.authorities
  const codes = caaTroubles(scene).map(({ code }) => code)
  if (!codes.some((code) => lineHelps.has(code)) || set?.kind !== 'set' || !primary) return null
  const fullName = nameToEdit(scene, set)
  return {
    type: 'CAA',
    name: typedName(scene.provider, fullName, scene.apex),
    fullName,
    value: `0 issue "${valueFor(primary, codes.includes('caa.account_bound'))}"`,
    ttl: 3600,
    have: fullName === set.at ? set.records.map((record) => `CAA ${lineOf(record)}`) : [],
    state: 'missing',
    action: 'add',
    isRequired: true,
  }
}

const lineHelps = new Set<string>(['caa.blocked', 'caa.blocked_by_deny_all', 'caa.account_bound', 'caa.method_bound'])

/** The owner cannot change a set above the zone, but a nearer one overrides it. */
const nameToEdit = (scene: Scene, { at }: CaaSet): string =>
  !isInZone(scene, at) && scene.apex.endsWith(`.${at}`) ? scene.apex : at

/** Owners who bind authorities to accounts want to keep doing so. */
const valueFor = ({ domain, accountUri }: Authority, isBound: boolean): string =>
  isBound && accountUri ? `${domain}; accounturi=${accountUri}` : domain

const allowedOf = (scene: Scene, decisions: readonly CaaDecision[], isWildcard: boolean): Authority[] =>
  scene.wanted.authorities.filter((authority) =>
    authority.methods.some((method) => decisions.every((decision) => allows(decision, authority, method, isWildcard))),
  )

function allows(decision: CaaDecision, authority: Authority, method: string, isWildcard: boolean): boolean {
  if (decision.kind === 'free') return true
  if (decision.kind !== 'set') return false
  const verdict = caaVerdict(decision.records, authority, isWildcard)
  return verdict.kind === 'allowed' && verdict.methods.includes(method)
}

/** "Unknown" does not refuse. */
const isRefusing = (authority: Authority, isWildcard: boolean) => (decision: CaaDecision) =>
  decision.kind === 'failed' ||
  (decision.kind === 'set' && caaVerdict(decision.records, authority, isWildcard).kind !== 'allowed')

function refusalTroubles(scene: Scene, decision: CaaDecision, ca: Authority, isWildcard: boolean): Trouble[] {
  if (decision.kind === 'free' || decision.kind === 'unknown') return []
  const { at } = decision
  if (isOurs(scene, at)) return [trouble('caa.via_target')]
  if (decision.kind === 'failed') {
    const provider = isInZone(scene, at) ? scene.words.provider : `the operator of ${at}`
    return [trouble('caa.lookup_failed', { provider, at })]
  }
  const isWild = isWildcard && hasWildLines(decision.records)
  return isWild ? [trouble('caa.wild_blocked', { ca: ca.domain, at })] : refusedBy(scene, decision, ca)
}

const isOurs = ({ wanted: { target, platformHost, formerTargets = [] } }: Scene, at: string): boolean =>
  at === target || at === platformHost || at.endsWith(`.${platformHost}`) || formerTargets.includes(at)

function refusedBy(scene: Scene, set: CaaSet, ca: Authority): Trouble[] {
  const fullName = nameToEdit(scene, set)
  const name = typedName(scene.provider, fullName, scene.apex) || '(empty)'
  const values = { at: set.at, name, ca: ca.domain }
  return [refusedFor(caaVerdict(set.records, ca), values, ca)].filter((found) => found !== null)
}

function refusedFor(
  verdict: CaaVerdict,
  values: { at: string; name: string; ca: string },
  ca: Authority,
): Trouble | null {
  switch (verdict.kind) {
    case 'allowed':
      return null
    case 'critical_unknown':
      return trouble('caa.critical_unknown', { ...values, tag: verdict.tag, authority: ca.name })
    case 'deny_all':
      return trouble('caa.blocked_by_deny_all', values)
    case 'others_only':
      return trouble('caa.blocked', { ...values, list: listed(verdict.issuers) })
    case 'account_bound':
      return trouble('caa.account_bound', { ...values, authority: ca.name, value: valueFor(ca, true) })
    case 'method_bound':
      return trouble('caa.method_bound', {
        ...values,
        methods: listed(verdict.methods) || 'nothing',
        ours: listed(ca.methods),
      })
  }
}
