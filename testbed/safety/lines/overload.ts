// More load than the service can carry does not make it slow or useless: it serves about as much as at its peak, what it
// accepts it serves in time, it rejects the rest at once and a bounded number of times, and monitoring gets its answers.
// Small, a lock in the database holds requests in flight, so nothing depends on the speed of the machine; large, the load
// is real, with service and PostgreSQL on one core and the load on another.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { quantile } from '../../harness/quantile.ts'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import type { LoadErrand, LoadOutcome } from '../open-load.ts'
import { common, startForked, type ForkedService } from '../processes.ts'
import type { Seam } from '../seams.ts'
import { keysOf } from '../shop-keys.ts'

const ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`)
/** How long a connection is held at least after a rejection, unless there is room for its next request. */
const HELD_SECONDS = 0.5
const SERVICE_CORE = '0'
const LOAD_CORE = '1'

const seamWithout: Readonly<Record<string, Seam>> = {
  admission: 'no-admission',
  'back-pressure': 'no-back-pressure',
}

export const safetyLine: SafetyLine = {
  title: 'Overload leaves the service useful, and monitoring answered',
  sizes: { small: '192 connections, held by a lock', large: '512 connections, on one core' },
  guards: [
    { name: 'admission', instead: 'every request accepted', isQuick: false },
    { name: 'back-pressure', instead: 'connections read although their Retry-After has not passed', isQuick: false },
  ],
  run: async (run) => {
    const { appUrl, ownerUrl } = await run.createDatabase()
    const env = {
      ...common,
      TRUSTED_PROXIES: '',
      DATABASE_URL: patient(appUrl),
      RATE_LIMIT_PER_KEY: '1000000000',
      RATE_LIMIT_PER_PROJECT: '1000000000',
    }
    const service = await startForked(env, seamWithout[run.without ?? ''] ?? 'usual-admission', () => {})
    const load = await startWorkerProcess<LoadErrand, LoadOutcome>(join(import.meta.dirname, '../open-load.ts'), [])
    try {
      const keys = await keysOf(env, ADDRESSES.length)
      const requests = keys.map(
        (key) => `GET /v1/pets?limit=50 HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      )
      const about = { port: service.port, addresses: ADDRESSES, requests }
      if (run.tier === 'small')
        await whileLocked(run, { service, ownerUrl, load: (more) => load.send({ ...about, ...more }) })
      else await whileOverloaded(run, { service, appUrl, keys, load: (more) => load.send({ ...about, ...more }) })
    } finally {
      await load.stop()
      await service.stop()
    }
  },
}

/** A lock that a line holds must not be mistaken for an outage. */
function patient(text: string): string {
  const url = new URL(text)
  for (const name of ['statement_timeout', 'lock_timeout', 'query_timeout']) url.searchParams.set(name, '60000')
  return url.href
}

type SendLoad = (more: Pick<LoadErrand, 'connections' | 'seconds' | 'perSecond'>) => Promise<LoadOutcome>

const small = { connections: 192, perSecond: 4000, seconds: 2 }
/** The limit at the start, of which reads get nine tenths; it only shrinks while nothing is answered. */
const IN_FLIGHT_MOST = 128

async function whileLocked(
  { report }: SafetyRun,
  { service, ownerUrl, load }: { service: ForkedService; ownerUrl: string; load: SendLoad },
): Promise<void> {
  const warm = await load({ connections: 8, seconds: 0.3 })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table pets in access exclusive mode')
  const locked = await load(small)
  const live = await answeredFirst(service)
  await client.end()
  const after = await load({ connections: 8, seconds: 1 })
  const most = small.connections * Math.ceil(locked.seconds / HELD_SECONDS + 1)
  report({
    'served before': warm.served,
    'rejected, at most': `${locked.rejected} of ${most}`,
    'answered first while the process hung': live,
    'served afterwards': after.served,
  })
  const least = small.connections - IN_FLIGHT_MOST
  must(locked.rejected >= least, `${locked.rejected} requests were rejected; at least ${least} are too many to serve`)
  must(locked.rejected <= most, `${locked.rejected} requests were rejected on ${small.connections} connections`)
  must(live === 'the admin listener', `${live} answered first`)
  must(
    after.served > 0 && after.failed === 0,
    `afterwards ${after.served} requests were served, ${after.failed} failed`,
  )
}

/** Which of the two answers first while the main thread is blocked. */
async function answeredFirst(service: ForkedService): Promise<string> {
  const answer = async (port: number, who: string) => {
    await fetch(`http://127.0.0.1:${port}/livez`)
    return who
  }
  // Connected and compiled before it matters.
  await answer(service.adminPort, '')
  service.block(1000)
  await pause(100)
  const answers = [answer(service.port, 'the service'), answer(service.adminPort, 'the admin listener')]
  const first = await Promise.race(answers)
  await Promise.all(answers)
  return first
}

