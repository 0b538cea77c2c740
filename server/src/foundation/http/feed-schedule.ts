// When a feed polls: soon after something was signalled, at most ten times a second however often that happens, and
// seldom otherwise. Pure.

/** Between the starts of two polls. */
export const POLL_GAP_MS = 100
/** After a poll that failed: the database is away, and all feeds of all processes ask for it. */
export const FAILED_GAP_MS = 1000

export type FeedState = {
  /** When the last poll started; undefined before the first. */
  startedAt: number | undefined
  /** Whether something was signalled since then. */
  isSignalled: boolean
  hasFailed: boolean
  /** How long a feed waits of which nothing is signalled. */
  quietMs: number
}

/** In how many milliseconds the next poll starts. */
export function pollDelay({ startedAt, isSignalled, hasFailed, quietMs }: FeedState, now: number): number {
  if (startedAt === undefined) return 0
  const gapMs = hasFailed ? FAILED_GAP_MS : isSignalled ? POLL_GAP_MS : quietMs
  return Math.max(0, startedAt + gapMs - now)
}
