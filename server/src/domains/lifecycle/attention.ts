// Decides which mails a check of a domain causes: that it is live, that its owner must act, that
// it works again, a reminder, and that its certificate is not being renewed. One table of rules,
// over facts alone:
//   - mailed are causes that the owner must remove, and a domain that was live and is down for an
//     hour, whoever must act; never a cause that only needs time;
//   - a problem must last, and be found by two checks;
//   - of a domain and a cause there is one mail a day, however often the problem comes and goes;
//   - "restored" follows only an alert;
//   - a domain that never was live is remembered after one day and after three, then no more.

import { DAY, HOUR, MINUTE, type Instant } from '../../foundation/time.ts'
import { causes, type CauseCode } from '../causes/causes.ts'
import type { LifecycleState } from './states.ts'
import { away, isServed, isStep, statusOf } from './status.ts'

/** What is remembered of a domain for its mails. */
export type Attention = {
  /** The cause that may be mailed, since when it has been found, and by how many checks. */
  problem: CauseCode | null
  problemSince: Instant | null
  problemChecks: number
  isProblemMailed: boolean
  /** Since when visitors of a domain that was live do not reach it. */
  downSince: Instant | null
  /** Whether an alert was mailed that no restoration has followed. */
  wasAlerted: boolean
  /** How many reminders of a domain that is not yet live were due. */
  reminders: number
  /** The certificate whose failing renewal was mailed, and at which of the three times. */
  renewalSerial: string | null
  renewalStage: number
}

export const noAttention: Attention = {
  problem: null,
  problemSince: null,
  problemChecks: 0,
  isProblemMailed: false,
  downSince: null,
  wasAlerted: false,
  reminders: 0,
  renewalSerial: null,
  renewalStage: 0,
}

export type DomainMailKind = 'domain_live' | 'domain_restored' | 'domain_alert' | 'domain_reminder' | 'renewal_failing'
export type DomainMail = { kind: DomainMailKind; cause: CauseCode | null }

export type CheckedDomain = {
  before: LifecycleState
  after: LifecycleState
  attention: Attention
  /** False for changes that no check has found, such as a request. */
  isCheck: boolean
  /** When this domain was last mailed with the cause that it has now. */
  lastMailedAt: Instant | null
  /** The certificate that is served, while its renewal fails. */
  failing: { serial: string; notBefore: Instant; notAfter: Instant } | null
}

/** How long a problem lasts, and how many checks find it, before it is mailed. */
export type Persistence = { lasts: number; checks: number; downFor: number }
export const persistence: Persistence = { lasts: 10 * MINUTE, checks: 2, downFor: HOUR }

export type Decided = { attention: Attention; mails: readonly DomainMail[] }

export function decideMails(checked: CheckedDomain, now: Instant, rules = persistence): Decided {
  const { before, after, attention, failing } = checked
  if (after.removedAt !== null) return { attention: noAttention, mails: [] }
  const isLive = statusOf(after).name === 'live'
  const watched = { ...attention, ...problemState(checked, now), downSince: downSince(after, attention, now) }
  const first: DomainMail[] =
    before.liveAt === null && after.liveAt !== null ? [{ kind: 'domain_live', cause: null }] : []
  const again: DomainMail[] =
    isLive && attention.wasAlerted && first.length === 0 ? [{ kind: 'domain_restored', cause: null }] : []
  const told = failing ? renewalMail(watched, after, failing, now) : { attention: watched, mails: [] }
  const problem = problemMail({ ...checked, attention: told.attention }, now, rules)
  return {
    attention: { ...problem.attention, wasAlerted: problem.attention.wasAlerted && !isLive },
    mails: [...first, ...again, ...told.mails, ...problem.mails],
  }
}

export type DomainProblem = { code: CauseCode; isOwners: boolean; isDown: boolean; isNew: boolean }

/** What is wrong, if somebody must do something about it; null while only time is needed. */
export function problemOf(life: LifecycleState): DomainProblem | null {
  const status = statusOf(life)
  if (!('code' in status) || status.name === 'dormant' || isStep(status.code)) return null
  const { code } = status
  const severity = code === life.cause ? life.severity : causes[code].severity
  const wasLive = life.liveAt !== null
  // A renewal that fails has mails of its own, and stops nothing before the certificate expires.
  const isRenewalOnly = isServed(life) && !away.has(life.routing)
  if (severity === 'waits' || isRenewalOnly || (status.name === 'paused' && !wasLive)) return null
  return {
    code,
    isOwners: causes[code].actor === 'owner',
    isDown: wasLive,
    // That no record exists is what the page said when the domain was added.
    isNew: status.name === 'pending_dns' && !wasLive,
  }
}

