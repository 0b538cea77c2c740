// A child process that receives jobs, one after another, and returns the outcome of each. It
// reports when it is ready, and ends when its parent disconnects.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { childEnv } from './child-env.ts'

export type WorkerProcess<Errand, Outcome> = {
  send(job: Errand): Promise<Outcome>
  stop(): Promise<void>
}

/** With this script and these arguments, and nothing of the environment except PATH. */
export async function startWorkerProcess<Errand extends object, Outcome>(
  script: string,
  given: readonly string[],
): Promise<WorkerProcess<Errand, Outcome>> {
  const worker = fork(script, [...given], {
    env: childEnv,
    // Not those of a test runner, which a child process would inherit.
    execArgv: [],
  })
  await nextMessage(worker)
  return {
    async send(job) {
      const answered = nextMessage(worker)
      worker.send(job)
      return (await answered) as Outcome
    },
    async stop() {
      const ended = once(worker, 'exit')
      worker.disconnect()
      await ended
    },
  }
}

/** The next message of the worker; fails if it ends instead. */
async function nextMessage(worker: ChildProcess): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('a worker ended before it was done')
  })
  ended.catch(() => {})
  try {
    const [message] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [unknown]
    return message
  } finally {
    done.abort()
  }
}
