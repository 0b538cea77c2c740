// Judges what a report about a mail means for the address that it went to. Only an address that
// does not exist is suppressed; a full mailbox, a policy and a delay say nothing about the address.
// A complaint turns off what can be turned off.

import { isDeadAddress } from './delivery.ts'
import type { SuppressionScope } from './suppression-queries.ts'

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
