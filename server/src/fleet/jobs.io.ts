// Waiting for edges, and what is done for them now and then.

import type { TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { HOUR, SECOND } from '../foundation/time.ts'
import { confirmationsOf, isSettled, type Confirmation } from './confirmations.ts'
import { forgetGone, listEdges } from './directory.io.ts'
import { CONNECTED_MS } from './protocol.ts'

/** How often the database is asked, only while somebody waits. */
const ASK_MS = 15

export type Patience = {
  patienceMs: number
  connectedMs?: number
}

/** Comes back as soon as all connected edges have the change, at the latest when patience ends; says how it stands then. */
export async function awaitConfirmed(
  run: Db,
  seq: number,
  { patienceMs, connectedMs = CONNECTED_MS }: Patience,
): Promise<Confirmation[]> {
  const until = performance.now() + patienceMs
  for (;;) {
    const confirmations = confirmationsOf(await listEdges(run, connectedMs / SECOND), seq)
    const leftMs = until - performance.now()
    if (isSettled(confirmations) || leftMs <= 0) return confirmations
    await new Promise((resolve) => setTimeout(resolve, Math.min(ASK_MS, leftMs)))
  }
}

const FORGET_DAYS = 30
const FORGET_BATCH = 500
const CLAIM_SECONDS = 30

/** Names that are gone for long are forgotten. */
export const fleetSweepWork = ({ database: { run } }: { database: { run: Db } }): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  work: async () => ((await forgetGone(run, FORGET_DAYS, FORGET_BATCH)) >= FORGET_BATCH ? 1 : HOUR / SECOND),
})
