// Many in one process who want the same thing at the same moment. One after the
// other, so that they do not use up the connections by waiting for one row; or
// together, so that a crowd costs as much as two.

export type SingleFlight = {
  /** One after the other. */
  alone: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /**
   * Whoever comes while one is under way shares the next one with all who came meanwhile. What they get was begun
   * after each of them asked, so nobody is told of a world that was over already.
   */
  together: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

export function createSingleFlight(): SingleFlight {
  const last = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()

  const alone = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => {})
    last.set(key, settled)
    void settled.then(() => last.get(key) === settled && last.delete(key))
    return mine
  }

  return {
    alone,
    together<T>(key: string, work: () => Promise<T>): Promise<T> {
      const waiting = next.get(key) as Promise<T> | undefined
      if (waiting) return waiting
      const mine = alone(key, () => {
        next.delete(key)
        return work()
      })
      next.set(key, mine)
      return mine
    },
  }
}
