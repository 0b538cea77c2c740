// Client of the process of visitors from outside: many domains are awaited at once, and each
// message names the domain it is about.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { GoLiveJob, GoLiveOutcome } from './worker.ts'
import { childEnv } from '../../harness/child-env.ts'

export type Outside = {
  awaitLive(job: GoLiveJob): Promise<GoLiveOutcome>
  close(): Promise<void>
}

export async function openOutside(): Promise<Outside> {
  // Without the environment, and without the arguments of a test runner, which a child process would inherit.
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], { env: childEnv, execArgv: [] })
  const waiting = new Map<string, PromiseWithResolvers<GoLiveOutcome>>()
  const gone = () => new Error('the visitors from outside are gone')
  const ended = once(child, 'exit')
  child.on('exit', () => waiting.forEach(({ reject }) => reject(gone())))
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!isReady) throw gone()
  child.on('message', (outcome: GoLiveOutcome) => {
    waiting.get(outcome.hostname)?.resolve(outcome)
    waiting.delete(outcome.hostname)
  })
  return {
    awaitLive(job) {
      const answer = Promise.withResolvers<GoLiveOutcome>()
      waiting.set(job.hostname, answer)
      child.send(job)
      return answer.promise
    },
    async close() {
      child.disconnect()
      await ended
    },
  }
}
