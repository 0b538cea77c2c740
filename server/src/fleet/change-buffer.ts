// `createRecent` buffers the last changes in memory, so that edges which wait for the next one cost
// the database nothing. It contains every change after `from`, in order, and a bounded number of
// them; an edge that is further behind must read from the table itself.

import type { Route } from './protocol.ts'

export type Recent = {
  /** Appends the changes that follow directly after the buffered ones. */
  take(routes: readonly Route[]): void
  /** The changes after this number, at most `count`; undefined if they are no longer buffered. */
  after(seq: number, count: number): readonly Route[] | undefined
  /** Empties the buffer, which then accepts what comes after this number. */
  restart(from: number): void
}

export function createRecent(sizeMax: number, first: number): Recent {
  let from = first
  let buffered: Route[] = []

  return {
    take(routes) {
      for (const route of routes) buffered.push(route)
      // Not at every change: truncating an array copies it.
      if (buffered.length <= 2 * sizeMax) return
      from = buffered.at(-sizeMax - 1)?.seq ?? from
      buffered = buffered.slice(-sizeMax)
    },
    after(seq, count) {
      if (seq < from) return undefined
      const start = firstAfter(buffered, seq)
      return buffered.slice(start, start + count)
    },
    restart(seq) {
      from = seq
      buffered = []
    },
  }
}

/** The index of the first number above this one. */
function firstAfter(routes: readonly Route[], seq: number): number {
  let low = 0
  let high = routes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((routes[middle]?.seq ?? 0) > seq) high = middle
    else low = middle + 1
  }
  return low
}
