// Server-sent event streams. One LISTEN connection per process wakes all streams; each stream also
// polls every few seconds, so a lost notification delays a change by seconds and never loses it.
// - A stream sends nothing to a client that would no longer be admitted.
// - The process starts to listen when its first stream opens.

import type { Stay } from './operation.io.ts'
import type { Database } from '../postgres/postgres.io.ts'
import { Refusal } from '../refusal.ts'
import { SECOND } from '../time.ts'

const POLL_MS = 5 * SECOND
/** After this time a client connects again. */
const RETRY_MS = 2 * SECOND
const HEARTBEAT_MS = 15 * SECOND

export type Subscriptions = {
  /** Signals changes of this subject, including those that occur between two waits. */
  subscribeTo(name: string): Subscription
  close(): Promise<void>
}

export type Subscription = {
  /** Until a change is signalled, the time is over, or the signal is aborted. */
  wait(ms: number, ended: AbortSignal): Promise<void>
  drop(): void
}

/** The payload of a notification is the name of the changed subject. */
export function openSubscriptions({ listen }: Pick<Database, 'listen'>, channel: string): Subscriptions {
  const wakersByName = new Map<string, Set<() => void>>()
  const start = async () => {
    const stop = await listen(channel, (payload) =>
      wakersByName.get(payload)?.forEach((signalChange) => signalChange()),
    )
    // Changes notified before the connection was listening are found by polling once more.
    for (const wakers of wakersByName.values()) for (const signalChange of wakers) signalChange()
    return stop
  }
  let listening: ReturnType<typeof start> | undefined
  return {
    subscribeTo(name) {
      listening ??= start()
      let hasChanged = false
      let wake = () => {}
      const signalChange = () => {
        hasChanged = true
        wake()
      }
      const wakers = wakersByName.get(name) ?? new Set()
      wakersByName.set(name, wakers.add(signalChange))
      return {
        async wait(ms, ended) {
          if (!hasChanged && !ended.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>()
            const timer = setTimeout(resolve, ms)
            wake = resolve
            ended.addEventListener('abort', wake, { once: true })
            await promise
            ended.removeEventListener('abort', wake)
            clearTimeout(timer)
          }
          hasChanged = false
        },
        drop() {
          wakers.delete(signalChange)
          if (wakers.size === 0) wakersByName.delete(name)
        },
      }
    },
    async close() {
      const stop = await listening
      await stop?.()
    },
  }
}

/** The result of one poll: members of the JSON to send, or why nothing more is sent. */
export type PollResult = { fields?: string | undefined; endedBy?: 'removed' | 'not_allowed' | undefined }

export type WatchedTopic = { topic: string; subscribe: () => Subscription; poll: () => Promise<PollResult> }

export type Watched = {
  topics: readonly WatchedTopic[]
  stay: Stay
  pollMs?: number
}

export async function* watching({ topics, stay, pollMs = POLL_MS }: Watched): AsyncGenerator<string> {
  // Before the first poll, so that later changes are signalled.
  let open = topics.map((one) => ({ ...one, subscription: one.subscribe() }))
  try {
    let quietMs = 0
    yield `retry: ${RETRY_MS}\n\n`
    while (!stay.ended.aborted && (await isAdmitted(stay))) {
      const polled = await Promise.all(open.map(async (one) => ({ one, ...(await one.poll()) })))
      const events = polled.flatMap(({ one: { topic }, fields, endedBy }) => [
        ...(fields === undefined ? [] : [`event: changed\ndata: {"topic":${JSON.stringify(topic)},${fields}}\n\n`]),
        ...(endedBy ? [`event: ended\ndata: ${JSON.stringify({ topic, reason: endedBy })}\n\n`] : []),
      ])
      for (const { one, endedBy } of polled) if (endedBy) one.subscription.drop()
      open = polled.filter(({ endedBy }) => !endedBy).map(({ one }) => one)
      quietMs = events.length > 0 ? 0 : quietMs + pollMs
      if (events.length > 0) yield events.join('')
      else if (quietMs % HEARTBEAT_MS < pollMs) yield ': still here\n\n'
      if (open.length === 0) return
      await anyOf(
        open.map(({ subscription }) => subscription),
        pollMs,
        stay.ended,
      )
    }
    // At shutdown: another process serves already. Not all at the same instant.
    if (stay.ended.aborted) yield `retry: ${Math.round(RETRY_MS * (0.25 + Math.random()))}\n\n`
  } finally {
    for (const { subscription } of open) subscription.drop()
  }
}

async function anyOf(subscriptions: readonly Subscription[], ms: number, ended: AbortSignal): Promise<void> {
  const others = new AbortController()
  const until = AbortSignal.any([ended, others.signal])
  await Promise.race(subscriptions.map((one) => one.wait(ms, until)))
  others.abort()
}

async function isAdmitted({ again }: Stay): Promise<boolean> {
  try {
    await again()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
