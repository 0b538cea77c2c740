// The filtered animals, for a component that is mounted again for every filter.

import type { ANIMALS_LIMIT_MAX, ANIMALS_SORTED_MAX } from '@petstore-platform/contract/platform/animals'
import type { Page, Received } from '@petstore-platform/contract/platform/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { client, query, queryClient } from '../api.ts'
import { useIsLost } from '../connection.ts'
import { createRows, type Animal, type Rows, type RowsSnapshot } from './rows.ts'
import type { AnimalFilter } from './search.ts'

const ROWS_AT_ONCE: typeof ANIMALS_LIMIT_MAX = 1000
const SORTED_MAX: typeof ANIMALS_SORTED_MAX = 5000
/** Without a known total: the number of placeholders that may still be filled. */
const PLACES_AHEAD = 30

export type Listed = RowsSnapshot & {
  rows: Rows
  /** How many rows the table has, with those that are not there yet. */
  count: number
  /** Whether that is how many there are. */
  isCounted: boolean
  /** Where the list ends, if there may be more animals than can be sorted like this. */
  sortedMost: number | undefined
}

export function useAnimals(project: string, filter: AnimalFilter): Listed {
  const [rows] = useState(() => createRows((cursor) => loadPage(project, filter, cursor)))
  const snapshot = useSyncExternalStore(rows.subscribe, rows.snapshot)
  const isLost = useIsLost()
  // The server does not count by name, category or photo.
  const isCountable = [filter.name, filter.categoryId, filter.photo].every((value) => value === undefined)
  const isBounded = filter.sort === 'completeness'
  const overview = useQuery({ ...query('getOverview', { project }), enabled: isCountable || isBounded })
  const known = overview.data && totalOf(overview.data, filter)
  const isCut = isBounded && overview.data !== undefined && (known === undefined || known > SORTED_MAX)
  const total = isCountable && known !== undefined ? Math.min(known, isBounded ? SORTED_MAX : Infinity) : undefined

  useEffect(() => void rows.want(0), [rows])
  // Others may have changed them while the server was unreachable.
  const wasLost = useRef(isLost)
  useEffect(() => {
    if (wasLost.current && !isLost) void rows.renew()
    wasLost.current = isLost
  }, [rows, isLost])

  const { loaded, isComplete } = snapshot
  const count = isComplete ? loaded : Math.max(total ?? 0, loaded + PLACES_AHEAD)
  return {
    ...snapshot,
    rows,
    count,
    isCounted: isComplete || total === count,
    sortedMost: isCut ? SORTED_MAX : undefined,
  }
}

/** Fetched through the query cache for its handling of being offline or signed out, but not stored there. */
const loadPage = (project: string, filter: AnimalFilter, cursor: string | undefined) =>
  queryClient.fetchQuery({
    queryKey: ['listAnimals', 'rows', { project, ...filter, cursor }],
    queryFn: async () =>
      (await client.page('listAnimals', { project, ...filter, cursor, limit: ROWS_AT_ONCE })) as Page<Animal>,
    structuralSharing: false,
    staleTime: 0,
    gcTime: 0,
  })

/** Undefined where counting stopped at a bound. */
function totalOf({ animals }: Received<'getOverview'>, { status }: AnimalFilter): number | undefined {
  const counts = status === undefined ? Object.values(animals) : [animals[status]]
  return counts.some(({ isMore }) => isMore) ? undefined : counts.reduce((sum, { count }) => sum + count, 0)
}

/**
 * True if an animal matches the filter. Its name is ignored, so that a renamed row does not vanish under the
 * person's eyes.
 */
export const fits = ({ status, categoryId, photo }: AnimalFilter, animal: Animal): boolean =>
  (status === undefined || animal.status === status) &&
  (categoryId === undefined || animal.categoryId === categoryId) &&
  (photo === undefined || animal.cover === null)
