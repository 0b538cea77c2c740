// The orders of a project, page after page; and those that arrive while the page is open.
//
// Only the open orders are refetched, on every order event and periodically: a decided
// order never changes, so the lists are outdated exactly when the open orders have
// changed.

import type { Page } from '@petstore-platform/contract/platform/client'
import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client, query } from '../api.ts'
import { useAskEvery } from '../shell/project-events.ts'
import type { OrderView } from './search.ts'
import { statusViews } from './views.ts'

const ASK_EVERY_MS = 5000
const AT_ONCE = 25
/** As many as a page of the server holds. */
export const WATCHED_MAX = 100

export const useOrders = (project: string, view: OrderView) =>
  useInfiniteQuery({
    queryKey: ['listOrders', 'pages', { project, view }] as const,
    queryFn: ({ pageParam }) => loaders[view](project, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

type Loader = (project: string, cursor: string | undefined) => Promise<Page<ManagedOrder>>
const loaders: Record<OrderView, Loader> = {
  waiting: (project, cursor) => client.page('listOrders', { project, status: 'placed', limit: AT_ONCE, cursor }),
  decided: loadDecided,
  all: (project, cursor) => client.page('listOrders', { project, limit: AT_ONCE, cursor }),
}

/** The server lists by one status or by none, so those that wait are left out here. A page is empty only at the end. */
async function loadDecided(project: string, cursor: string | undefined): Promise<Page<ManagedOrder>> {
  const { items, next } = await client.page('listOrders', { project, limit: WATCHED_MAX, cursor })
  const decided = items.filter(({ status }) => !statusViews[status].isWaiting)
  return decided.length > 0 || next === undefined ? { items: decided, next } : loadDecided(project, next)
}

export type Arrivals = {
  /** Undefined until it is known; at most `WATCHED_MAX`. */
  waitingCount: number | undefined
  /** The newest that came while the page was open. */
  latest: ManagedOrder | undefined
  isFresh: (order: ManagedOrder) => boolean
}

export function useArrivals(project: string): Arrivals {
  const cache = useQueryClient()
  const { data: waiting } = useQuery({
    ...query('listOrders', { project, status: 'placed', limit: WATCHED_MAX }),
    refetchInterval: useAskEvery(ASK_EVERY_MS),
  })
  const [since, setSince] = useState<bigint>()
  const [latest, setLatest] = useState<ManagedOrder>()
  const newest = waiting?.[0]
  if (waiting !== undefined && since === undefined) setSince(newest?.id ?? 0n)
  if (newest && since !== undefined && newest.id > (latest?.id ?? since)) setLatest(newest)

  const known = useRef(waiting)
  useEffect(() => {
    if (known.current !== undefined && known.current !== waiting)
      void cache.invalidateQueries({ queryKey: ['listOrders', 'pages'] })
    known.current = waiting
  }, [cache, waiting])

  return { waitingCount: waiting?.length, latest, isFresh: ({ id }) => since !== undefined && id > since }
}
