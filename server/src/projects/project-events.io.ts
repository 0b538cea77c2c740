// What somebody who watches a project is told: at first what was done just now, which may
// have been after they read what they show; then what was done since the last look, each
// kind of deed once. The newest deeds are compared with those of the look before and not
// counted from a number on: a deed with a lower number can be there later than one with a
// higher.

import type { PollResult } from '../foundation/http/event-stream.io.ts'
import type { AuditEventRow } from './project-queries.ts'

export function auditPoll(newest: () => Promise<readonly AuditEventRow[]>): () => Promise<PollResult> {
  let known: ReadonlySet<bigint> | undefined
  return async () => {
    const deeds = await newest()
    const before = known
    known = new Set(deeds.map(({ id }) => id))
    const fresh = deeds.filter(({ id, isRecent }) => (before ? !before.has(id) : isRecent))
    const actions = [...new Set(fresh.map(({ action }) => action))].toSorted()
    return { event: actions.length > 0 ? { name: 'done', json: JSON.stringify({ actions }) } : undefined }
  }
}
