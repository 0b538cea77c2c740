// The times of the last and the next check, and until when there is only waiting. Times
// are the server's; the clock of the page only decides whether that is soon.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import * as texts from '../texts/texts.ts'
import { clockWords, useNow } from '../ui/now.ts'
import { timeWords } from '../ui/time.tsx'

const SOON_MS = 15_000
/** More than a check takes, and more than the clock of a device is usually off. */
const LATE_MS = 120_000
const DAY_MS = 86_400_000
const { progress } = texts.domains

export function NextCheck({ evidenceAt, nextCheckAt, until }: Pick<Domain, 'evidenceAt' | 'nextCheckAt' | 'until'>) {
  const now = useNow()
  return (
    <span className="next-look">
      {evidenceAt === null ? progress.notLooked : progress.looked(nearWords(evidenceAt, now))}{' '}
      {nextCheckAt !== null && nextWords(nextCheckAt, now)}
      {until !== null && <strong> {progress.until(timeWords(until))}</strong>}
    </span>
  )
}

export function nextWords(at: string, now: number): string {
  const left = Date.parse(at) - now
  if (left < -LATE_MS) return progress.nextLate(nearWords(at, now))
  return left < SOON_MS ? progress.nextSoon : progress.nextAt(nearWords(at, now))
}

/** To the second today, else with the day. */
const nearWords = (at: string, now: number): string =>
  Math.abs(Date.parse(at) - now) < DAY_MS / 2 ? clockWords(at) : timeWords(at)
