// `createSharedCalls` serialises or shares concurrent calls for the same key within one process: serialised, so that they do
// not use up the connections by waiting for one row; shared, so that any number of concurrent calls costs as much as one or
// two.

export type SharedCalls = {
  /** One call after the other. */
  serialised: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Calls made while one is in flight share it. */
  joined: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /**
   * Calls made while one is in flight share the next one. It starts after each of them was made, so no caller gets a
   * result that was outdated when it called.
   */
  coalesced: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when the calls that are joined now have ended, successfully or not. */
  settled: () => Promise<unknown>
}

export function createSharedCalls(): SharedCalls {
  const last = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()
  const current = new Map<string, Promise<unknown>>()

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
    joined<T>(key: string, work: () => Promise<T>): Promise<T> {
      const underWay = current.get(key) as Promise<T> | undefined
      if (underWay) return underWay
      const mine = work().finally(() => current.delete(key))
      current.set(key, mine)
      return mine
    },
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
    settled: () => Promise.allSettled(current.values()),
  }
}
