// `paceOf` spaces work evenly: at most so many begin in a second.

export function paceOf(perSecond: number): () => Promise<void> {
  const intervalMs = 1000 / perSecond
  let free = 0
  return () => {
    const now = performance.now()
    free = Math.max(free, now)
    const waitMs = free - now
    free += intervalMs
    return waitMs < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
