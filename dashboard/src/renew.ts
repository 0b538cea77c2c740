// Fetches again what has changed. TanStack Query does not repeat a first request that is still on its way, it waits for
// its response; but that may have been read before the change. So such a request is followed by another one.

import type { OperationId } from '@petstore-platform/contract/platform/client'
import type { QueryClient } from '@tanstack/react-query'

/** Marks the cached responses of these operations as stale; those that a page shows are fetched again. */
export async function renew(cache: QueryClient, operations: readonly OperationId[]): Promise<void> {
  const isAffected = ({ queryKey: [id] }: { queryKey: readonly unknown[] }) => operations.includes(id as OperationId)
  const loading = new Set(
    cache
      .getQueryCache()
      .findAll({ predicate: isAffected, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined),
  )
  await cache.invalidateQueries({ predicate: isAffected })
  if (loading.size === 0) return
  await Promise.allSettled([...loading].map(({ promise }) => Promise.resolve(promise)))
  await cache.invalidateQueries({ predicate: (query) => loading.has(query) })
}
