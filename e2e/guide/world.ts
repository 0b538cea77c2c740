// `npm run world` as a person has it in a terminal of their own, as a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

type Ready = {
  ports: { web: number; webTls: number }
  settings: string
  /** The file with the words for a shell. */
  shell: string
}
export type StoreReady = Ready & { store: { rootPem: string; dashboard: string; slug: string } }
export type RunningWorld<Of extends Ready> = { ready: Of; stop(): Promise<unknown> }

/** Where the world is found by `npm run world -- owner` and `npm run world -- zone` is said by TMPDIR. */
export async function startRunningWorld(env: NodeJS.ProcessEnv): Promise<RunningWorld<StoreReady>>
export async function startRunningWorld(env: NodeJS.ProcessEnv, flag: '--dns'): Promise<RunningWorld<Ready>>
export async function startRunningWorld(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<RunningWorld<Ready>> {
  const world = spawn(process.execPath, ['testbed/internet/main.ts', '--json', ...flags], {
    env,
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(world, 'exit')
  const gone = exited.then(() => Promise.reject(new Error('the world did not start')))
  // Later it is meant to end.
  gone.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(world.stdout), 'line'), gone])) as [string]
  return {
    ready: JSON.parse(line) as Ready,
    stop() {
      world.kill('SIGTERM')
      return exited
    },
  }
}
