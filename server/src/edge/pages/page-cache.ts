// `createPageCache` caches pages in the memory of an edge, bounded in number and bytes. A page is
// fresh for less than half a second after it was requested; after that it is only the last known
// version, used to revalidate it, and for visitors while the control plane is unreachable. The
// least recently requested pages are evicted first.

import { BoundedMap } from '../../foundation/load/bounded-map.ts'
import type { CachedPage } from './page.ts'

export type PageCache = {
  /** The page, if it was requested a moment ago. */
  fresh(key: string): CachedPage | undefined
  /** The page, however old. */
  last(key: string): CachedPage | undefined
  put(key: string, page: CachedPage, requestedAt: number): void
  /** It may have changed: the next visitor's request revalidates it. */
  expire(key: string): void
  drop(key: string): void
  readonly bytes: number
}

type Entry = { page: CachedPage; requestedAt: number }

/** The cost of a page in addition to its body. */
const OVERHEAD = 2048

export function createPageCache({
  holdMs,
  countMax,
  bytesMax,
  now,
}: {
  holdMs: number
  countMax: number
  bytesMax: number
  now: () => number
}): PageCache {
  const entries = new BoundedMap<string, Entry>({
    countMax,
    weightMax: bytesMax,
    weightOf: ({ page }) => page.body.length + OVERHEAD,
  })
  return {
    get bytes() {
      return entries.weight
    },
    fresh(key) {
      const found = entries.get(key)
      return found && now() - found.requestedAt < holdMs ? found.page : undefined
    },
    last: (key) => entries.get(key)?.page,
    put: (key, page, requestedAt) => entries.set(key, { page, requestedAt }),
    expire(key) {
      const found = entries.get(key)
      if (found) found.requestedAt = Number.NEGATIVE_INFINITY
    },
    drop: (key) => entries.delete(key),
  }
}
