// The heartbeat of a process, in memory that its threads share: when its main thread last ran, and whether it is ready.

export type AdminThread = { shared: SharedArrayBuffer; host: string; port: number; staleMs: number; version: string }

/** What the main thread posts when the thread has asked it for metrics. Undefined if it has none. */
export type MetricsText = { type: string; text: string } | undefined

export const HEARTBEAT_BYTES = 16

/** The clock is the same for all threads; `performance.now()` is not. */
const now = () => process.hrtime.bigint()

export function heartbeatIn(shared: SharedArrayBuffer) {
  const [at, ready] = [new BigInt64Array(shared, 0, 1), new Int32Array(shared, 8, 1)]
  return {
    beat: () => void Atomics.store(at, 0, now()),
    ageMs: () => Number(now() - Atomics.load(at, 0)) / 1e6,
    setReady: (isReady: boolean) => void Atomics.store(ready, 0, isReady ? 1 : 0),
    isReady: () => Atomics.load(ready, 0) === 1,
  }
}
