// The status of a domain, as owners read it. Derived from the axes and the root cause, and
// never stored: nothing but the presentation depends on it.
//
// Every waiting domain has a reason and a time of its next check: in the type, only `live` and
// `removed` have no code and no next check. For `verifying` and `issuing` the code is the step
// now running.

import type { ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import type { Instant } from '../../foundation/time.ts'
import type { CauseCode } from '../causes/causes.ts'
import type { LifecycleState } from './states.ts'

export const waitingNames = [
  'pending_dns',
  'verifying',
  'action_required',
  'waiting',
  'issuing',
  'degraded',
  'paused',
  'dormant',
] as const
export type WaitingName = (typeof waitingNames)[number]

const meanwhile =
  'If a browser warns about a private connection until then, wait a few minutes and retry in a fresh browser session.'

/** The work in progress while the owner has nothing to do and nothing is wrong. */
export const steps = {
  'step.first_look': 'We are checking your DNS for the first time.',
  'step.looking': 'We are checking that all nameservers agree.',
  'step.certificate_queued': `The name is yours and points here. We are requesting the certificate. ${meanwhile}`,
  'step.certificate_validating': `The certificate authority is checking the name. ${meanwhile}`,
  'step.certificate_deploying': `The certificate has been issued and is being deployed to our servers. ${meanwhile}`,
} as const
export type SetupStep = keyof typeof steps

export const isStep = (code: string): code is SetupStep => code in steps

export type Status =
  | { name: 'live' | 'removed' }
  | { name: WaitingName; code: CauseCode | SetupStep; until: Instant | null; nextCheckAt: Instant }

const served = new Set<LifecycleState['certificate']>(['deployed', 'renewing', 'renewal_failing'])

/** Whether visitors to the hostname get the site: proven, with a certificate, and not paused. */
export const isServed = ({
  ownership,
  certificate,
  rest,
}: Pick<LifecycleState, 'ownership' | 'certificate' | 'rest'>): boolean =>
  ownership === 'proven' && rest === null && served.has(certificate)

export type Routed = Pick<LifecycleState, 'ownership' | 'certificate' | 'rest'>

/**
 * Whether edges have the route: as soon as there is a certificate, so that it is deployed before the status is live.
 */
export const isRouted = (life: Routed): boolean =>
  isServed(life) || (life.ownership === 'proven' && life.rest === null && life.certificate === 'issued')

/** Where visitors of a served hostname do not reach us. */
export const away: ReadonlySet<LifecycleState['routing']> = new Set(['missing', 'wrong', 'conflict', 'drifted'])

export function statusOf(life: LifecycleState): Status {
  const { ownership, routing, certificate, rest, cause, severity } = life
  if (ownership === 'released' || ownership === 'lost') return { name: 'removed' }
  if (rest === 'paused') return waits(life, 'paused', 'plan.lapsed')
  if (rest === 'dormant') return waits(life, 'dormant', cause ?? 'dns.no_record')
  if (isServed(life)) {
    if (away.has(routing)) return waits(life, 'degraded', cause ?? 'drift.pointed_away')
    return certificate === 'renewal_failing' ? waits(life, 'degraded', cause ?? 'renew.failing') : { name: 'live' }
  }
  if (cause === 'dns.no_record' && severity === 'blocks') return waits(life, 'pending_dns', cause)
  if (cause !== null && severity === 'blocks') return waits(life, 'action_required', cause)
  if (cause !== null && severity === 'waits') return waits(life, 'waiting', cause)
  if (ownership === 'proven' && routing === 'pointing') return waits(life, 'issuing', issuing[certificate])
  return waits(life, 'verifying', life.checkedAt === null ? 'step.first_look' : 'step.looking')
}

/** The status in the API; a removed domain is not shown, and one that is being removed is dormant. */
export const shownStatus = (life: LifecycleState): ShownStatus => shownName(statusOf(life))

export const shownName = ({ name }: Status): ShownStatus => (name === 'removed' ? 'dormant' : name)

const issuing: Readonly<Record<LifecycleState['certificate'], CauseCode | SetupStep>> = {
  none: 'step.certificate_queued',
  blocked: 'step.certificate_queued',
  queued: 'step.certificate_queued',
  rate_limited: 'step.certificate_queued',
  validating: 'step.certificate_validating',
  issued: 'step.certificate_deploying',
  deployed: 'step.certificate_deploying',
  renewing: 'step.certificate_validating',
  renewal_failing: 'step.certificate_queued',
  expired: 'step.certificate_queued',
}

const waits = (life: LifecycleState, name: WaitingName, code: CauseCode | SetupStep): Status => ({
  name,
  code,
  // The end belongs to the cause; the end of a step is unknown.
  until: code === life.cause ? life.causeUntil : null,
  // Only a removed domain has none, and that never waits.
  nextCheckAt: life.nextCheckAt ?? life.askedAt,
})
