// A project that sends as much as its connections carry does not slow others down, and costs none of them a request.
// Small, it runs in simulated time; large, against the service, with real load from two processes.

import { join } from 'node:path'
import { admissionRules } from '../../../server/src/foundation/admission.ts'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { simulateNeighbour } from '../neighbour-simulation.ts'
import type { LoadErrand, LoadOutcome } from '../open-load.ts'
import { p99 } from '../password-attack.ts'
import { common, startForked } from '../processes.ts'
import { keysOf } from '../shop-keys.ts'

const OTHERS = 9
const PER_SECOND_EACH = 20
const SECONDS = 30
const CONNECTIONS = 256
const bars = { p99Ms: 250, success: 0.999 }

export const safetyLine: SafetyLine = {
  line: 7,
  title: 'A noisy neighbour costs other projects neither requests nor time',
  guards: [{ name: 'shares', instead: 'places for the project that asks first', isQuick: true }],
  async run(run) {
    const found = run.scale === 'small' ? simulated(run) : await againstService(run)
    const success = found.served / (found.served + found.rejected)
    run.report({
      'requests of others': found.served + found.rejected,
      'served, %': Math.round(success * 10_000) / 100,
      'p99, ms': found.p99Ms,
      'served to the neighbour': found.servedToNeighbour,
    })
    must(
      success >= bars.success,
      `${found.rejected} of ${found.served + found.rejected} requests of others were rejected`,
    )
    must(found.p99Ms <= bars.p99Ms, `the p99 of others is ${found.p99Ms} ms`)
    must(found.servedToNeighbour > 0, 'the neighbour was not served at all')
  },
}

type Found = { served: number; rejected: number; p99Ms: number; servedToNeighbour: number }

function simulated({ without }: SafetyRun): Found {
  const rules = { ...admissionRules, hasShares: without !== 'shares' }
  const shape = { seconds: SECONDS, connections: CONNECTIONS, others: OTHERS, everyMs: 1000 / PER_SECOND_EACH }
  const { waitedMs, ...found } = simulateNeighbour(rules, shape)
  return { ...found, p99Ms: p99(waitedMs) }
}

async function againstService({ without, createDatabase }: SafetyRun): Promise<Found> {
  const { appUrl } = await createDatabase()
  const env = {
    ...common,
    TRUSTED_PROXIES: '',
    DATABASE_URL: appUrl,
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_PROJECT: '1000000000',
  }
  const service = await startForked(env, without === 'shares' ? 'no-shares' : 'usual-admission', () => {})
  const program = join(import.meta.dirname, '../open-load.ts')
  const loads = [
    await startWorkerProcess<LoadErrand, LoadOutcome>(program, []),
    await startWorkerProcess<LoadErrand, LoadOutcome>(program, []),
  ] as const
  try {
    const [noisy = '', ...shops] = (await keysOf(env, OTHERS + 1)).map(
      (key) => `GET /v1/pets?limit=50 HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
    const { port } = service
    const [neighbour, others] = await Promise.all([
      loads[0].send({ port, addresses: ['127.0.0.2'], connections: CONNECTIONS, requests: [noisy], seconds: SECONDS }),
      loads[1].send({
        port,
        addresses: ['127.0.0.3', '127.0.0.4', '127.0.0.5'],
        connections: 4 * OTHERS,
        requests: shops,
        seconds: SECONDS,
        perSecond: PER_SECOND_EACH * OTHERS,
      }),
    ])
    const rejected = others.rejected + others.failed
    return { served: others.served, rejected, p99Ms: others.servedP99Ms, servedToNeighbour: neighbour.served }
  } finally {
    for (const load of loads) await load.stop()
    await service.stop()
  }
}
