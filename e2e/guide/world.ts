// Starts `npm run world` in a separate process, as a person does in another terminal.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

type Ready = {
  ports: { web: number; webTls: number }
  settings: string
  /** The file with the shell functions. */
  shell: string
}
export type StoreReady = Ready & { store: { rootPem: string; dashboard: string; slug: string } }
export type RunningWorld<Of extends Ready> = { ready: Of; stop(): Promise<unknown> }

/** `npm run world -- owner` and `npm run world -- zone` find the test internet by TMPDIR. */
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
  // Later it exits as intended.
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
