// Checks hostnames whose nameservers are hostile, in a process of its own, so that its memory
// and its event loop are those of the product and not of the responder. Everything is the real
// path: observe in full, judge, and the text that is shown.
//
// A `control` (negative control) breaks one guarantee on purpose; the report must show it.

import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { nothingKnown, type Evidence, type Wanted } from '../../../server/src/domains/observing/evidence.ts'
import { judge } from '../../../server/src/domains/judging/judge.ts'
import { observe } from '../../../server/src/domains/observing/observe.io.ts'
import { probeAt, type ProbeDeps } from '../../../server/src/domains/observing/probe.io.ts'
import { openDns, type DnsOptions } from '../../../server/src/foundation/dns/client.io.ts'
import type { Dns } from '../../../server/src/foundation/dns/port.ts'
import { recordCache } from '../../../server/src/foundation/dns/record-cache.ts'
import { faultsOf } from './output.ts'
import { watchSockets } from './sockets.ts'

export const controls = ['no-deadline', 'throws', 'trusting', 'unescaped', 'reserved', 'leaks', 'blocks'] as const
export type HostileControl = (typeof controls)[number]

export type HostileJob = { hostname: string; token: string; target: string }
export type WorkerOrders = {
  dns: Omit<DnsOptions, 'randomBytes'>
  probing: Omit<ProbeDeps, 'newNonce'>
  address: string
  control: HostileControl | null
}

/** The outcome of one check. */
export type HostileObservation = HostileJob & {
  ms: number
  ownership: string
  proof: string | null
  cause: string | null
  faults: readonly string[]
  crash: string | null
}
/** `held` is the live heap after garbage collection; `rss` includes memory that was not returned to the system. */
export type Health = { rss: number; held: number; delayMs: number; reserved: readonly string[]; elsewhere: number }
export type HostileOrder = { looks: readonly HostileJob[]; atOnce: number; weighsMemory?: boolean }
export type HostileReply =
  | { kind: 'ready' }
  | { kind: 'seen'; seen: HostileObservation }
  | { kind: 'done'; health: Health }

const { dns: dnsOptions, probing, address, control } = JSON.parse(process.argv[2] ?? '{}') as WorkerOrders
const anywhere = ['0.0.0.0/0', '::/0']
const reach = (networks: readonly string[]) => (control === 'reserved' ? anywhere : networks)
const dialled = watchSockets([
  ...dnsOptions.allowedNetworks,
  ...probing.allowedNetworks,
  ...dnsOptions.resolvers.map((resolver) => `${resolver.address}/32`),
])
const probeDeps: ProbeDeps = {
  ...probing,
  allowedNetworks: reach(probing.allowedNetworks),
  newNonce: () => randomBytes(16).toString('hex'),
}
const memory = { countMax: 1000, now: () => performance.now() }
const zones: Dns['zones'] = recordCache(memory)
const addresses: Dns['addresses'] = recordCache(memory)
const kept: unknown[] = []
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

/** Caches are shared as in the service. Rate limits are not: all hostile servers are at one address here. */
function dnsOfOneCheck(): Dns {
  const allowedNetworks = reach(dnsOptions.allowedNetworks)
  const dns = { ...openDns({ ...dnsOptions, allowedNetworks, randomBytes }), zones, addresses }
  if (control !== 'no-deadline' && control !== 'throws') return dns
  return {
    ...dns,
    async ask(server, name, type, options) {
      const answer = await dns.ask(server, name, type, options)
      const why = answer.outcome.kind === 'silence' ? answer.outcome.why : null
      if (control === 'throws' && why === 'malformed') throw new Error('cannot be read')
      if (control === 'no-deadline' && why === 'timeout') await wait(5000)
      return answer
    },
  }
}

async function checkHostname(job: HostileJob): Promise<HostileObservation> {
  const { hostname, token, target } = job
  const wanted: Wanted = {
    hostname,
    token,
    target,
    platformHost: target.split('.').slice(1).join('.'),
    addresses: [address],
    formerAddresses: [],
    authorities: [{ name: "Let's Encrypt", domain: 'letsencrypt.org', accountUri: null, methods: ['http-01'] }],
  }
  const startedAt = performance.now()
  const unseen = { ...job, ownership: 'unknown', proof: null, cause: null, faults: [] }
  try {
    const probe = (at: string) => probeAt(probeDeps, hostname, at)
    const seen = await observe(dnsOfOneCheck(), probe, wanted, { now: Date.now(), isFull: true })
    const evidence = sabotaged(seen)
    const judgement = judge({ wanted, evidence, known: nothingKnown }, evidence.at)
    const ms = performance.now() - startedAt
    const { ownership, proof, troubles } = judgement
    const faults = faultsOf(hostname, evidence, judgement)
    return { ...job, ms, ownership, proof, cause: troubles[0]?.code ?? null, faults, crash: null }
  } catch (error) {
    return {
      ...unseen,
      ms: performance.now() - startedAt,
      crash: error instanceof Error ? (error.stack ?? '') : String(error),
    }
  }
}

function sabotaged(evidence: Evidence): Evidence {
  if (control === 'leaks') kept.push(Buffer.alloc(300_000, JSON.stringify(evidence)))
  if (control === 'blocks') for (const until = performance.now() + 80; performance.now() < until;);
  if (control === 'trusting') {
    const looks = evidence.looks.map((look) =>
      look.outcome.kind === 'answer'
        ? { ...look, outcome: { ...look.outcome, isAuthoritative: true, rcode: 'NOERROR' } }
        : look,
    )
    return { ...evidence, looks: looks.filter(({ to }) => to !== 'checked') }
  }
  if (control !== 'unescaped') return evidence
  const raw = JSON.stringify(evidence).replace(/\\\\(\d{3})/g, (_, digits: string) =>
    JSON.stringify(String.fromCharCode(Number(digits))).slice(1, -1),
  )
  return JSON.parse(raw) as Evidence
}

async function carryOut({ looks, atOnce, weighsMemory = false }: HostileOrder): Promise<void> {
  delays.reset()
  const waiting = looks.values()
  const work = async () => {
    for (const job of waiting) send({ kind: 'seen', seen: await checkHostname(job) })
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // The last delay is known only once its timer has fired.
  await wait(5)
  const delayMs = Math.max(0, delays.max / 1e6 - 1)
  const { reserved, elsewhere } = dialled
  const memoryUsed = weighsMemory ? await weigh() : { rss: 0, held: 0 }
  send({ kind: 'done', health: { ...memoryUsed, delayMs, reserved: [...reserved], elsewhere } })
}

async function weigh(): Promise<{ rss: number; held: number }> {
  // Sockets that are closing are still referenced for a moment.
  await wait(300)
  globalThis.gc?.()
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, held: heapUsed + external }
}

function send(reply: HostileReply): void {
  if (process.connected) process.send?.(reply)
}

// An uncaught error counts as a crash of its own, and must not end the run.
const crashed = (error: unknown) =>
  send({
    kind: 'seen',
    seen: {
      hostname: '',
      token: '',
      target: '',
      ms: 0,
      ownership: 'unknown',
      proof: null,
      cause: null,
      faults: [],
      crash: String(error),
    },
  })
process.on('uncaughtException', crashed)
process.on('unhandledRejection', crashed)
process.on('message', (order: HostileOrder) => void carryOut(order))
process.on('disconnect', () => process.exit())
send({ kind: 'ready' })
