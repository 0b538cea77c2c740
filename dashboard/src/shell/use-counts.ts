// The numbers in the navigation: animals in the store, and open requests. Events of the project keep them up to date.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'

const { counts: words } = texts.common

/** `isUrgent`: it waits for the person. */
export type Count = { shown: string; says: string; isUrgent: boolean }
export type Counts = { animals: Count; orders: Count }

export function useCounts(slug: string): Counts | undefined {
  const overview = useQuery(query('getOverview', { project: slug }))
  if (!overview.data) return undefined
  const { available, pending } = overview.data.animals
  const { openOrders } = overview.data
  const inStore = available.count + pending.count
  const shown = words.number(inStore, available.isMore || pending.isMore)
  return {
    animals: { shown, says: words.animals(shown), isUrgent: false },
    orders: { shown: words.number(openOrders, false), says: words.orders(openOrders), isUrgent: openOrders > 0 },
  }
}
