// Translates the status of a certificate into a fact of the domain's lifecycle, whose table maps it to the certificate axis.
// Certificates have their own lifecycle and notify only that something changed.

import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import type { Judgement } from '../judging/judgement.ts'
import type { CertificateTrouble } from '../observing/evidence.ts'
import { certificateTransitions, type Fact, type Root } from './lifecycle.ts'
import type { Decision } from './ownership-decision.ts'
import type { CertificateState } from './states.ts'
import { isRouted, type Routed } from './status.ts'

// Translates a judgement into facts of a domain's lifecycle. DNS that could not be queried
// yields no fact: no conclusion is drawn from silence.

export function factsOf(judgement: Judgement, decision: Decision, planAllows: boolean): Fact[] {
  const plan: Fact = { kind: planAllows ? 'plan_restored' : 'plan_lapsed' }
  const checked: Fact = { kind: 'looked', root: rootOf(judgement, decision) }
  return [plan, ...ownershipFacts(judgement, decision), ...routingFacts(judgement), checked]
}

function ownershipFacts({ ownership, proof }: Judgement, decision: Decision): Fact[] {
  if (decision === 'another') return [{ kind: 'held_by_other' }]
  if ((decision === 'takes' || decision === 'moves') && proof) return [{ kind: 'proof_seen', proof }]
  return decision === 'unproven' && ownership !== 'unknown' ? [{ kind: 'proof_missing' }] : []
}

function routingFacts({ routing, troubles }: Judgement): Fact[] {
  // The zone above denies that the domain exists, which is an answer: no visitor finds the hostname.
  const isDenied = routing === 'unknown' && troubles.some(({ code }) => code === 'drift.domain_expired')
  const kind = isDenied ? 'record_missing' : pointing[routing]
  return kind ? [{ kind }] : []
}

const pointing = {
  unknown: null,
  missing: 'record_missing',
  wrong: 'points_away',
  conflict: 'record_conflicts',
  propagating: 'propagating',
  pointing: 'points_here',
  unreachable: 'not_reachable',
} as const satisfies Record<Judgement['routing'], Fact['kind'] | null>

/** Blocking causes first, then those that only need time, then warnings. */
function rootOf({ troubles }: Judgement, decision: Decision): Root | null {
  const stands = troubles.find(({ severity }) => severity === 'blocks' || severity === 'waits')
  if (!stands && decision === 'another') return { code: 'own.contested', severity: 'blocks', until: null }
  const first = stands ?? troubles.find(({ severity }) => severity === 'warns')
  if (!first || first.severity === 'informs') return null
  return { code: first.code, severity: first.severity, until: first.until }
}

/** None if it changes nothing, or no certificate is wanted. */
export function certificateFacts(current: CertificateState, status: CertificateStatus | undefined): Fact[] {
  if (!status || status.state === 'none') return []
  const kind = `certificate_${status.state}` as const
  return certificateTransitions[current][kind] === current ? [] : [{ kind }]
}

/** The trouble that blocks the certificate, if there is one. */
export const certificateTrouble = (status: CertificateStatus | undefined): CertificateTrouble | null =>
  status?.cause && troubled.has(status.state) ? { ...status.cause, validUntil: status.notAfter } : null

const troubled = new Set<CertificateStatusState>(['blocked', 'rate_limited', 'renewal_failing'])

/** Whether edges may need an update; the certificate may be a new one although its state is the same. */
export const isRerouted = (before: Routed, after: Routed): boolean => isRouted(before) || isRouted(after)
