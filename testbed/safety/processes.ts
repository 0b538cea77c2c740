// Several processes of the service on one database. In the small tier they are services of one process, which share
// nothing but the database either; in the large tier each is a process of its own.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../../server/src/program/config.ts'
import { startService, type Service } from '../../server/src/program/serve.ts'
import { childEnv } from '../harness/child-env.ts'
import type { Tier } from './line.ts'
import { seams, type Seam } from './seams.ts'

export type ServiceProcesses = {
  origins: string[]
  /** Lines of the log, of all processes. */
  lines: string[]
  stop: () => Promise<void>
}

export type ProcessesWanted = {
  count: number
  tier: Tier
  env: Record<string, string>
  /** Undefined: nothing is replaced. */
  seam: Seam | undefined
}

export const DASHBOARD_ORIGIN = 'https://api.petstore.example'

/** Clients choose their address by X-Forwarded-For, and no resolver is queried. */
export const common = {
  HOST: '127.0.0.1',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.1',
  DASHBOARD_ORIGIN,
  DNS_RESOLVERS: 'none=127.0.0.1:1',
  DATABASE_POOL_MAX: '5',
}

export async function startProcesses({ count, tier, env, seam }: ProcessesWanted): Promise<ServiceProcesses> {
  const lines: string[] = []
  const start = tier === 'small' ? startHere : startForked
  const started = await Promise.all(
    Array.from({ length: count }, () => start({ ...common, ...env }, seam, (line) => void lines.push(line))),
  )
  return {
    origins: started.map(({ port }) => `http://127.0.0.1:${port}`),
    lines,
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  }
}

type Started = { port: number; stop: () => Promise<void> }

/** The service as it runs in every process of this suite. */
export function startHere(
  env: Record<string, string>,
  seam: Seam | undefined,
  write: (line: string) => void,
): Promise<Service> {
  const config = parseConfig(env)
  const replaced = seam === undefined ? {} : seams[seam](config.limits)
  // Only lines about overload may find one, however slow the machine is.
  const admission = { least: 1024 }
  return startService(config, { logger: { level: 'warn', stream: { write } }, admission, ...replaced })
}

/** As `petstore serve`, or as `petstore start`, which also serves the sites and does the background work. */
export type ForkedRole = 'serve' | 'start'
type Ports = { port: number; adminPort: number; sitePort: number; controlPort: number }

/** A process of its own, with an admin listener; `sitePort` is 0 where it serves no sites, and `controlPort` where it serves no edges. */
export type ForkedService = Started & Ports & { pid: number; block(ms: number): void }

export async function startForked(
  env: Record<string, string>,
  seam: Seam | undefined,
  write: (line: string) => void,
  role: ForkedRole = 'serve',
): Promise<ForkedService> {
  const program = fileURLToPath(new URL('./service-process.ts', import.meta.url))
  const child = fork(program, [JSON.stringify({ env, seam, role })], { env: childEnv, execArgv: [] })
  const { promise, resolve, reject } = Promise.withResolvers<Ports>()
  child.on('message', (message: Ports | { line: string }) => {
    if ('port' in message) resolve(message)
    else write(message.line)
  })
  const ended = once(child, 'exit')
  ended.then(() => reject(new Error('a process of the service ended'))).catch(() => {})
  const ports = await promise
  const stop = async () => {
    child.disconnect()
    await ended
  }
  return { ...ports, pid: child.pid ?? 0, block: (blockMs) => void child.send({ blockMs }), stop }
}
