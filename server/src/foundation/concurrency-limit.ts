// Work that is dear, a few at a time: the rest waits in line, and a line that is
// too long is refused at once. So a flood of it costs a bounded amount of memory
// and of processor, and leaves both to everybody else.

import { Refusal } from './refusal.ts'

export type BoundedOptions = { atOnce: number; waitingMax: number }

export function limitConcurrency({ atOnce, waitingMax }: BoundedOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new Refusal('service_unavailable', undefined, { 'Retry-After': '1' })
      // Whoever ends hands its place on, so that nobody slips in between.
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
