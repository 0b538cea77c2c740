// Workers in processes of their own, which receive commands, send reports and are killed.
// Reports that were sent before a kill are received all the same.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Heard, Orders, WorkerReport } from './worker.ts'
import { childEnv } from '../../harness/child-env.ts'

export type Worker = {
  process: ChildProcess
  /** All its reports, oldest first. */
  said: readonly WorkerReport[]
  /** Its claims that are not finished, as far as it reported them. */
  claims(): { hostname: string; fence: bigint }[]
  tell(message: Heard): void
  /** The first matching report, received already or later; fails if the worker ends without one. */
  hears(isIt: (said: WorkerReport, index: number) => boolean, withinMs?: number): Promise<WorkerReport>
  /** By SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
  ended: Promise<unknown>
}

export async function startWorker(orders: Orders): Promise<Worker> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [JSON.stringify(orders)], {
    env: childEnv,
    // Not those of a test runner, which a child process would inherit.
    execArgv: [],
  })
  const said: WorkerReport[] = []
  const listeners = new Set<() => void>()
  let isGone = false
  const hearAll = () => {
    for (const listener of listeners) listener()
  }
  child.on('message', (message) => {
    said.push(message as WorkerReport)
    hearAll()
  })
  // Reports sent before a kill arrive until the channel closes, which may be later than the exit.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  child.once('disconnect', () => {
    isGone = true
    hearAll()
  })
  const hears: Worker['hears'] = (isIt, withinMs = 60_000) =>
    new Promise((resolve, reject) => {
      const settle = (work: () => void) => {
        clearTimeout(timer)
        listeners.delete(find)
        work()
      }
      const timer = setTimeout(() => settle(() => reject(new Error('a worker did not say it in time'))), withinMs)
      const find = () => {
        const message = said.find(isIt)
        if (message) settle(() => resolve(message))
        else if (isGone) settle(() => reject(new Error('a worker ended before it said so')))
      }
      listeners.add(find)
      find()
    })
  await hears(({ kind }) => kind === 'ready')
  return {
    process: child,
    said,
    claims: () => claimsIn(said),
    tell: (message) => void child.send(message),
    hears,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}

function claimsIn(said: readonly WorkerReport[]): { hostname: string; fence: bigint }[] {
  const open = new Map<string, bigint>()
  for (const message of said) {
    if (message.kind === 'claimed') open.set(message.hostname, BigInt(message.fence))
    if (message.kind === 'worked') open.delete(message.hostname)
  }
  return [...open].map(([hostname, fence]) => ({ hostname, fence }))
}
