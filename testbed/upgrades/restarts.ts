// Rolling restarts: two processes behind Caddy are replaced in turn, under load. No request may fail.

import { freePort } from '../../devserver/free-port.ts'
import { startCaddyWith } from '../internet/caddy.ts'
import { spawnProgram, type Program } from '../harness/program.ts'
import { failuresOf, startLoad, type LoadTally } from './steady-load.ts'
import { createStore, settingsOf, type DrillDatabase } from './store.ts'

export type RestartOptions = {
  restarts: number
  perSecond: number
  /** At least so many, if the restarts take less time. */
  requests?: number
  /** Off (negative control): processes are killed, and restarts end with the first request that failed. */
  isDraining: boolean
}

export type RestartFigures = LoadTally & { restarts: number; seconds: number }

export async function restartInTurn(database: DrillDatabase, options: RestartOptions): Promise<RestartFigures> {
  const { restarts, perSecond, requests = 0, isDraining } = options
  const key = await createStore(database)
  const ports = [await freePort(), await freePort()]
  const caddyPorts = { httpPort: await freePort(), httpsPort: await freePort() }
  const start = async (port: number) => {
    const settings = { ...settingsOf(database), SHUTDOWN_DELAY_SECONDS, PORT: String(port) }
    const program = spawnProgram(['serve'], settings)
    await program.port
    return program
  }
  const running: Program[] = await Promise.all(ports.map(start))
  const caddy = await startCaddyWith({ addresses: ['127.0.0.1'], ...caddyPorts }, () =>
    JSON.stringify(caddyInFrontOf(ports, caddyPorts)),
  )
  const load = startLoad(perSecond, key, () => [`http://127.0.0.1:${caddyPorts.httpPort}`])
  const startedAt = performance.now()
  let done = 0
  const isEnough = () => done >= restarts || (!isDraining && failuresOf(load.tally) > 0)
  try {
    for (; !isEnough(); done += 1) {
      const index = done % ports.length
      // Both serve before one of them is stopped.
      await load.answered(load.tally.sent + perSecond / 2)
      running[index]?.end(isDraining ? 'SIGTERM' : 'SIGKILL')
      const ended = await running[index]?.ended
      if (isDraining && ended?.code !== 0) throw new Error(`A process ended with ${ended?.code}: ${ended?.errors}`)
      running[index] = await start(ports[index] ?? 0)
    }
    await load.answered(Math.max(load.tally.sent + perSecond / 2, isDraining ? requests : 0))
    const tally = await load.stop()
    return { ...tally, restarts: done, seconds: Math.round((performance.now() - startedAt) / 1000) }
  } finally {
    await load.stop()
    await Promise.all(running.map((program) => program[Symbol.asyncDispose]()))
    await caddy.close()
  }
}

/** Longer than it takes Caddy to notice. */
const SHUTDOWN_DELAY_SECONDS = '2'

/**
 * As in front of the dashboard and the API. A process that is not ready gets no requests, and if there is no other they
 * wait. Without health checks Debian's Caddy (2.6) fails a request with a body whose connection was refused: it tries
 * again with a body that it has closed.
 */
const caddyInFrontOf = (ports: readonly number[], caddyPorts: { httpPort: number; httpsPort: number }) => ({
  admin: { disabled: true },
  apps: {
    http: {
      servers: {
        front: {
          listen: [`127.0.0.1:${caddyPorts.httpPort}`, `127.0.0.1:${caddyPorts.httpsPort}`],
          automatic_https: { disable: true },
          routes: [
            {
              handle: [
                {
                  handler: 'reverse_proxy',
                  upstreams: ports.map((port) => ({ dial: `127.0.0.1:${port}` })),
                  load_balancing: { try_duration: '10s' },
                  health_checks: { active: { uri: '/readyz', interval: '250ms', timeout: '5s' } },
                },
              ],
            },
          ],
        },
      },
    },
  },
})
