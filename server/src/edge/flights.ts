// `createFlights` lets concurrent callers share one piece of work: while work for a key is in
// progress, every caller who joins it gets the same promise.

export type Flights<T> = {
  join(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when the work that is in progress now has ended, successfully or not. */
  settled(): Promise<unknown>
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Promise<T>>()
  return {
    join(key, work) {
      const underWay = flights.get(key)
      if (underWay) return underWay
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
    settled: () => Promise.allSettled(flights.values()),
  }
}
