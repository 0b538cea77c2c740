// `superviseSeveral` runs several processes behind one port, for machines with more cores than one
// process can use. Each is a complete service; they share nothing but the port. A process that dies
// is replaced, unless none has come up yet: then something is wrong with all of them, and the first
// failure ends them all.

import cluster, { type Worker } from 'node:cluster'

export type Supervised = {
  /** Resolves with the exit code when all have ended. */
  ended: Promise<number>
  stop(): Promise<unknown>
}

export function superviseSeveral(count: number): Supervised {
  let isStopping = false
  let hasServed = false
  const ended = Promise.withResolvers<number>()
  let code = 0

  cluster.on('listening', () => (hasServed = true))
  cluster.on('exit', (worker: Worker, exitCode: number | null) => {
    if (!isStopping && hasServed) return void cluster.fork()
    code ||= isStopping ? 0 : (exitCode ?? 1)
    if (!isStopping) void stop()
    if (Object.keys(cluster.workers ?? {}).filter((id) => id !== String(worker.id)).length === 0) ended.resolve(code)
  })

  function stop(): Promise<number> {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    return ended.promise
  }
  for (let index = 0; index < count; index += 1) cluster.fork()
  return { ended: ended.promise, stop }
}

export const isSupervised = (): boolean => cluster.isWorker
