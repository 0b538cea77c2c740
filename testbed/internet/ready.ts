// Waits until the servers of a test internet answer for their zones. One query at a time to each
// server: querying every zone at once, again and again while a server starts, is more expensive
// than the start itself.

import type { Knot } from './knot.ts'
import type { Ports } from './ports.ts'
import { until, type Daemon } from './processes.ts'
import { question, type ScriptedAnswer } from './dns-query.ts'
import { addressOf } from './roles.ts'
import type { Unbound } from './unbound.ts'
import type { ZonePlan } from './zones.ts'

type Wait = {
  daemon: Daemon
  address: string
  port: number
  zone: string
  rd?: boolean
  isReady: (soaAnswer: ScriptedAnswer) => boolean
}

export async function answerable(
  plan: ZonePlan,
  ports: Ports,
  knots: readonly Knot[],
  unbounds: readonly Unbound[],
): Promise<void> {
  await Promise.all(knots.map((knot) => knotAnswers(knot, plan, ports.authoritative)))
  // Only now, because a resolver caches for a while that a server did not answer.
  const isReady = ({ code }: ScriptedAnswer): boolean => code === 0
  await Promise.all(
    unbounds.map(({ daemon, address }) =>
      wait({ daemon, address, port: ports.resolver, zone: 'test', rd: true, isReady }),
    ),
  )
}

async function knotAnswers({ daemon, role }: Knot, plan: ZonePlan, port: number): Promise<void> {
  const server = { daemon, address: addressOf[role], port }
  if (role === 'lame') return wait({ ...server, zone: 'test', isReady: ({ code }) => code === 5 })
  const isReady = ({ code, flag_aa, answers }: ScriptedAnswer): boolean =>
    code === 0 && flag_aa && (answers ?? []).length > 0
  for (const held of plan.held) {
    if (held.role === role) await wait({ ...server, zone: held.zone, isReady })
  }
}

async function wait({ daemon, address, port, zone, rd = false, isReady }: Wait): Promise<void> {
  await until(`An answer of ${address} for ${zone === '' ? 'the root' : zone}`, async () => {
    if (daemon.isGone()) throw new Error(`A server of the world ended by itself: ${daemon.said()}`)
    // A zone with a mistake in it is never loaded, so there is nothing to wait for.
    if (daemon.said().includes(`[${zone}.] zone event 'load' failed`)) {
      throw new Error(`A server of the world does not take a zone: ${daemon.said()}`)
    }
    const soaAnswer = await question({ address, port, name: zone, type: 'SOA', rd, waitMs: 200 })
    return soaAnswer !== null && isReady(soaAnswer)
  })
}
