// The last changes, in memory, so that edges which wait for the next one cost the
// database nothing. It holds every change after `from`, in order, and a bounded number
// of them; whoever knows less must be told from the table itself.

import type { Route } from './protocol.ts'

export type Recent = {
  /** What comes right after what is held already. */
  take(routes: readonly Route[]): void
  /** What changed after this number, at most so many; undefined if that is no longer held. */
  after(seq: number, count: number): readonly Route[] | undefined
  /** Holds nothing, and takes what comes after this number. */
  restart(from: number): void
}

export function createRecent(sizeMax: number, first: number): Recent {
  let from = first
  let held: Route[] = []

  return {
    take(routes) {
      for (const route of routes) held.push(route)
      // Not at every change: to cut an array is to copy it.
      if (held.length <= 2 * sizeMax) return
      from = held.at(-sizeMax - 1)?.seq ?? from
      held = held.slice(-sizeMax)
    },
    after(seq, count) {
      if (seq < from) return undefined
      const start = firstAfter(held, seq)
      return held.slice(start, start + count)
    },
    restart(seq) {
      from = seq
      held = []
    },
  }
}

/** Where the numbers above this one begin. */
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
