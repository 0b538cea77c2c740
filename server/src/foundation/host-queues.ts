// Lets a few things at a time happen per host; the others wait for their turn. Pure.

export type HostQueues = <Result>(host: string, work: () => Promise<Result>) => Promise<Result>

export function hostQueues(atOnce: number): HostQueues {
  const busy = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (host, work) => {
    const own = busy.get(host) ?? { running: 0, waiting: [] }
    busy.set(host, own)
    // Who is called up takes the place of one that has finished.
    if (own.running < atOnce) own.running += 1
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      if (next) next()
      else own.running -= 1
      if (own.running === 0) busy.delete(host)
    }
  }
}