const CONNECTIONS = 512
const large = { peakConnections: 32, peakSeconds: 5, coldSeconds: 3, seconds: 10, normalSeconds: 8 }
/** The aim for rejections is 20 ms, which a core that is shared with PostgreSQL misses in one run of two (decision 10). */
const bars = { goodput: 0.75, servedP99Ms: 400, firstRejectedP99Ms: 50, liveMs: 50, normalAfterMs: 5000 }

async function whileOverloaded(
  { report }: SafetyRun,
  { service, appUrl, keys, load }: { service: ForkedService; appUrl: string; keys: string[]; load: SendLoad },
): Promise<void> {
  await fillShops(service.port, keys)
  pin(SERVICE_CORE, service.pid, ...(await processesOfPostgres(appUrl)))
  pin(LOAD_CORE, process.pid)
  const closed = { connections: large.peakConnections, seconds: large.peakSeconds }
  const peakRate = async () => {
    const { served, seconds } = await load(closed)
    return served / seconds
  }
  await load({ ...closed, seconds: 3 })
  let peak = await peakRate()
  // The first rejections of a process are slower, because their code is not compiled yet.
  const cold = await load({ connections: CONNECTIONS, seconds: large.coldSeconds, perSecond: 2 * peak })
  report({
    'load of the machine': loadavg()[0]?.toFixed(1) ?? '',
    'the first rejections of the process, p99': `${cold.firstRejectedP99Ms} ms`,
  })
  for (const factor of [2, 4]) {
    const live = watchLive(service.adminPort)
    const found = await load({ connections: CONNECTIONS, seconds: large.seconds, perSecond: factor * peak })
    const liveMs = await live.slowest()
    // The speed of the machine changes: it is compared with what was reached before and after.
    const peakAfter = await peakRate()
    const goodput = found.served / found.seconds / ((peak + peakAfter) / 2)
    report({
      [`× ${factor}`]:
        `goodput ${Math.round(goodput * 100)} % of ${Math.round(peak)} and ${Math.round(peakAfter)} requests/s, accepted p50 ${found.servedP50Ms} ms p99 ${found.servedP99Ms} ms, ` +
        `${found.rejected} rejected (first: p50 ${found.firstRejectedP50Ms} ms p99 ${found.firstRejectedP99Ms} ms), ` +
        `${found.failed} failed, /livez p99 ${liveMs} ms`,
    })
    must(goodput >= bars.goodput, `at × ${factor} the goodput is ${Math.round(goodput * 100)} % of the peak`)
    must(
      found.servedP99Ms <= bars.servedP99Ms,
      `at × ${factor} the p99 of accepted requests is ${found.servedP99Ms} ms`,
    )
    must(found.rejected > 0, `at × ${factor} nothing was rejected`)
    const most = CONNECTIONS * Math.ceil(found.seconds / HELD_SECONDS + 1)
    must(
      found.rejected <= most,
      `at × ${factor} ${found.rejected} requests were rejected on ${CONNECTIONS} connections`,
    )
    const first = found.firstRejectedP99Ms
    must(first < bars.firstRejectedP99Ms, `at × ${factor} the first rejection of a connection takes ${first} ms (p99)`)
    must(liveMs < bars.liveMs, `at × ${factor} /livez takes ${liveMs} ms`)
    peak = peakAfter
  }
  const normal = { connections: large.peakConnections, seconds: large.normalSeconds, perSecond: peak / 2 }
  const after = await load(normal)
  report({ 'after it, ms until the last rejection': Math.round(after.lastRejectedMs) })
  must(after.lastRejectedMs < bars.normalAfterMs, `${after.lastRejectedMs} ms after it requests are still rejected`)
  must(after.servedP99Ms <= bars.servedP99Ms, `after it the p99 is ${after.servedP99Ms} ms`)
}

/** Animals to list. */
async function fillShops(port: number, keys: readonly string[]): Promise<void> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  await Promise.all(
    keys.map(async (key) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      for (let count = 0; count < 50; count += 1) {
        await fetch(`http://127.0.0.1:${port}/v1/pets`, { method: 'POST', headers, body })
      }
    }),
  )
}

const pin = (core: string, ...pids: readonly number[]) => {
  for (const pid of pids) execFileSync('taskset', ['-a', '-c', '-p', core, String(pid)], { stdio: 'ignore' })
}

/** The postmaster and all its children. */
async function processesOfPostgres(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]?.pid ?? 0)
  await client.end()
  const others = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  return [postmaster, ...others.filter((pid) => parentOf(pid) === postmaster)]
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // It has ended.
    return Number.NaN
  }
}

/** Asks every 50 ms. */
function watchLive(port: number) {
  const times: number[] = []
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      const at = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/livez`)).text()
      times.push(performance.now() - at)
      await pause(50)
    }
  })()
  return {
    async slowest(): Promise<number> {
      over.abort()
      await asking
      return Math.round(quantile(times, 0.99))
    },
  }
}
