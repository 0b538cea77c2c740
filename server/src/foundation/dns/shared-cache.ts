// `sharedCache` caches data that all projects need: the nameservers of top-level domains and the
// addresses of nameservers. Concurrent calls for the same key share one query. Entries live for
// their time to live, and never longer than five minutes; a name that was not found is not cached.
// Bounded: the oldest entry is evicted first.

export type Learnt<Value> = { value: Value; seconds: number }

export type SharedCache<Value> = {
  learn(key: string, ask: () => Promise<Learnt<Value> | null>): Promise<Value | null>
  recall(key: string): Value | null
  keep(key: string, learnt: Learnt<Value>): void
}

const HOLD_MS_MAX = 300_000

export function sharedCache<Value>({ sizeMax, now }: { sizeMax: number; now: () => number }): SharedCache<Value> {
  const held = new Map<string, { value: Value; until: number }>()
  const underWay = new Map<string, Promise<Value | null>>()

  const recall = (key: string): Value | null => {
    const known = held.get(key)
    return known && known.until > now() ? known.value : null
  }
  const keep = (key: string, { value, seconds }: Learnt<Value>) => {
    held.delete(key)
    held.set(key, { value, until: now() + Math.min(HOLD_MS_MAX, seconds * 1000) })
    const oldest = held.size > sizeMax ? held.keys().next() : undefined
    if (oldest && !oldest.done) held.delete(oldest.value)
  }
  const asked = async (key: string, ask: () => Promise<Learnt<Value> | null>) => {
    try {
      const learnt = await ask()
      if (learnt) keep(key, learnt)
      return learnt?.value ?? null
    } finally {
      underWay.delete(key)
    }
  }

  return {
    recall,
    keep,
    async learn(key, ask) {
      const known = recall(key)
      if (known !== null) return known
      const asking = underWay.get(key) ?? asked(key, ask)
      underWay.set(key, asking)
      return asking
    },
  }
}
