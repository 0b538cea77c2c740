// When a feed polls: soon after something was signalled, at most ten times a second however often that happens, and
// seldom otherwise. With very many listeners it polls less often, since each poll may write to all of them. Pure.

/** Between the starts of two polls. */
const POLL_GAP_MS = 100
/** Of the gap for each listener: at most 5,000 pieces a second. */
const LISTENER_MS = 0.2
/** However many listeners there are, all are notified within a second. */
const GAP_MAX_MS = 400
/** After a poll that failed: the database is away, and all feeds of all processes ask for it. */
const FAILED_GAP_MS = 1000

export type FeedState = {
  /** When the last poll started; undefined before the first. */
  startedAt: number | undefined
  /** Whether something was signalled since then. */
  isSignalled: boolean
  hasFailed: boolean
  listeners: number
  /** How long a feed waits of which nothing is signalled. */
  quietMs: number
}

/** In how many milliseconds the next poll starts. */
export function pollDelay(feed: FeedState, now: number): number {
  const { startedAt, isSignalled, hasFailed, listeners, quietMs } = feed
  if (startedAt === undefined) return 0
  const signalledMs = Math.min(GAP_MAX_MS, Math.max(POLL_GAP_MS, listeners * LISTENER_MS))
  const gapMs = hasFailed ? FAILED_GAP_MS : isSignalled ? signalledMs : quietMs
  return Math.max(0, startedAt + gapMs - now)
}
