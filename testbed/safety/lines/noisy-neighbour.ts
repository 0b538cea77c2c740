// A project that sends as much as its connections carry does not slow others down, and costs none of them a request.
// Small, it runs in simulated time; large, against the service, where the neighbour does everything that a project can do
// without pause: lists, pages of its site, imports, streams, Re-verify and reservations.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { admissionRules } from '../../../server/src/foundation/load/admission.ts'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { simulateNeighbour } from '../neighbour-simulation.ts'
import type { NoiseErrand, NoiseOutcome } from '../neighbour-noise.ts'
import { openNeighbourhood, type Neighbour } from '../neighbourhood.ts'
import type { LoadErrand, LoadOutcome } from '../open-load.ts'
import { p99 } from '../password-attack.ts'
import { common, startForked } from '../processes.ts'
import type { QuietErrand, QuietKind, QuietOutcome } from '../quiet-load.ts'

const OTHERS = 9
const PER_SECOND_EACH = 20
const SECONDS = 30
const CONNECTIONS = 256
const bars = { p99Ms: 250, success: 0.999 }

export const safetyLine: SafetyLine = {
  title: 'A noisy neighbour costs other projects neither requests nor time',
  sizes: { small: 'in simulated time', large: '20 neighbours, against the service' },
  guards: [{ name: 'shares', instead: 'places for the project that asks first', isQuick: true }],
  async run(run) {
    const found = run.tier === 'small' ? simulated(run) : await againstService(run)
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

const OTHERS_LARGE = 20
/** The others are there before the neighbour comes: a process accepts few new connections at a time. */
const LEAD_SECONDS = 3

/** In one process, as `petstore start` runs it: pages, background work and the API share it and its connections. */
async function againstService({ without, createDatabase, report }: SafetyRun): Promise<Found> {
  const { appUrl } = await createDatabase()
  const env = {
    ...common,
    DATABASE_POOL_MAX: '10',
    TRUSTED_PROXIES: '',
    DATABASE_URL: appUrl,
    PLATFORM_HOST: 'petstore.test:3080',
    EDGE_PORT: '0',
    // Otherwise the quota would reject the lists, and not the share.
    RATE_LIMIT_PER_KEY: '1000000000',
    RATE_LIMIT_PER_PROJECT: '1000000000',
  }
  const service = await startForked(env, without === 'shares' ? 'no-shares' : 'usual-admission', () => {}, 'start')
  const stops = [() => service.stop()]
  const worker = async <Errand extends object, Outcome>(program: string) => {
    const started = await startWorkerProcess<Errand, Outcome>(join(import.meta.dirname, '..', program), [])
    stops.push(() => started.stop())
    return started
  }
  try {
    const { port, sitePort } = service
    const origin = `http://127.0.0.1:${port}`
    const { noisy, others } = await openNeighbourhood(env, { origin, quiet: OTHERS_LARGE })
    const lists = await worker<LoadErrand, LoadOutcome>('open-load.ts')
    const pages = await worker<LoadErrand, LoadOutcome>('open-load.ts')
    const noise = await worker<NoiseErrand, NoiseOutcome>('neighbour-noise.ts')
    const quiet = await worker<QuietErrand, QuietOutcome[]>('quiet-load.ts')
    const list = `GET /v1/pets?limit=50 HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${noisy.key}\r\n\r\n`
    const page = `GET / HTTP/1.1\r\nHost: ${noisy.host}\r\n\r\n`
    const kinds = ordinaryUse(origin, `http://127.0.0.1:${sitePort}`, others)
    const use = quiet.send({ leadSeconds: LEAD_SECONDS, seconds: SECONDS, kinds })
    await pause(LEAD_SECONDS * 1000)
    const [listed, shown, rest, found] = await Promise.all([
      lists.send({
        port,
        addresses: ['127.0.0.2'],
        connections: CONNECTIONS,
        requests: [list],
        seconds: SECONDS,
      }),
      pages.send({ port: sitePort, addresses: ['127.0.0.3'], connections: 64, requests: [page], seconds: SECONDS }),
      noise.send({ port, sitePort, seconds: SECONDS, noisy }),
      use,
    ])
    report({
      'lists of the neighbour': `${listed.served} served, ${listed.rejected} rejected by its share`,
      'pages of the neighbour': `${shown.served} served`,
      ...Object.fromEntries(Object.entries(rest).map(([kind, counts]) => [`${kind} of the neighbour`, textOf(counts)])),
    })
    for (const { name, sent, served, p50Ms, p99Ms, failures } of found) {
      const failed = Object.entries(failures).map(([status, count]) => `, ${count} × ${status}`)
      report({ [`others, ${name}`]: `${served} of ${sent}, p50 ${p50Ms} ms, p99 ${p99Ms} ms${failed.join('')}` })
    }
    const served = found.reduce((sum, one) => sum + one.served, 0)
    const sent = found.reduce((sum, one) => sum + one.sent, 0)
    const p99Ms = Math.max(...found.map((one) => one.p99Ms))
    return { served, rejected: sent - served, p99Ms, servedToNeighbour: listed.served + shown.served }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

const textOf = ({ accepted, refused }: NoiseOutcome[string]): string =>
  [`${accepted} accepted`, ...Object.entries(refused).map(([why, count]) => `${count} refused (${why})`)].join(', ')

/** What shops do: programs read and add animals, visitors look at the site, owners have the dashboard open. */
function ordinaryUse(origin: string, siteOrigin: string, others: readonly Neighbour[]): QuietKind[] {
  const json = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const withKey = others.map(({ key }) => ({ Authorization: `Bearer ${key}` }))
  return [
    {
      name: 'lists',
      perSecond: 40,
      origin,
      requests: withKey.map((headers) => ({ path: '/v1/pets?limit=50', headers })),
    },
    {
      name: 'new animals',
      perSecond: 20,
      origin,
      requests: withKey.map((headers) => ({
        method: 'POST',
        path: '/v1/pets',
        headers: { ...headers, ...json },
        body,
      })),
    },
    {
      name: 'pages of sites',
      perSecond: 40,
      origin: siteOrigin,
      requests: others.map(({ host }) => ({ path: '/', headers: { Host: host } })),
    },
    {
      name: 'dashboard',
      perSecond: 20,
      origin,
      requests: others.map(({ slug, cookie }) => ({
        path: `/platform/v1/projects/${slug}`,
        headers: { Cookie: cookie },
      })),
    },
  ]
}
