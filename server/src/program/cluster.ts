// `superviseSeveral` runs several processes behind one port, for machines with more cores than one
// process can use. Each is a complete service; they share nothing but the port. A process that dies
// is replaced (`foundation/respawn.ts` decides when), unless none has come up yet: then something is
// wrong with all of them, and the first failure ends them all.

import cluster, { type Worker } from 'node:cluster'
import { afterDeath, calm } from '../foundation/respawn.ts'

export type Supervised = {
  /** Resolves with the exit code when all have ended. */
  ended: Promise<number>
  /** Whether one of them serves. */
  isReady(): Promise<boolean>
  stop(): Promise<unknown>
}

export function superviseSeveral(count: number): Supervised {
  let isStopping = false
  let hasServed = false
  let state = calm
  const servingSince = new WeakMap<Worker, number>()
  const replacements = new Set<NodeJS.Timeout>()
  const ended = Promise.withResolvers<number>()
  let code = 0

  cluster.on('listening', (worker: Worker) => {
    hasServed = true
    servingSince.set(worker, performance.now())
  })
  cluster.on('exit', (worker: Worker, exitCode: number | null) => {
    if (!isStopping) {
      const since = servingSince.get(worker)
      const next = afterDeath(state, since === undefined ? undefined : performance.now() - since)
      state = next.state
      if (hasServed && next.delayMs !== undefined) return replaceAfter(next.delayMs)
      code = hasServed ? 1 : (exitCode ?? 1)
      void stop()
    }
    endIfLast(worker)
  })

  function replaceAfter(delayMs: number): void {
    const timer = setTimeout(() => {
      replacements.delete(timer)
      cluster.fork()
    }, delayMs)
    replacements.add(timer)
  }

  /** A process that is just dying is still listed. */
  function endIfLast(dying?: Worker): void {
    const others = Object.values(cluster.workers ?? {}).filter((worker) => worker !== dying)
    if (others.length === 0) ended.resolve(code)
  }

  function stop(): Promise<number> {
    isStopping = true
    for (const timer of replacements) clearTimeout(timer)
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    // While all of them wait to be replaced there is none left whose end could be awaited.
    endIfLast()
    return ended.promise
  }
  for (let index = 0; index < count; index += 1) cluster.fork()
  const isReady = async () => Object.values(cluster.workers ?? {}).some((one) => one && servingSince.has(one))
  return { ended: ended.promise, isReady, stop }
}

export const isSupervised = (): boolean => cluster.isWorker
