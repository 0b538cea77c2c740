// Watching a domain as it changes. PostgreSQL tells which domain has changed, on
// one connection for all who watch in this process; whoever hears it reads the
// domain anew. A notification may be lost, so everybody reads every few seconds
// anyway: that costs seconds and never the change.
//
// Nothing is sent to somebody who would not be let in any more, and while nobody
// watches nothing is heard.

import type { Stay } from '../foundation/operation.ts'
import type { Database } from '../foundation/postgres.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'
import { CHANNEL } from './directory.ts'

const READ_MS = 5 * SECOND
const HEARTBEAT_MS = 15 * SECOND

export type DomainNews = {
  /** Rings when the domain has changed, also while nobody waits for it. */
  bellOf(project: bigint, id: string): Bell
  close(): Promise<void>
}

export type Bell = {
  /** Until it has rung, the time is over, or the signal is aborted. */
  wait(ms: number, ended: AbortSignal): Promise<void>
  drop(): void
}

export function openDomainNews({ listen }: Pick<Database, 'listen'>): DomainNews {
  const ringing = new Map<string, Set<() => void>>()
  let listening: Promise<() => Promise<void>> | undefined
  return {
    bellOf(project, id) {
      listening ??= listen(CHANNEL, (payload) => ringing.get(payload)?.forEach((ring) => ring()))
      const name = `${project}:${id}`
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

export type Watched = {
  openBell: () => Bell
  stay: Stay
  /** The domain as JSON; undefined if it was removed. */
  read: () => Promise<string | undefined>
  /** Says that somebody watches, so that the domain is looked at more often. */
  keepWatched: () => Promise<unknown>
  readMs?: number
}

/** Server-sent events: the domain as it is, and again whenever it has changed. */
export async function* watching(watched: Watched): AsyncGenerator<string> {
  const { openBell, stay, read, keepWatched, readMs = READ_MS } = watched
  // Before the first look at the domain: what changes after it rings.
  const bell = openBell()
  try {
    let shown = ''
    let quietMs = 0
    yield 'retry: 2000\n\n'
    while (!stay.ended.aborted && (await isLetIn(stay))) {
      const json = await read()
      if (json === undefined) {
        yield 'event: removed\ndata: {}\n\n'
        return
      }
      quietMs = json === shown ? quietMs + readMs : 0
      if (json !== shown) yield `event: domain\ndata: ${json}\n\n`
      else if (quietMs % HEARTBEAT_MS < readMs) yield ': still here\n\n'
      shown = json
      await keepWatched()
      await bell.wait(readMs, stay.ended)
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
