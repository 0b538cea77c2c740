// Which names' certificates are fetched before anybody asks for them: a few at once, and
// those that could not be had again later, with longer and longer pauses while none can
// be had. It only keeps the order; whoever opens it says how one is had.

export type Prefetch = {
  /** There is news of it: its turn comes, whatever was before. */
  want(hostname: string): void
  /** It is missed: its turn comes, unless it was tried a moment ago. */
  remind(hostname: string): void
  /** Those that could not be had get another turn, if the pause is over. */
  retry(): void
  /** Nothing that waits is wanted any more. */
  forget(): void
  /** Begins nothing more; settles when what is under way has ended. */
  stop(): Promise<void>
}

export type PrefetchDeps = {
  /** Whether it is at hand now, having fetched it if need be. */
  have: (hostname: string) => Promise<boolean>
  monotonic: () => number
  onError: (error: Error) => void
}

const AT_ONCE = 8
const PAUSE_MS = 2000
const PAUSE_MS_MAX = 300_000

export function openPrefetch({ have, monotonic, onError }: PrefetchDeps): Prefetch {
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
      if (isStopped || running >= AT_ONCE) return
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
