// Waiting for the edges' confirmations.

import type { Db } from '../foundation/postgres/postgres.io.ts'
import { SECOND } from '../foundation/time.ts'
import { confirmationsOf, isSettled, type Confirmation } from './confirmations.ts'
import { listEdges } from './directory.io.ts'
import { CONNECTED_MS } from './protocol.ts'

/** The polling interval, only while a caller waits. */
const ASK_MS = 15

/**
 * Returns as soon as all connected edges have the change, at the latest when the time is over; the
 * result is the state then.
 */
export async function awaitConfirmed(
  run: Db,
  seq: number,
  { patienceMs }: { patienceMs: number },
): Promise<Confirmation[]> {
  const until = performance.now() + patienceMs
  for (;;) {
    const confirmations = confirmationsOf(await listEdges(run, CONNECTED_MS / SECOND), seq)
    const leftMs = until - performance.now()
    if (isSettled(confirmations) || leftMs <= 0) return confirmations
    await new Promise((resolve) => setTimeout(resolve, Math.min(ASK_MS, leftMs)))
  }
}
