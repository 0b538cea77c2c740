// A clock that stops while this process does not run: on a machine without a free core, and
// while the process itself computes. It measures how long a server took, not how long the
// machine had no time for either of them.

export type Now = () => number

const TICK_MS = 50
/** A tick may be this late without anything being wrong. */
const SLACK_MS = 10

export function runningClock(): Now {
  let tickedAt = performance.now()
  let lostMs = 0
  const lostSince = (now: number) => {
    const excess = now - tickedAt - TICK_MS
    return excess > SLACK_MS ? excess : 0
  }
  setInterval(() => {
    const now = performance.now()
    lostMs += lostSince(now)
    tickedAt = now
  }, TICK_MS).unref()
  return () => {
    const now = performance.now()
    return now - lostMs - lostSince(now)
  }
}
