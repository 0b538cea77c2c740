// Renewal information of an authority (RFC 9773), good and bad. None of it is a trouble that
// owners have to know of: at worst we renew as if there were none.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import type { AcmeFaults } from '../../internet/acme-faults.ts'
import { acmeFault } from '../../internet/acme-fault-rules.ts'
import { MINUTE, type RenewalMoment, type Row } from './row.ts'

export function renewals(): Omit<Row, 'zone'>[] {
  const row = (name: string, says: string, renewal: NonNullable<Row['renewal']>): Omit<Row, 'zone'> => ({
    name: `renewal-${name}`,
    says: `renewal information: ${says}`,
    at: 'alone',
    code: null,
    goesOn: 'automatically',
    renewal,
  })
  const window = (from: number, to: number) => ({
    start: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
  })
  return [
    row('normal', 'a future window', {
      answer: (now) => window(now + 20 * MINUTE, now + 21 * MINUTE),
      moment: 'as suggested',
    }),
    row('past', 'a past window', {
      answer: (now) => window(now - 120 * MINUTE, now - 60 * MINUTE),
      moment: 'early',
    }),
    row('error', '503', { answer: () => 'error', moment: 'as usual' }),
    row('nonsense', 'a malformed response', { answer: () => 'garbage', moment: 'as usual' }),
    row('unknown', 'the certificate is unknown', { answer: () => 'missing', moment: 'as usual' }),
  ]
}

type Renewal = NonNullable<Row['renewal']>

/** Given for the first certificate that is requested; for its successor there is none. */
export function offer(authority: Pick<AcmeFaults, 'offerRenewalInfo' | 'next'>, renewal: Renewal): void {
  const answer = renewal.answer(Date.now())
  let first: string | undefined
  authority.offerRenewalInfo((certificateId) => {
    first ??= certificateId
    if (certificateId !== first) return 'missing'
    return answer === 'error' ? 'garbage' : answer
  })
  if (answer === 'error') authority.next(acmeFault.page('renewalInfo', 503, { times: Infinity }))
}

/** The kind of the renewal time that is shown; null if it is none of these. */
export function momentOf({ certificate, liveAt }: Domain, renewal: Renewal): RenewalMoment | null {
  if (!certificate || liveAt === null) return null
  const [from, to, at] = [certificate.validFrom, certificate.validUntil, certificate.renewsAt].map(Date.parse)
  if (from === undefined || to === undefined || at === undefined) return null
  const life = to - from
  // Within the last third of a long validity period or the last half of a short one, spread a little by hostname.
  if (at <= to - life / 2 && at >= to - life * (1 / 2 + 1 / 12)) return 'as usual'
  if (Math.abs(at - from - life / 10) < 2000) return 'early'
  const window = renewal.answer(Date.parse(liveAt))
  if (typeof window === 'string') return null
  const slack = MINUTE
  return at >= Date.parse(window.start) - slack && at <= Date.parse(window.end) + slack ? 'as suggested' : null
}
