// For tests that bound the cost of hostile input: a busy machine delays a thread, but does not add to its processor time.

type Usage = { user: number; system: number }

/** The dashboard is checked with the types of a browser; its tests run in Node like all others. */
const { process } = globalThis as unknown as { process: { threadCpuUsage: (before?: Usage) => Usage } }

/** Milliseconds of this thread that `run` costs, the least of several attempts. Ends when one costs less than `enough`. */
export function processorTime(run: () => unknown, enough: number, attempts = 20): number {
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= enough; attempt += 1) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
