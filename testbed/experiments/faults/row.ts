// One fault of a certificate authority, and what owners must be shown. A fault is applied to a
// new domain whose DNS is correct, so whatever is shown is about the authority.
//
// `code` null: the fault passes without the owner having to know. `askedMs`: the authority
// requests a wait, and the next request must come then, neither sooner nor much later.

import type { CauseCode } from '../../../server/src/domains/causes/causes.ts'
import type { RenewalAnswer } from '../../internet/acme-faults.ts'
import type { AcmeFault } from '../../internet/acme-fault-rules.ts'
import type { AcmeEndpoint, AcmeReply } from '../../internet/acme-exchange.ts'

export type Row = {
  /** The project of the row, and the first part of the hostname. */
  name: string
  /** Several zones, because authorities count what they issue per registered domain, and so do we. */
  zone: string
  says: string
  /**
   * An authority without other clients if the fault affects every client; with a process of its
   * own if the process itself fails.
   */
  at: 'shared' | 'alone' | 'own process'
  code: CauseCode | null
  askedMs?: number
  /** With `Re-verify` the owner chooses it until it helps; otherwise the domain continues within seconds. */
  goesOn: 'automatically' | 'Re-verify'
  faults?: () => readonly AcmeFault[]
  /** Settings of the authority itself. */
  manners?: { nonceRejectPercent: number }
  /** It loses all data after a first domain, whose account it knew. */
  isForgetful?: true
  /** The order stays open until it is abandoned, ten minutes later by a clock that is moved. */
  isStuck?: true
  /** The renewal information it returns, and the renewal time we derive from it. */
  renewal?: { answer: (now: number) => RenewalAnswer | 'error'; moment: RenewalMoment }
}

/** The time of renewal: as suggested; soon, but not at once; or as without a suggestion. */
export type RenewalMoment = 'as suggested' | 'early' | 'as usual'

/** Long enough that a busy machine stays within a tenth of it. */
export const ASKED_MS = 12_000
export const MINUTE = 60_000

/** A wait counts from the response, so the response is created when it is sent. */
export const answering = (on: AcmeEndpoint, replyAt: (now: number) => AcmeReply): AcmeFault => ({
  on,
  action: {
    does: 'answer',
    get reply() {
      return replyAt(Date.now())
    },
  },
})
