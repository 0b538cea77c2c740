// `followFeed` follows the host table of the control plane by number: it requests the changes after
// the newest one that the table has, applies them, writes them to disk, and requests again, which
// acknowledges them to the control plane. One request at a time; the control plane keeps it open
// until there is a change, at most for a second. Whatever goes wrong, the edge keeps what it has
// and retries soon.

import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTED_MS, WAIT_MAX_MS, type Changes } from '../fleet/protocol.ts'
import type { Context } from '../foundation/context.ts'
import type { Certificates } from './certificate-cache.io.ts'
import type { ControlClient } from './control-client.io.ts'
import type { Disk } from './host-table-disk.io.ts'
import type { HostTable } from './host-table.ts'

/** What an edge holds of the control plane's data: every response is taken in by all three. */
type Holding = {
  table: HostTable
  disk: Pick<Disk, 'keep' | 'reset' | 'contacted' | 'audience' | 'keepAudience'>
  certificates: Pick<Certificates, 'changed' | 'reset' | 'retry'>
}

export type Feed = {
  /** True if the control plane has responded within the last moments. */
  readonly isConnected: boolean
  stop(): Promise<void>
}

/** An empty response that arrives sooner than this would cause a busy loop. */
const EMPTY_ANSWER_MS = 50

export function followFeed(
  { monotonic, onError }: Pick<Context, 'monotonic' | 'onError'>,
  control: Pick<ControlClient, 'changes'>,
  holding: Holding,
): Feed {
  const { table, disk } = holding
  const stopping = new AbortController()
  const { signal } = stopping
  let answeredAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let isReached = false
  /** The last number when this table was started. */
  let begun = 0
  /** The head of the previous response, if it was empty. */
  let headBefore = 0
  /** The table was of another part than the control plane now sends: the next response replaces it. */
  let startsOver = false

  const round = async () => {
    const [requestedAt, after] = [monotonic(), startsOver ? 0 : table.seq]
    // The first response is needed at once: it shows that the control plane is reachable.
    const waitMs = isReached ? WAIT_MAX_MS : 0
    const answer = await control.changes({ after, begun: begun > after ? begun : 0, waitMs }, signal)
    answeredAt = monotonic()
    isReached = true
    const isOfAnotherPart = answer.audience !== disk.audience
    if (isOfAnotherPart && after > 0) {
      startsOver = true
      return
    }
    const changes = startsOver ? { ...answer, isReset: true } : answer
    startsOver = false
    if (isOfAnotherPart) await disk.keepAudience(changes.audience)
    if (after === 0 || changes.isReset) begun = changes.head
    const hasChanges = changes.routes.length > 0 || changes.isReset
    // Numbers up to the previous head that did not come with this response belong to names deleted
    // long ago.
    const mark = hasChanges ? 0 : Math.min(headBefore, changes.head)
    headBefore = hasChanges ? 0 : changes.head
    await takeIn(holding, changes, mark)
    if (!hasChanges) await pauseOf(EMPTY_ANSWER_MS - (monotonic() - requestedAt), signal)
  }
  const loop = async () => {
    while (!signal.aborted) {
      try {
        await round()
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        // Once per outage: it may last for days.
        if (failures === 0) onError(error as Error)
        failures += 1
        isReached = false
        await pauseOf(backOff(failures, Math.random()), signal)
      }
    }
  }
  const looping = loop()
  return {
    get isConnected() {
      return monotonic() - answeredAt <= CONNECTED_MS
    },
    async stop() {
      stopping.abort()
      await looping
    },
  }
}

async function takeIn({ table, disk, certificates }: Holding, changes: Changes, mark: number): Promise<void> {
  const { isReset, routes } = changes
  if (isReset) {
    table.reset()
    certificates.reset()
  }
  for (const route of routes) if (table.apply(route)) certificates.changed(route)
  const isMarked = mark > table.seq
  if (isMarked) table.advance(mark)
  // Removals have left the table by now; the rest is for the next start.
  if (isReset) await disk.reset()
  await disk.keep(isMarked ? [{ seq: mark }] : routes)
  await disk.contacted()
  certificates.retry()
}

/** 200 ms, 400 ms … to 2 s, and up to half of it less, so that many edges do not retry at the same time. */
export const backOff = (failures: number, random: number): number =>
  Math.min(2000, 200 * 2 ** Math.min(failures - 1, 4)) * (1 - random / 2)

const pauseOf = (ms: number, signal: AbortSignal): Promise<unknown> | undefined =>
  ms > 0 ? sleep(ms, undefined, { signal }).catch(() => undefined) : undefined
