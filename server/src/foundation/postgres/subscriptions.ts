// Notifications of one channel, passed on by their payload, which is the name of the changed subject. A process listens
// from its first subscription on, with one connection for the channel.

import type { Database } from './postgres.io.ts'

export type Subscriptions = {
  /** Calls back at each change of this subject, and once more when listening has begun. Returns how to stop. */
  subscribe(name: string, onChange: () => void): () => void
  close(): Promise<void>
}

export function openSubscriptions({ listen }: Pick<Database, 'listen'>, channel: string): Subscriptions {
  const subscribers = new Map<string, Set<() => void>>()
  const start = async () => {
    const stop = await listen(channel, (payload) => subscribers.get(payload)?.forEach((onChange) => onChange()))
    // Changes notified before the connection was listening are found by polling once more.
    for (const ofName of subscribers.values()) for (const onChange of ofName) onChange()
    return stop
  }
  let listening: ReturnType<typeof start> | undefined
  return {
    subscribe(name, onChange) {
      listening ??= start()
      const ofName = subscribers.get(name) ?? new Set()
      subscribers.set(name, ofName.add(onChange))
      return () => {
        ofName.delete(onChange)
        if (ofName.size === 0 && subscribers.get(name) === ofName) subscribers.delete(name)
      }
    },
    async close() {
      const stop = await listening
      await stop?.()
    },
  }
}
