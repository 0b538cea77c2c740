// Compares a result with the row of its fault: one sentence per difference, none if all of it matches.

import { causes } from '../../../server/src/domains/causes/causes.ts'
import type { Result } from './run.ts'
import type { Row } from './row.ts'

/** The next request may come this much later than the authority requested. */
const TENTH = 1.1

export const complaintsOf = (result: Result): string[] => [
  ...aboutShown(result),
  ...aboutWaiting(result),
  ...(result.isStoredEarly ? ['a certificate was stored although the attempt failed'] : []),
  ...(result.liveMs === null ? ['it never went live'] : []),
  ...(result.visited === 200 ? [] : [`a visitor got ${result.visited}`]),
  ...aboutRenewal(result),
]

/** The status must distinguish between action required and waiting. */
const statusFor = (code: NonNullable<Row['code']>): string =>
  causes[code].severity === 'blocks' ? 'action_required' : 'waiting'

function aboutShown({ row, shown, codes }: Result): string[] {
  const { code } = row
  if (code === null) return codes.length === 0 ? [] : [`${codes.join(', ')} was shown, and no cause was expected`]
  if (!shown) return [`nothing was shown in place of ${code}`]
  const others = codes.filter((one) => one !== code)
  return [
    ...(shown.code === code && others.length === 0 ? [] : [`${codes.join(', ')} was shown in place of ${code}`]),
    ...(shown.status === statusFor(code) ? [] : [`it was shown as ${shown.status}`]),
    ...(/\{\w+\}|undefined|NaN|null|…/.test(shown.advice) ? [`the advice is incomplete: ${shown.advice}`] : []),
  ]
}

function aboutWaiting({ row, shown, waitedMs, untilMs }: Result): string[] {
  const { askedMs } = row
  if (askedMs === undefined) return []
  if (waitedMs === null) return ['no wait was observed']
  const isKept = waitedMs >= askedMs && waitedMs <= TENTH * askedMs
  // A domain that continues automatically waits exactly as long as its owner was shown.
  const isShown = row.goesOn === 'Re-verify' || !shown || isNear(untilMs ?? 0, askedMs)
  return [
    ...(isKept ? [] : [`${waitedMs} ms were waited, and ${askedMs} ms were requested`]),
    ...(isShown ? [] : [`the owner was shown a wait of ${untilMs} ms`]),
  ]
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= (TENTH - 1) * other

function aboutRenewal({ row, renewal }: Result): string[] {
  if (!row.renewal) return []
  if (!renewal || renewal.asked === 0) return ['its renewal information was never requested']
  const { moment } = row.renewal
  return [
    ...(renewal.moment === moment ? [] : [`it is not renewed ${moment}`]),
    ...(moment === 'early' && !renewal.replaced ? ['it was not renewed'] : []),
  ]
}
