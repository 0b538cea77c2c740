// Visitors of an installation, at a steady rate, each with a new connection and handshake.

import { until } from '../internet/processes.ts'
import { visit } from '../harness/visitor.ts'
import type { Installed } from './machine.ts'

export type Visits = { requests: number; perSecond: number; failed: number; slowestMs: number; why: string[] }

/** New connections at this rate until `work` has ended: the site, the dashboard and the API in turn. */
export async function underVisits(
  { target, app, site }: Installed,
  perSecond: number,
  work: () => Promise<void>,
): Promise<Visits> {
  const ways = [
    [site, '/'],
    [app, '/'],
    [app, '/v1/pets'],
  ] as const
  const visits: Visits = { requests: 0, perSecond: 0, failed: 0, slowestMs: 0, why: [] }
  const open = new Set<Promise<void>>()
  const one = async () => {
    const [hostname, path] = ways[visits.requests++ % ways.length]!
    const begun = performance.now()
    const { status, why } = await visit(target, hostname, { path, timeoutMs: 20_000 })
    visits.slowestMs = Math.max(visits.slowestMs, Math.round(performance.now() - begun))
    if (status !== 0 && status < 500) return
    visits.failed += 1
    if (visits.why.length < 10) visits.why.push(`${hostname}${path}: ${why || status}`)
  }
  const begun = performance.now()
  // A timer that comes late makes up for it.
  const timer = setInterval(() => {
    while (visits.requests < ((performance.now() - begun) / 1000) * perSecond) {
      const visiting: Promise<void> = one().finally(() => open.delete(visiting))
      open.add(visiting)
    }
  }, 1000 / perSecond)
  try {
    await work()
  } finally {
    clearInterval(timer)
    visits.perSecond = Math.round((1000 * visits.requests) / (performance.now() - begun))
    await Promise.all(open)
  }
  return visits
}

/** As an operator would find out. */
const isReady = async ({ machine }: Installed) => (await machine.attempt('petstore health')).code === 0
export const untilReady = (installed: Installed, withinMs = 60_000) =>
  until('That the service is ready', () => isReady(installed), withinMs)
