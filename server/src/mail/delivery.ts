// Decides what an attempt means for the mail and for the queue. Replies are judged by their
// enhanced code (RFC 3463), since relays agree on those far more than on texts.

import type { RelayStage, SmtpOutcome } from '../foundation/smtp/outcome.ts'
import type { SuppressionScope } from './suppression-queries.ts'

export type DeliveryVerdict =
  | { kind: 'sent' }
  /** The relay has rejected it for good. `isDead`: no mail can reach the address (5.1). */
  | { kind: 'bounced'; isDead: boolean }
  /** `isCounted`: the fault may lie in this mail, so it waits longer each time. `pauses`: no other mail would fare better now. */
  | { kind: 'retry'; isCounted: boolean; pauses: boolean }

export function verdictOf(outcome: SmtpOutcome): DeliveryVerdict {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent' }
    case 'failed':
      return { kind: 'retry', isCounted: mayBeTheMessage(outcome.at, outcome.code), pauses: true }
    case 'rejected':
      return rejectionOf(outcome.code, outcome.enhanced ?? '')
  }
}

/** A relay that is lost without a word while it has a message may always be lost by this one. */
const mayBeTheMessage = (at: RelayStage, code: number | null) =>
  (at === 'timeout' || at === 'connection') && code === null

/** 5.7: the relay's policy, which is about us. 5.2.2: a full mailbox, which is emptied one day. */
function rejectionOf(code: number, enhanced: string): DeliveryVerdict {
  if (enhanced.startsWith('5.7.')) return { kind: 'retry', isCounted: true, pauses: true }
  if (code < 500 || enhanced === '5.2.2') return { kind: 'retry', isCounted: true, pauses: false }
  return { kind: 'bounced', isDead: isDeadAddress(enhanced) }
}

/** No mail can reach the address (5.1); 5.1.7 and 5.1.8 are about the sender's address, which is ours. */
export const isDeadAddress = (enhanced: string): boolean => /^5\.1\.(?![78]$)\d+$/.test(enhanced)

const retryDelays = [30, 120, 600, 1800, 3600] as const

/** Seconds until the next attempt, after that many that counted. */
export const retrySeconds = (attempts: number): number =>
  retryDelays[Math.min(Math.max(attempts, 1), retryDelays.length) - 1] ?? 3600

const PAUSE_SECONDS_MAX = 300

/** Seconds for which a queue pauses, after that many failures of its relay in a row. */
export const pauseSeconds = (failures: number): number =>
  Math.min(PAUSE_SECONDS_MAX, 2 ** Math.min(Math.max(failures, 1) - 1, 10))

// Judges what a report about a mail means for the address that it went to. Only an address that
// does not exist is suppressed; a full mailbox, a policy and a delay say nothing about the address.
// A complaint turns off what can be turned off.

/** RFC 3464: what became of the mail at one address, with the enhanced code, '' if there is none. */
export type RecipientReport = { action: string; status: string }

export type Report =
  | { kind: 'delivery'; recipients: readonly RecipientReport[] }
  /** RFC 5965. */
  | { kind: 'complaint'; feedback: string }

/** `reason`: a word of ours and codes, never a text of the report. */
export type Judgement =
  | { result: 'suppress'; scope: SuppressionScope; reason: string }
  /** `isFinal`: the mail did not arrive and will not. */
  | { result: 'note'; isFinal: boolean; reason: string }
  | { result: 'ignore'; reason: string }

export const judgeReport = (report: Report): Judgement =>
  report.kind === 'complaint' ? judgeComplaint(report.feedback) : judgeDelivery(report.recipients)

/** Of one mail there are several where the address forwards to others: it lives if any of them does. */
function judgeDelivery(recipients: readonly RecipientReport[]): Judgement {
  const failed = recipients.filter(({ action }) => action === 'failed')
  const [first] = failed
  if (!first) return judgeUnfailed(recipients)
  if (failed.length === recipients.length && failed.every(({ status }) => isDeadAddress(status))) {
    return { result: 'suppress', scope: 'all', reason: `report ${first.status}` }
  }
  return { result: 'note', isFinal: failed.length === recipients.length, reason: reasonOf(first) }
}

function judgeUnfailed(recipients: readonly RecipientReport[]): Judgement {
  const delayed = recipients.find(({ action }) => action === 'delayed')
  if (delayed) return { result: 'note', isFinal: false, reason: reasonOf(delayed) }
  const hasArrived = recipients.some(({ action }) => ['delivered', 'relayed', 'expanded'].includes(action))
  return { result: 'ignore', reason: hasArrived ? 'delivered' : 'no result' }
}

const reasonOf = ({ status }: RecipientReport) => (status === '' ? 'report without a code' : `report ${status}`)

/** The opposite of a complaint, and a report about signatures that is not about the recipient. */
const noComplaints: Readonly<Record<string, string>> = {
  'not-spam': 'not spam',
  'auth-failure': 'report about a signature',
}
const complaints = ['abuse', 'fraud', 'virus', 'opt-out', 'opt-out-list']

/** RFC 5965, section 7.3: an unknown type is treated as `other`. */
function judgeComplaint(feedback: string): Judgement {
  const reason = Object.hasOwn(noComplaints, feedback) ? noComplaints[feedback] : undefined
  if (reason !== undefined) return { result: 'ignore', reason }
  const type = complaints.includes(feedback) ? feedback : 'other'
  return { result: 'suppress', scope: 'optional', reason: `complaint ${type}` }
}
