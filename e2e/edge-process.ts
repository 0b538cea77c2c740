// An edge as an operator runs it: `petstore edge` in a separate process, behind a real Caddy,
// with a connection to the control plane that a test can cut. It can be killed without
// notice and restarted from its disk, and all its sockets can be listed.

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../devserver/free-port.ts'
import type { Environment } from '../testbed/harness/full-environment.ts'
import { envOf } from '../testbed/harness/service-environment.ts'
import { startCaddy, type Caddy } from '../testbed/internet/caddy.ts'
import { makeDirectory } from '../testbed/internet/processes.ts'
import { addEdge } from '../server/src/fleet/edge-tokens.io.ts'
import { newId } from '../server/src/foundation/ids.io.ts'
import { childEnv } from '../testbed/harness/child-env.ts'

export type EdgeProcess = {
  name: string
  id: string
  address: string
  requestPort: number
  certificatePort: number
  caddy: Caddy
  pid(): number
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Restarts it from its disk. */
  start(): Promise<void>
  close(): Promise<void>
}

const program = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export async function startEdgeProcess(
  { service, world, httpPort, httpsPort }: Environment,
  { name, address, controlUrl }: { name: string; address: string; controlUrl: string },
): Promise<EdgeProcess> {
  const { id, token } = await addEdge({ run: service.database.run, newId, randomBytes }, name)
  const directory = makeDirectory()
  const [requestPort, certificatePort] = [await freePort(), await freePort()]
  const env = {
    ...envOf(world),
    ...childEnv,
    EDGE_CONTROL_URL: controlUrl,
    EDGE_TOKEN: token,
    EDGE_KEY: randomBytes(32).toString('base64'),
    EDGE_DIRECTORY: `${directory}/edge`,
    EDGE_PORT: String(requestPort),
    EDGE_CERTIFICATE_PORT: String(certificatePort),
  }
  let child = await begin(env)
  const kill = async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  }
  const caddy = await startCaddy({ addresses: [address], httpPort, httpsPort, requestPort, certificatePort })
  return {
    name,
    id,
    address,
    requestPort,
    certificatePort,
    caddy,
    pid: () => child.pid ?? 0,
    kill,
    async start() {
      child = await begin(env)
    },
    async close() {
      await caddy.close()
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function begin(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, 'edge'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', (line) => {
    if (line.includes('"msg":"serving sites"')) resolve()
  })
  child.once('exit', () => reject(new Error('the edge ended by itself')))
  await promise
  return child
}
