// Visitors to one domain, in a process of their own, who send requests without pause: at every
// edge on an HTTP/2 connection that stays open, on an HTTP/1.1 connection that is kept, on new
// connections, and on new connections that try to resume an earlier TLS session. In the meantime
// the owner removes the domain, from this same process: so a request that is begun after the
// response was begun with knowledge of it.

import { Agent } from 'node:https'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { openVisit, visit, type OpenVisit, type VisitorTarget } from '../../harness/visitor.ts'
import { connectionKinds, type ConnectionKind } from './connection-kinds.ts'

export type RemovalJob = {
  hostname: string
  edges: readonly { name: string; address: string }[]
  port: number
  ca: string
  /** Of the domain to be deleted, with the headers of its owner. */
  url: string
  headers: Record<string, string>
  /** How long visitors continue after the response. */
  watchMs: number
}

export type RemovalObservation = {
  edge: string
  way: ConnectionKind
  asked: number
  /** Requests that began after the owner had the response. */
  askedLate: number
  /** The time of the last 2xx, in milliseconds after the removal was sent. */
  lastOkMs: number
  /** How many 2xx went to requests that began after the owner had the response. */
  okLate: number
  /** How many connections resumed an earlier TLS session. */
  resumed: number
}
export type RemovalOutcome = {
  hostname: string
  status: number
  /** From sending the removal to its response. */
  answerMs: number
  /** Edges that had confirmed it by then, of how many. */
  confirmed: number
  edges: number
  seen: RemovalObservation[]
  trouble: string
}

/** Open connections are used often; opening one is more expensive for both sides. */
const PAUSE_MS: Record<ConnectionKind, number> = { http2: 5, http1: 5, new: 15, resumed: 15 }
const WARM_ASKS = 3
const WARM_MS = 10_000

process.on('message', (job: RemovalJob) => void carryOut(job).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

type Clock = { sentAt: number; answeredAt: number; isOver: boolean }

async function carryOut(job: RemovalJob): Promise<RemovalOutcome> {
  const { hostname, edges, port, ca, watchMs } = job
  const clock: Clock = { sentAt: Infinity, answeredAt: Infinity, isOver: false }
  const visitors = edges.flatMap(({ name, address }) =>
    connectionKinds.map((way) => sendRequests({ address, port, ca }, hostname, { edge: name, way, clock })),
  )
  const failed = { hostname, status: 0, answerMs: 0, confirmed: 0, edges: 0, seen: [] }
  try {
    const isWarm = await Promise.race([Promise.all(visitors.map(({ warm }) => warm)), delay(WARM_MS, null)])
    if (isWarm === null) return { ...failed, trouble: 'not all visitors were served before the removal' }
    clock.sentAt = performance.now()
    const { status, edges: confirmations } = await remove(job)
    clock.answeredAt = performance.now()
    await delay(watchMs)
    return {
      hostname,
      status,
      answerMs: clock.answeredAt - clock.sentAt,
      confirmed: confirmations.filter(({ confirmedAt }) => confirmedAt !== null).length,
      edges: confirmations.length,
      seen: visitors.map(({ seen }) => seen),
      trouble: status === 200 ? '' : `the removal was answered with ${status}`,
    }
  } catch (error) {
    return { ...failed, trouble: String(error) }
  } finally {
    clock.isOver = true
    await Promise.all(visitors.map(({ done }) => done))
  }
}

type RequestLoop = { edge: string; way: ConnectionKind; clock: Clock }

/** `warm` once it was served a few times in a row, before the removal. */
function sendRequests(target: VisitorTarget, hostname: string, { edge, way, clock }: RequestLoop) {
  const seen: RemovalObservation = { edge, way, asked: 0, askedLate: 0, lastOkMs: -Infinity, okLate: 0, resumed: 0 }
  const warm = Promise.withResolvers<true>()
  const asker = askerOf(way, target, hostname)
  const loop = async () => {
    let inARow = 0
    while (!clock.isOver) {
      const pause = delay(PAUSE_MS[way])
      const isLate = performance.now() > clock.answeredAt
      const { status, isResumed } = await asker.ask()
      const isOk = status >= 200 && status < 300
      seen.asked += 1
      if (isLate) seen.askedLate += 1
      if (isResumed) seen.resumed += 1
      if (isOk) seen.lastOkMs = performance.now() - clock.sentAt
      if (isOk && isLate) seen.okLate += 1
      inARow = isOk ? inARow + 1 : 0
      if (inARow >= WARM_ASKS) warm.resolve(true)
      await pause
    }
    asker.close()
  }
  return { seen, warm: warm.promise, done: loop() }
}

type VisitorLoop = { ask(): Promise<{ status: number; isResumed: boolean }>; close(): void }

function askerOf(way: ConnectionKind, target: VisitorTarget, hostname: string): VisitorLoop {
  if (way === 'http2') return openHttp2(target, hostname)
  const agents = agentsFor[way]()
  return {
    ask() {
      const [agent] = agents.splice(0, 1)
      if (!agent) throw new Error('a visitor asks one question at a time')
      agents.push(agent)
      return visit(target, hostname, { agent })
    },
    close: () => agents.forEach((agent) => agent.destroy()),
  }
}

const agentsFor: Record<Exclude<ConnectionKind, 'http2'>, () => Agent[]> = {
  http1: () => [new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 })],
  new: () => [new Agent({ maxCachedSessions: 0 })],
  // Sessions are kept and offered again by default; each version of TLS has its own mechanism.
  resumed: () => [new Agent({ maxVersion: 'TLSv1.2' }), new Agent({ minVersion: 'TLSv1.3' })],
}

/** Opens another connection when the current one is closed, as a browser does. */
function openHttp2(target: VisitorTarget, hostname: string): VisitorLoop {
  let open: OpenVisit | undefined
  return {
    async ask() {
      open ??= await openVisit(target, hostname).catch(() => undefined)
      const status = (await open?.ask()) ?? 0
      if (status === 0) {
        open?.close()
        open = undefined
      }
      return { status, isResumed: false }
    },
    close: () => open?.close(),
  }
}

type Removed = { status: number; edges: { confirmedAt: string | null }[] }

function remove({ url, headers }: RemovalJob): Promise<Removed> {
  const { promise, resolve, reject } = Promise.withResolvers<Removed>()
  const removing = request(url, { method: 'DELETE', headers, agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => (text += part))
    response.on('end', () => {
      const { edges = [] } = JSON.parse(text) as Partial<Removed>
      resolve({ status: response.statusCode ?? 0, edges })
    })
    response.on('error', reject)
  })
  removing.on('error', reject)
  removing.end()
  return promise
}
