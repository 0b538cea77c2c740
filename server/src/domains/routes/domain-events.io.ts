// A domain as a topic of an event stream: sent first as it is, and again whenever it has
// changed, until it is removed.

import type { PollResult } from '../../foundation/http/event-stream.io.ts'

export type WatchedDomain = {
  /** The domain as JSON; undefined if it was removed. */
  read: () => Promise<string | undefined>
  /** Marks the domain as watched, so that it is checked more often. */
  keepWatched: () => Promise<unknown>
}

export function domainPoll({ read, keepWatched }: WatchedDomain): () => Promise<PollResult> {
  let shown: string | undefined
  return async () => {
    const [json] = await Promise.all([read(), keepWatched()])
    if (json === undefined) return { endedBy: 'removed' }
    const isNew = json !== shown
    shown = json
    return { fields: isNew ? `"domain":${json}` : undefined }
  }
}
