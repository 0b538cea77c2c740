// The service as `npm run dev --ephemeral` starts it, in a separate process.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../devserver/free-port.ts'
import { childEnv } from '../testbed/harness/child-env.ts'

export type DevService = {
  origin: string
  api: string
  apiKey: string
  /** Where the demo store is published. */
  site: string
  platform: string
  owner: { email: string; password: string }
  /** The page with the mails that were sent; with `.json` behind it, for programs. */
  inbox: string
  stop(): Promise<void>
}

export async function startDevService(env: Record<string, string> = {}): Promise<DevService> {
  const command = join(import.meta.dirname, '../devserver/main.ts')
  const port = String(await freePort())
  const child = spawn(process.execPath, [command, '--json', '--ephemeral', '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...childEnv, ...env },
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown]
  if (typeof line !== 'string') throw new Error('npm run dev ended before it was ready')
  const { api, apiKey, inbox, site, platform, owner } = JSON.parse(line) as Omit<DevService, 'origin' | 'stop'>
  return {
    origin: new URL(api).origin,
    api,
    apiKey,
    site,
    platform,
    owner,
    inbox,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
