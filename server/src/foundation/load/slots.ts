// `limitConcurrency` runs a few pieces of expensive work at a time. The rest waits in a queue, and
// work that finds the queue full is rejected immediately. A flood of requests therefore costs a
// bounded amount of memory and processor time and leaves both to other requests.

import { Refusal } from '../refusal.ts'

export type BoundedOptions = { atOnce: number; waitingMax: number }

export function limitConcurrency({ atOnce, waitingMax }: BoundedOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new Refusal('service_unavailable', undefined, { 'Retry-After': '1' })
      // Finished work passes its slot directly to the next in the queue, so that no later call can
      // take it.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
