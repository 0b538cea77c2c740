// A child process that reports what it does while it works, is told things, and is killed. Reports that were sent before a
// kill are received all the same.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { childEnv } from './child-env.ts'

/** The first report of every worker is `ready`. */
type Report = { kind: string }

export type ReportingWorker<Said extends Report, Heard extends object = never> = {
  pid: number
  /** All its reports, oldest first. */
  said: readonly Said[]
  isAlive(): boolean
  tell(message: Heard): void
  signal(signal: NodeJS.Signals): void
  /** The first matching report, received already or later; fails if the worker ends without one. */
  hears(isIt: (said: Said, index: number) => boolean, withinMs?: number): Promise<Said>
  /** By SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
  /** It ends when its parent disconnects. */
  stop(): Promise<void>
  ended: Promise<unknown>
}

export async function startReportingWorker<Said extends Report, Heard extends object = never>(
  script: string,
  orders: object,
): Promise<ReportingWorker<Said, Heard>> {
  // Without the arguments of a test runner, which a child process would inherit.
  const child = fork(script, [JSON.stringify(orders)], { env: childEnv, execArgv: [] })
  const said: Said[] = []
  const listeners = new Set<() => void>()
  let isGone = false
  const hearAll = () => {
    for (const listener of listeners) listener()
  }
  child.on('message', (message) => {
    said.push(message as Said)
    hearAll()
  })
  // Reports sent before a kill arrive until the channel closes, which may be later than the exit.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  child.once('disconnect', () => {
    isGone = true
    hearAll()
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const hears: ReportingWorker<Said>['hears'] = (isIt, withinMs = 60_000) =>
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
    pid: child.pid ?? 0,
    said,
    isAlive,
    tell: (message) => void child.send(message),
    signal: (signal) => void child.kill(signal),
    hears,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
    ended,
  }
}
