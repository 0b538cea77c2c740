// `openPrefetch` schedules which certificates are fetched before a handshake needs them: a few at a
// time, with failed ones retried later, at growing intervals while all attempts fail. It only keeps
// the order; its creator provides the fetch.

import type { Context } from '../foundation/context.ts'
import { processLimits } from '../plans/limit-table.ts'

export type Prefetch = {
  /** The route has changed: the name is queued, whatever happened before. */
  want(hostname: string): void
  /** A handshake lacks it: the name is queued, unless it failed a moment ago. */
  remind(hostname: string): void
  /** Queues the failed names again, if the pause is over. */
  retry(): void
  /** Empties the queue. */
  forget(): void
  /** Starts nothing more; settles when the fetches in progress have ended. */
  stop(): Promise<void>
}

const PAUSE_MS = 2000
const PAUSE_MS_MAX = 300_000

/** `have` is true if the certificate is available now, after fetching it if necessary. */
export function openPrefetch(
  { monotonic, onError }: Pick<Context, 'monotonic' | 'onError'>,
  have: (hostname: string) => Promise<boolean>,
): Prefetch {
  const wanted = new Set<string>()
  const missed = new Set<string>()
  const idle = Promise.withResolvers<void>()
  let running = 0
  let isStopped = false
  let pauseMs = PAUSE_MS
  let retryAt = Number.NEGATIVE_INFINITY

  const settle = (hostname: string, isHad: boolean) => {
    running -= 1
    if (isHad) pauseMs = PAUSE_MS
    else missed.add(hostname)
    next()
    if (isStopped && running === 0) idle.resolve()
  }
  const begin = (hostname: string) => {
    wanted.delete(hostname)
    running += 1
    have(hostname).then(
      (isHad) => settle(hostname, isHad),
      (error: Error) => {
        onError(error)
        settle(hostname, false)
      },
    )
  }
  const next = () => {
    for (const hostname of wanted) {
      if (isStopped || running >= processLimits.certificatesFetched.most) return
      begin(hostname)
    }
  }
  const want = (hostname: string) => {
    missed.delete(hostname)
    wanted.add(hostname)
    next()
  }
  return {
    want,
    remind: (hostname) => (missed.has(hostname) ? undefined : want(hostname)),
    retry() {
      if (missed.size === 0 || monotonic() < retryAt) return
      retryAt = monotonic() + pauseMs
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)
      for (const hostname of missed) wanted.add(hostname)
      missed.clear()
      next()
    },
    forget() {
      wanted.clear()
      missed.clear()
    },
    stop() {
      isStopped = true
      if (running === 0) idle.resolve()
      return idle.promise
    },
  }
}
