// A child process that receives jobs, one after another, and returns the outcome of each. It
// reports when it is ready, and ends when its parent disconnects.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type WorkerProcess<Errand, Outcome> = {
  send(errand: Errand): Promise<Outcome>
  stop(): Promise<void>
}

/** With this script and these arguments, and nothing of the environment except PATH. */
export async function startWorkerProcess<Errand extends object, Outcome>(
  script: string,
  given: readonly string[],
): Promise<WorkerProcess<Errand, Outcome>> {
  const worker = fork(script, [...given], {
    env: { PATH: process.env['PATH'] },
    // Not those of a test runner, which a child process would inherit.
    execArgv: [],
  })
  await heardFrom(worker)
  return {
    async send(errand) {
      const answered = heardFrom(worker)
      worker.send(errand)
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
async function heardFrom(worker: ChildProcess): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('a worker ended before it was done')
  })
  ended.catch(() => {})
  try {
    const [said] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [unknown]
    return said
  } finally {
    done.abort()
  }
}
