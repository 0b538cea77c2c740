// The requests of a project, page after page: the open ones by stage, the ended ones, and those that arrive while the
// page is open. Events of the project renew them; without events they are polled.

import type { Page } from '@petstore-platform/contract/platform/client'
import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { useInfiniteQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api.ts'
import { useAskEvery } from '../shell/project-events.ts'
import * as texts from '../texts/texts.ts'
import type { Column } from './views.ts'

const ASK_EVERY_MS = 5000
const AT_ONCE = 50

export function useOrderPages(project: string, stage: Column | 'ended') {
  const refetchInterval = useAskEvery(ASK_EVERY_MS)
  return useInfiniteQuery({
    queryKey: ['listOrders', 'pages', { project, stage }] as const,
    queryFn: ({ pageParam }): Promise<Page<ManagedOrder>> =>
      client.page('listOrders', { project, stage, limit: AT_ONCE, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })
}

export type OrderPages = ReturnType<typeof useOrderPages>

export type ColumnOrders = {
  items: readonly ManagedOrder[]
  /** The number of them, for people. */
  shown: string
  /** Undefined: all are shown. */
  more: (() => void) | undefined
  isLoadingMore: boolean
}

const itemsOf = ({ data }: OrderPages): readonly ManagedOrder[] => data?.pages.flatMap((page) => page.items) ?? []

/** A request that was moved is in two columns until both are renewed: it belongs to the one that was renewed last. */
export function columnOf(column: OrderPages, all: readonly OrderPages[] = []): ColumnOrders {
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = column
  const later = all.filter(({ dataUpdatedAt }) => dataUpdatedAt > column.dataUpdatedAt)
  const moved = new Set(later.flatMap(itemsOf).map(({ id }) => id))
  const items = itemsOf(column).filter(({ id }) => !moved.has(id))
  return {
    items,
    shown: texts.common.counts.number(items.length, hasNextPage),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  }
}

export type OpenOrders = Readonly<Record<Column, ColumnOrders>>

type Loading = Pick<UseQueryResult<OpenOrders>, 'data' | 'error' | 'refetch'>

/** `data` is undefined until all columns are known. */
export function useOpenOrders(project: string): Loading {
  const pages: Readonly<Record<Column, OrderPages>> = {
    new: useOrderPages(project, 'new'),
    talking: useOrderPages(project, 'talking'),
    visit: useOrderPages(project, 'visit'),
    approved: useOrderPages(project, 'approved'),
  }
  const all = Object.values(pages)
  const missing = all.find(({ data }) => data === undefined)
  const failed = all.find(({ data, error }) => data === undefined && error !== null) ?? missing ?? pages.new
  const data = missing
    ? undefined
    : {
        new: columnOf(pages.new, all),
        talking: columnOf(pages.talking, all),
        visit: columnOf(pages.visit, all),
        approved: columnOf(pages.approved, all),
      }
  return { data, error: failed.error, refetch: failed.refetch as unknown as Loading['refetch'] }
}

export type Arrivals = {
  /** The newest that came while the page was open. */
  latest: ManagedOrder | undefined
  isFresh: (order: ManagedOrder) => boolean
}

export function useArrivals(open: OpenOrders | undefined): Arrivals {
  const [since, setSince] = useState<bigint>()
  const [latest, setLatest] = useState<ManagedOrder>()
  const newest = open?.new.items[0]
  if (open !== undefined && since === undefined) setSince(newest?.id ?? 0n)
  if (newest && since !== undefined && newest.id > (latest?.id ?? since)) setLatest(newest)
  return { latest, isFresh: ({ id }) => since !== undefined && id > since }
}
