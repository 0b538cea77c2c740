// Decides what an attempt means for the mail and for the queue. Replies are judged by their
// enhanced code (RFC 3463), since relays agree on those far more than on texts.

import type { RelayStage, SmtpOutcome } from '../foundation/smtp/outcome.ts'

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
