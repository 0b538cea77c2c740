// The process of the visitors from outside, as seen from where they are sent: many
// names are waited for at once, and each answer says for which name it is.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { GoLiveJob, GoLiveOutcome } from './worker.ts'

export type Outside = {
  awaitLive(errand: GoLiveJob): Promise<GoLiveOutcome>
  close(): Promise<void>
}

export async function openOutside(): Promise<Outside> {
  // Nothing of the environment, and not the arguments of a test runner, which would follow it there.
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], { env: { PATH: process.env['PATH'] }, execArgv: [] })
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
    awaitLive(errand) {
      const answer = Promise.withResolvers<GoLiveOutcome>()
      waiting.set(errand.hostname, answer)
      child.send(errand)
      return answer.promise
    },
    async close() {
      child.disconnect()
      await ended
    },
  }
}
