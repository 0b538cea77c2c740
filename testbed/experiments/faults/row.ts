// One fault of a certificate authority, and what owners must be told of it. A fault is
// done to a fresh name whose DNS is right, so whatever is shown is about the authority.
//
// `code` null: it passes without anybody having to know. `askedMs`: the authority asks
// for a wait, and the next request must come then, neither sooner nor much later.

import type { CauseCode } from '../../../server/src/domains/causes/causes.ts'
import type { RenewalAnswer } from '../../internet/acme-faults.ts'
import type { AcmeFault } from '../../internet/acme-fault-rules.ts'
import type { AcmeEndpoint, AcmeReply } from '../../internet/acme-exchange.ts'

export type Row = {
  /** The project of the row, and the first part of the hostname. */
  name: string
  /** Several, because authorities count what they issue for a registered domain, and so do we. */
  zone: string
  says: string
  /** Where nobody else asks if it concerns everybody who asks; with an own process if that is what goes wrong. */
  at: 'shared' | 'alone' | 'own process'
  code: CauseCode | null
  askedMs?: number
  /** `Re-verify` is chosen until it helps; what goes on by itself does so within seconds. */
  goesOn: 'automatically' | 'Re-verify'
  faults?: () => readonly AcmeFault[]
  /** The authority's own manners. */
  manners?: { nonceRejectPercent: number }
  /** It forgets everything after a first name, whose account it knew. */
  isForgetful?: true
  /** The order stays open until it is given up, ten minutes later by a clock that is moved. */
  isStuck?: true
  /** What it says about the renewal, and what we make of it. */
  renewal?: { answer: (now: number) => RenewalAnswer | 'error'; moment: RenewalMoment }
}

/** When it is renewed: as it suggests; soon, but not at once; or as without a suggestion. */
export type RenewalMoment = 'as suggested' | 'early' | 'as usual'

/** Long enough that a busy machine stays within a tenth of it. */
export const ASKED_MS = 12_000
export const MINUTE = 60_000

/** A wait is counted from the answer, so the answer is made when it is given. */
export const answering = (on: AcmeEndpoint, replyAt: (now: number) => AcmeReply): AcmeFault => ({
  on,
  deed: {
    does: 'answer',
    get reply() {
      return replyAt(Date.now())
    },
  },
})
