// `createSingleFlight` serialises or coalesces concurrent calls for the same key within one
// process: serialised, so that they do not use up the connections by waiting for one row;
// coalesced, so that any number of concurrent calls costs as much as two.

export type SingleFlight = {
  /** Serialises: one call after the other. */
  serialised: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /**
   * Coalesces: calls made while one is in flight share the next one. It starts after each of them
   * was made, so no caller gets a result that was outdated when it called.
   */
  coalesced: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

export function createSingleFlight(): SingleFlight {
  const last = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()

  const serialised = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => {})
    last.set(key, settled)
    void settled.then(() => last.get(key) === settled && last.delete(key))
    return mine
  }

  return {
    serialised,
    coalesced<T>(key: string, work: () => Promise<T>): Promise<T> {
      const waiting = next.get(key) as Promise<T> | undefined
      if (waiting) return waiting
      const mine = serialised(key, () => {
        next.delete(key)
        return work()
      })
      next.set(key, mine)
      return mine
    },
  }
}
