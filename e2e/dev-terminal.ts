// `npm run dev` as a newcomer starts it in a terminal: with the demo store and human-readable
// output. Its data is in a folder of the test, its ports are free ones, and its resolvers are
// on loopback, where no server answers: nothing reaches the internet.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnv } from '../testbed/harness/child-env.ts'
import { freePort } from '../devserver/free-port.ts'

export type DevTerminal = {
  /** Output until it was ready, without npm's own lines. */
  printed: string
  /** The value of the line with this label. */
  line(name: string): string
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..')

export async function startDevTerminal(): Promise<DevTerminal> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-terminal-'))
  await chmod(folder, 0o755) // PostgreSQL may have to run as another user
  const ports = ['--port', String(await freePort()), '--site-port', String(await freePort())]
  const child = spawn('npm', ['run', '--silent', 'dev', '--', ...ports], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // its own process group, as in a terminal
    env: {
      ...childEnv,
      PATH: `${dirname(process.execPath)}:${childEnv.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      PETSTORE_DEV_DIRECTORY: join(folder, '.petstore'),
      DNS_RESOLVERS: 'One=127.0.0.1:9,Two=127.0.0.2:9',
      DNS_TEST_NETWORKS: '127.0.0.0/8',
    },
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  let printed = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    printed += String(part)
    if (/^ +-d .*\/pets$/m.test(printed)) break
  }
  const line = (name: string): string => {
    const found = new RegExp(`^ {2}${name} +(.+)$`, 'm').exec(printed)?.[1]
    if (found === undefined) throw new Error(`npm run dev printed no line ${name}: ${printed}`)
    return found
  }
  return { printed, line, stop }
}
