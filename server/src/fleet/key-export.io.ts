// `limitExports` bounds how many private keys an edge receives in an hour, across all processes, so that a stolen edge is
// no way to all keys at once: 1,000, or twice as many as there are names, if that is fewer. A new edge has to fetch a key
// for every name: on the day of its enrolment it may receive as many more as there are names.
//
// When an edge has received all that it may, it receives no more until the hour is over, and the operator is alerted. It
// continues to serve what it has: certificates are renewed weeks before they expire.

import type { Context } from '../foundation/context.ts'
import { FreshCache } from '../foundation/load/cache.ts'
import { digestOf } from '../foundation/key-format.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { chargeRates, type Charge } from '../foundation/load/rate-directory.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../foundation/time.ts'
import { processLimits } from '../plans/limit-table.ts'
import { countRoutes, markExportStopped } from './directory.io.ts'
import type { KnownEdge } from './edge-guard.io.ts'

/** Throws a refusal if the edge may not receive another private key now. */
export type CountExport = (edge: KnownEdge) => Promise<void>

const EXPORTS_MAX = processLimits.keysOfEdge.most
/** However few names there are: an edge has the keys of all of them anyway, and a restart without its disk is no theft. */
const EXPORTS_MIN = 100
const COUNTED_FOR_MS = MINUTE

export const exportsAllowed = (names: number): number => Math.min(EXPORTS_MAX, Math.max(EXPORTS_MIN, 2 * names))

/**
 * `perHour` as the operator has set it; undefined: by the number of names. `onStopped` is called once for each hour in
 * which the edge was stopped by this process.
 */
export function limitExports({
  run,
  now,
  monotonic,
  perHour,
  onStopped,
}: Pick<Context, 'now' | 'monotonic'> & {
  run: Db
  perHour: number | undefined
  onStopped: (edge: KnownEdge, most: number) => void
}): CountExport {
  const names = new FreshCache<number>({ holdMs: COUNTED_FOR_MS, countMax: 2, now: monotonic })
  const alertedUntil = new Map<string, number>()

  const alert = async (edge: KnownEdge, most: number, seconds: number) => {
    if ((alertedUntil.get(edge.id) ?? 0) > now()) return
    alertedUntil.set(edge.id, now() + seconds * SECOND)
    onStopped(edge, most)
    await markExportStopped(run, edge.id)
  }
  return async (edge) => {
    const count = (await names.get(String(edge.servesApi), () => countRoutes(run, edge.servesApi))) ?? 0
    const most = perHour ?? exportsAllowed(count)
    const { identity } = edge
    if (identity && now() - identity.enrolledAt < DAY) {
      const first = chargeOf('edge_first_export', edge, count, DAY)
      if ((await chargeRates(run, [first], now())).length === 0) return
    }
    const [reached] = await chargeRates(run, [chargeOf('edge_export', edge, most, HOUR)], now())
    if (!reached) return
    await alert(edge, most, reached.retrySeconds)
    throw new Refusal(
      'rate_limited',
      `This edge has received ${most} private keys within an hour. Retry in ${reached.retrySeconds} s.`,
      { 'Retry-After': String(reached.retrySeconds) },
    )
  }
}

const chargeOf = (kind: string, { id }: KnownEdge, most: number, ms: number): Charge => ({
  kind,
  key: digestOf(`${kind}\n${id}`),
  most,
  seconds: ms / SECOND,
})
