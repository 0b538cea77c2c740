// A project as a topic of an event stream. The first poll returns recent audit events, which
// may be later than what the client loaded; each further poll returns the kinds of events since
// the previous one, each once. The newest events are compared with those of the previous
// poll instead of being counted from an id: an event with a lower id can become visible
// after one with a higher.

import type { PollResult } from '../foundation/http/event-stream.io.ts'
import type { AuditEventRow } from './project-queries.ts'

export function auditPoll(newest: () => Promise<readonly AuditEventRow[]>): () => Promise<PollResult> {
  let known: ReadonlySet<bigint> | undefined
  return async () => {
    const newestEvents = await newest()
    const before = known
    known = new Set(newestEvents.map(({ id }) => id))
    const fresh = newestEvents.filter(({ id, isRecent }) => (before ? !before.has(id) : isRecent))
    const actions = [...new Set(fresh.map(({ action }) => action))].toSorted()
    return { fields: actions.length > 0 ? `"actions":${JSON.stringify(actions)}` : undefined }
  }
}