const downSince = (after: LifecycleState, { downSince: since }: Attention, now: Instant): Instant | null => {
  const isReached = isServed(after) && !away.has(after.routing)
  return after.liveAt === null || isReached ? null : (since ?? now)
}

type ProblemState = Pick<Attention, 'problem' | 'problemSince' | 'problemChecks' | 'isProblemMailed'>

function problemState({ after, attention, isCheck }: CheckedDomain, now: Instant): ProblemState {
  const code = problemOf(after)?.code ?? null
  if (code === null) return { problem: null, problemSince: null, problemChecks: 0, isProblemMailed: false }
  const { problem, problemSince, problemChecks, isProblemMailed } = attention
  const counted = isCheck ? 1 : 0
  if (problem === code) {
    // More than two are not counted: nothing depends on it, and each would be written.
    return { problem, problemSince, problemChecks: Math.min(problemChecks + counted, COUNTED_MAX), isProblemMailed }
  }
  // That a live hostname points elsewhere is believed only after two checks ten minutes apart.
  const isConfirmed = after.routing === 'drifted' && after.driftSince !== null
  return {
    problem: code,
    problemSince: isConfirmed ? after.driftSince : now,
    problemChecks: isConfirmed ? COUNTED_MAX : counted,
    isProblemMailed: false,
  }
}
const COUNTED_MAX = 2

function problemMail({ after, attention, lastMailedAt }: CheckedDomain, now: Instant, rules: Persistence): Decided {
  const problem = problemOf(after)
  if (!problem || (lastMailedAt !== null && now - lastMailedAt < DAY)) return { attention, mails: [] }
  const { code: cause } = problem
  if (isAlertDue(problem, attention, now, rules)) {
    return {
      attention: { ...attention, isProblemMailed: true, wasAlerted: true },
      mails: [{ kind: 'domain_alert', cause }],
    }
  }
  const due = problem.isOwners && after.liveAt === null ? remindersDue(now - after.addedAt) : 0
  if (due <= attention.reminders) return { attention, mails: [] }
  return {
    attention: { ...attention, isProblemMailed: true, reminders: due },
    mails: [{ kind: 'domain_reminder', cause }],
  }
}

function isAlertDue(
  { isOwners, isDown, isNew }: DomainProblem,
  { problemSince, problemChecks, isProblemMailed, downSince: down }: Attention,
  now: Instant,
  { lasts, checks, downFor }: Persistence,
): boolean {
  if (isNew || isProblemMailed || problemSince === null || problemChecks < checks) return false
  return isOwners ? now - problemSince >= lasts : isDown && down !== null && now - down >= downFor
}

/** By the age of the domain. Not much later: a domain that was added long ago is not suddenly remembered. */
function remindersDue(age: number): number {
  if (age >= 3 * DAY && age < 4 * DAY) return 2
  return age >= DAY && age < 2 * DAY ? 1 : 0
}

/** The last of the three times that has come: a third of the lifetime is left, a sixth, a day. */
export function renewalStage({ notBefore, notAfter }: { notBefore: Instant; notAfter: Instant }, now: Instant): number {
  const left = notAfter - now
  const whole = notAfter - notBefore
  if (left <= DAY) return 3
  return left <= whole / 6 ? 2 : left <= whole / 3 ? 1 : 0
}

function renewalMail(
  attention: Attention,
  after: LifecycleState,
  failing: NonNullable<CheckedDomain['failing']>,
  now: Instant,
): Decided {
  const stage = renewalStage(failing, now)
  const told = attention.renewalSerial === failing.serial ? attention.renewalStage : 0
  if (stage <= told) return { attention, mails: [] }
  return {
    attention: { ...attention, renewalSerial: failing.serial, renewalStage: stage },
    mails: [{ kind: 'renewal_failing', cause: after.cause ?? 'renew.failing' }],
  }
}
