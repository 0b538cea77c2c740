// Several processes behind one port, for machines with more cores than one
// process can use. Each is a whole service of its own; they share nothing but
// the port. One that dies is replaced, unless none has come up yet: then
// something is wrong with all of them, and the first failure is everybody's.

import cluster, { type Worker } from 'node:cluster'

/** Resolves in the process that supervises, when all have ended; gives their exit code. */
export async function superviseSeveral(count: number): Promise<number> {
  let isStopping = false
  let hasServed = false
  const ended = Promise.withResolvers<number>()
  let code = 0

  cluster.on('listening', () => (hasServed = true))
  cluster.on('exit', (worker: Worker, exitCode: number | null) => {
    if (!isStopping && hasServed) return void cluster.fork()
    code ||= isStopping ? 0 : (exitCode ?? 1)
    if (!isStopping) stop('SIGTERM')
    if (Object.keys(cluster.workers ?? {}).filter((id) => id !== String(worker.id)).length === 0) ended.resolve(code)
  })

  function stop(signal: NodeJS.Signals): void {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
  for (let index = 0; index < count; index += 1) cluster.fork()
  return ended.promise
}

export const isSupervised = (): boolean => cluster.isWorker
