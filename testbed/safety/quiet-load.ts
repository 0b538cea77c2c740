// Ordinary use of several projects, from a process of its own, in an open loop: each request is sent when it is due, however
// many others wait for their response, and its time counts from then.

import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { exchange, type RawRequest } from '../harness/http.ts'
import { quantile } from '../harness/quantile.ts'

export type QuietKind = {
  name: string
  perSecond: number
  origin: string
  /** One project after another sends the next of them. */
  requests: readonly (RawRequest & { body?: string })[]
}

export type QuietErrand = { seconds: number; kinds: readonly QuietKind[] }

export type QuietOutcome = {
  name: string
  sent: number
  served: number
  p50Ms: number
  p99Ms: number
  /** The responses that were no success, by status; 0 is a connection that was cut. */
  failures: Readonly<Record<string, number>>
}

const TICK_MS = 5

/** Each project has clients of its own, at an address of its own. */
const agents = new Map<number, Agent>()
function agentOf(project: number): Agent {
  const known = agents.get(project)
  if (known) return known
  const options = { keepAlive: true, localAddress: `127.0.1.${project + 1}` }
  const agent = new Agent(options)
  agents.set(project, agent)
  return agent
}

async function runKind({ name, perSecond, origin, requests }: QuietKind, seconds: number): Promise<QuietOutcome> {
  const times: number[] = []
  const failures: Record<string, number> = {}
  const startedAt = performance.now()
  const send = async (number: number, dueAt: number) => {
    const project = number % requests.length
    const request = requests[project] ?? { path: '/' }
    const status = await exchange(origin, request, agentOf(project)).then(
      (received) => received.status,
      () => 0,
    )
    if (status >= 200 && status < 400) times.push(performance.now() - dueAt)
    else failures[status] = (failures[status] ?? 0) + 1
  }
  const sent: Promise<void>[] = []
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    while (sent.length < (elapsed * perSecond) / 1000) {
      sent.push(send(sent.length, startedAt + (sent.length / perSecond) * 1000))
    }
    await pause(TICK_MS)
  }
  await Promise.all(sent)
  const at = (share: number) => Math.round(quantile(times, share))
  return { name, sent: sent.length, served: times.length, p50Ms: at(0.5), p99Ms: at(0.99), failures }
}

process.on('message', (errand: QuietErrand) => {
  void Promise.all(errand.kinds.map((kind) => runKind(kind, errand.seconds))).then((outcomes) =>
    process.send?.(outcomes),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
