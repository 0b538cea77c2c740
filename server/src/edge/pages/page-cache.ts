// `createPageCache` caches pages in the memory of an edge, bounded in number and bytes. A page is
// fresh for less than half a second after it was requested; after that it is only the last known
// version, used to revalidate it, and for visitors while the control plane is unreachable. The
// least recently requested pages are evicted first.

import type { CachedPage } from './page.ts'

export type PageCache = {
  /** The page, if it was requested a moment ago. */
  fresh(key: string): CachedPage | undefined
  /** The page, however old. */
  last(key: string): CachedPage | undefined
  put(key: string, page: CachedPage, askedAt: number): void
  /** It may have changed: the next visitor's request revalidates it. */
  expire(key: string): void
  drop(key: string): void
  readonly bytes: number
}

export type PageCacheOptions = { holdMs: number; countMax: number; bytesMax: number; now: () => number }

type Held = { page: CachedPage; askedAt: number; bytes: number }

/** The cost of a page in addition to its body. */
const OVERHEAD = 2048

export function createPageCache({ holdMs, countMax, bytesMax, now }: PageCacheOptions): PageCache {
  const held = new Map<string, Held>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= held.get(key)?.bytes ?? 0
    held.delete(key)
  }
  return {
    get bytes() {
      return bytes
    },
    fresh(key) {
      const found = held.get(key)
      return found && now() - found.askedAt < holdMs ? found.page : undefined
    },
    last: (key) => held.get(key)?.page,
    put(key, page, askedAt) {
      drop(key)
      const cost = page.body.length + OVERHEAD
      if (cost > bytesMax) return
      held.set(key, { page, askedAt, bytes: cost })
      bytes += cost
      for (const oldest of held.keys()) {
        if (held.size <= countMax && bytes <= bytesMax) break
        drop(oldest)
      }
    },
    expire(key) {
      const found = held.get(key)
      if (found) found.askedAt = Number.NEGATIVE_INFINITY
    },
    drop,
  }
}
