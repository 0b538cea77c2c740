// `sharedCache` caches data that all projects need: the nameservers of top-level domains and the
// addresses of nameservers. Concurrent calls for the same key share one query. Entries live for
// their time to live, and never longer than five minutes; a name that was not found is not cached.
// Bounded: the oldest entry is evicted first.

export type Learnt<Value> = { value: Value; seconds: number }

export type SharedCache<Value> = {
  learn(key: string, read: () => Promise<Learnt<Value> | null>): Promise<Value | null>
  recall(key: string): Value | null
  keep(key: string, learnt: Learnt<Value>): void
}

const HOLD_MS_MAX = 300_000

export function sharedCache<Value>({ sizeMax, now }: { sizeMax: number; now: () => number }): SharedCache<Value> {
  const entries = new Map<string, { value: Value; until: number }>()
  const underWay = new Map<string, Promise<Value | null>>()

  const recall = (key: string): Value | null => {
    const known = entries.get(key)
    return known && known.until > now() ? known.value : null
  }
  const keep = (key: string, { value, seconds }: Learnt<Value>) => {
    entries.delete(key)
    entries.set(key, { value, until: now() + Math.min(HOLD_MS_MAX, seconds * 1000) })
    const oldest = entries.size > sizeMax ? entries.keys().next() : undefined
    if (oldest && !oldest.done) entries.delete(oldest.value)
  }
  const fetched = async (key: string, read: () => Promise<Learnt<Value> | null>) => {
    try {
      const learnt = await read()
      if (learnt) keep(key, learnt)
      return learnt?.value ?? null
    } finally {
      underWay.delete(key)
    }
  }

  return {
    recall,
    keep,
    async learn(key, read) {
      const known = recall(key)
      if (known !== null) return known
      const flight = underWay.get(key) ?? fetched(key, read)
      underWay.set(key, flight)
      return flight
    },
  }
}
