// Counts consecutive failures to get a response from the control plane. After a few of them, copies are sent for a while
// without a request, so that visitors do not wait for one deadline after the other.

/** After this number of consecutive failed requests, copies are sent without a request. */
const FAILURES_MAX = 3
const PAUSE_MS = 1000

export function countFailures(now: () => number) {
  let count = 0
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    /** Consecutive failures. */
    get count() {
      return count
    },
    isPaused: () => count >= FAILURES_MAX && now() - lastAt < PAUSE_MS,
    add() {
      count += 1
      lastAt = now()
    },
    end: () => void (count = 0),
  }
}
