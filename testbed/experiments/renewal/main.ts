// The authority is down at random: up to a week for certificates of 90 and of 45 days, up to a day for those of 6 days, since
// no longer outage leaves time to renew them all. One that grants 300 orders per three hours cannot support 10,000 names with
// certificates of six days; so these are simulated twice, with as many names as it supports and with a larger grant.

import { DAY } from '../../../server/src/foundation/time.ts'
import { randomInt } from 'node:crypto'
import { simulate, type RenewalControl, type RenewalFigures, type Fleet } from './simulation.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const LIMIT = 300
/** The number of six-day names that the grant supports, with a reserve for the time after an outage. */
const SIX_DAY_NAMES = 1500
const LARGE_LIMIT_PER_NAME = 0.21

export function fleetsOf(size: { domains: number; years: number; seed: number; control: RenewalControl }): Fleet[] {
  const { domains } = size
  const few = Math.min(domains, SIX_DAY_NAMES)
  const large = Math.max(LIMIT, Math.ceil(domains * LARGE_LIMIT_PER_NAME))
  return [
    { ...size, days: 90, limit: LIMIT, outageMax: 7 * DAY },
    { ...size, days: 45, limit: LIMIT, outageMax: 7 * DAY },
    { ...size, days: 6, limit: LIMIT, outageMax: DAY, domains: few },
    ...(domains > few ? [{ ...size, days: 6, limit: large, outageMax: DAY }] : []),
  ]
}

/** One sentence per broken guarantee. */
export function faultsOf({
  days,
  domains,
  expiries,
  busiestWindow,
  limit,
  renewals,
  outages,
}: RenewalFigures): string[] {
  return [
    ...(expiries === 0 ? [] : [`${expiries} certificates of ${days} days expired`]),
    ...(busiestWindow <= limit * 0.8 ? [] : [`${busiestWindow} orders in three hours, of ${limit} granted`]),
    ...(renewals >= domains && outages.count > 0 ? [] : ['nothing was tried']),
  ]
}

if (import.meta.main) {
  const flags = readFlags('renewal')
  const seed = flags.seed === undefined ? randomInt(2 ** 31) : Number(flags.seed)
  const control = (['none', 'last-day', 'no-reserve'] as const).find((one) => one === flags.control)
  if (control === undefined) throw new Error('--control is last-day or no-reserve')
  const size = { domains: Number(flags.domains), years: Number(flags.years), seed, control }
  const fleets = fleetsOf(size).map(simulate)
  conclude(flags, { seed, fleets }, ...fleets.flatMap(faultsOf))
}
