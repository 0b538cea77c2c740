// Which rows the review shows, as a parameter of its address. An invalid one is dropped.

import type { RowOutcome } from '@petstore-platform/contract/platform/import-shapes'

export type RowFilter = RowOutcome | 'all'
export type ReviewSearch = { show?: RowFilter }

/** In the order in which they are shown: what needs the person comes first. */
const known: Record<RowFilter, true> = {
  all: true,
  problem: true,
  create: true,
  update: true,
  unchanged: true,
  skip: true,
}
export const rowFilters = Object.keys(known) as RowFilter[]

export function reviewSearch({ show }: Record<string, unknown>): ReviewSearch {
  return typeof show === 'string' && Object.hasOwn(known, show) ? { show: show as RowFilter } : {}
}
