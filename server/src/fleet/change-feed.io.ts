// `openFeed` streams the changes of the host table to edges. One reader per process follows the
// table by number, for all edges connected to it: on every PostgreSQL notification, and twice a
// second anyway, so that a lost notification costs half a second. Waiting edges are served from
// memory; an edge that is far behind reads the table page by page.
//
// No change is ever left out: routes become visible in the order of their numbers, because a
// transaction that changes one locks the clock until it ends.

import type { Context } from '../foundation/context.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import { mustResync } from './audience.ts'
import { readChanges, readClock, ROUTES_CHANNEL, type RouteClock } from './directory.io.ts'
import { createRecent } from './change-buffer.ts'
import { CHANGES_MAX, type Changes } from './protocol.ts'

const READ_MS = 500
const RECENT_MAX = 10_000

export type FeedRequest = { waitMs: number; signal: AbortSignal; begun: number }

export type Feed = {
  /**
   * True if the number exists. Another process may have returned it before this one has read it:
   * then it is read now.
   */
  reaches(seq: number): Promise<boolean>
  /** The changes for an edge that has everything up to this number; if there are none, after the wait. */
  changesAfter(after: number, ask: FeedRequest): Promise<Changes>
  /** Responds to all waiting edges now. */
  close(): Promise<void>
}

/** `isListening` is off only in tests of lost notifications. */
export async function openFeed(
  { database, onError }: Pick<Context, 'database' | 'onError'>,
  isListening = true,
): Promise<Feed> {
  const { run } = database
  const state = { isClosed: false, clock: await readClock(run) }
  const recent = createRecent(RECENT_MAX, state.clock.head)
  const waiters = createWaiters()
  const sharedCalls = createSharedCalls()

  const readOn = async () => {
    for (;;) {
      const { head } = state.clock
      const { routes, ...clock } = await readChanges(run, { after: head, goneAfter: head, count: CHANGES_MAX })
      // The database was restored to an earlier state: the buffered changes never happened.
      if (clock.head < head) recent.restart(clock.head)
      recent.take(routes)
      const isWhole = routes.length < CHANGES_MAX
      state.clock = isWhole ? clock : { ...clock, head: routes.at(-1)?.seq ?? clock.head }
      if (state.clock.head !== head) waiters.wakeAll()
      if (isWhole) return
    }
  }
  const read = () => sharedCalls.coalesced('news', readOn)
  const readSoon = () => void read().catch(onError)

  /** Edges that start at the same moment share one read of the table. */
  const page = (after: number, begun: number): Promise<Changes> =>
    sharedCalls.coalesced(`${after} ${begun}`, async () => {
      const isBeginning = after === 0
      const goneAfter = isBeginning ? Number.MAX_SAFE_INTEGER : begun
      const { routes, head, forgotten } = await readChanges(run, { after, goneAfter, count: CHANGES_MAX })
      if (mustResync(after, begun, { head, forgotten })) return beginning()
      return { head, isReset: false, routes }
    })
  const beginning = async (): Promise<Changes> => ({ ...(await page(0, 0)), isReset: true })

  /** The same object for all edges at the same number, so that it is serialised once. */
  let latest: { after: number; clock: RouteClock; changes: Changes } | undefined
  const near = (after: number): Changes | undefined => {
    const { clock } = state
    if (latest?.after === after && latest.clock === clock) return latest.changes
    const routes = recent.after(after, CHANGES_MAX)
    if (routes === undefined) return undefined
    latest = { after, clock, changes: { head: clock.head, isReset: false, routes } }
    return latest.changes
  }

  const stopListening = isListening ? await database.listen(ROUTES_CHANNEL, readSoon) : undefined
  const timer = setInterval(readSoon, READ_MS)
  await read()

  return {
    async reaches(seq) {
      if (seq > state.clock.head) await read()
      return seq <= state.clock.head
    },
    async changesAfter(after, { waitMs, signal, begun }) {
      if (after === state.clock.head && !state.isClosed) await waiters.wait(waitMs, signal)
      if (mustResync(after, begun, state.clock)) return beginning()
      return near(after) ?? page(after, begun)
    },
    async close() {
      state.isClosed = true
      clearInterval(timer)
      waiters.wakeAll()
      await stopListening?.()
    },
  }
}

/** Wakes all waiting edges. */
function createWaiters() {
  const waiting = new Set<() => void>()
  return {
    wakeAll: () => waiting.forEach((wake) => wake()),
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (ms <= 0 || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      const timer = setTimeout(wake, ms)
      waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      await promise
      signal.removeEventListener('abort', wake)
      waiting.delete(wake)
      clearTimeout(timer)
    },
  }
}
