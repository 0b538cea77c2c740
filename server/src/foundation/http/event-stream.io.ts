// Watching something as it changes, by server-sent events. PostgreSQL tells what has
// changed, on one connection for all who watch in this process; whoever hears it looks
// anew. A notification may be lost, so everybody looks every few seconds anyway: that
// costs seconds and never the change.
//
// Nothing is sent to somebody who would not be let in any more, and while nobody
// watches nothing is heard.

import type { Stay } from './operation.io.ts'
import type { Database } from '../postgres/postgres.io.ts'
import { Refusal } from '../refusal.ts'
import { SECOND } from '../time.ts'

const LOOK_MS = 5 * SECOND
const HEARTBEAT_MS = 15 * SECOND

export type Subscriptions = {
  /** Rings when this has changed, also while nobody waits for it. */
  bellOf(name: string): Subscription
  close(): Promise<void>
}

export type Subscription = {
  /** Until it has rung, the time is over, or the signal is aborted. */
  wait(ms: number, ended: AbortSignal): Promise<void>
  drop(): void
}

/** What is told on the channel is the name of what has changed. */
export function openSubscriptions({ listen }: Pick<Database, 'listen'>, channel: string): Subscriptions {
  const ringing = new Map<string, Set<() => void>>()
  const start = async () => {
    const stop = await listen(channel, (payload) => ringing.get(payload)?.forEach((ring) => ring()))
    // What was told while nobody heard it yet is found by looking once more.
    for (const bells of ringing.values()) for (const ring of bells) ring()
    return stop
  }
  let listening: ReturnType<typeof start> | undefined
  return {
    bellOf(name) {
      listening ??= start()
      let hasRung = false
      let wake = () => {}
      const ring = () => {
        hasRung = true
        wake()
      }
      const bells = ringing.get(name) ?? new Set()
      ringing.set(name, bells.add(ring))
      return {
        async wait(ms, ended) {
          if (!hasRung && !ended.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>()
            const timer = setTimeout(resolve, ms)
            wake = resolve
            ended.addEventListener('abort', wake, { once: true })
            await promise
            ended.removeEventListener('abort', wake)
            clearTimeout(timer)
          }
          hasRung = false
        },
        drop() {
          bells.delete(ring)
          if (bells.size === 0) ringing.delete(name)
        },
      }
    },
    async close() {
      const stop = await listening
      await stop?.()
    },
  }
}

/** What is to be told now. */
export type PollResult = { event?: { name: string; json: string } | undefined; isOver?: boolean }

export type Watched = {
  openBell: () => Subscription
  stay: Stay
  look: () => Promise<PollResult>
  lookMs?: number
}

export async function* watching({ openBell, stay, look, lookMs = LOOK_MS }: Watched): AsyncGenerator<string> {
  // Before the first look: what changes after it rings.
  const bell = openBell()
  try {
    let quietMs = 0
    yield 'retry: 2000\n\n'
    while (!stay.ended.aborted && (await isLetIn(stay))) {
      const { event, isOver } = await look()
      quietMs = event ? 0 : quietMs + lookMs
      if (event) yield `event: ${event.name}\ndata: ${event.json}\n\n`
      else if (quietMs % HEARTBEAT_MS < lookMs) yield ': still here\n\n'
      if (isOver) return
      await bell.wait(lookMs, stay.ended)
    }
  } finally {
    bell.drop()
  }
}

async function isLetIn({ again }: Stay): Promise<boolean> {
  try {
    await again()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
