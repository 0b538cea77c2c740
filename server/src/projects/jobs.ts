// Background work of keys: when each was last used. Gathered in memory while
// requests are served and written outside of them, at most once a minute a key,
// so that no request ever waits for it.

import { MINUTE, type Clock, type Instant } from '../foundation/time.ts'
import type { Caller } from './guard.ts'
import * as keys from './queries.ts'
import type { InProjects, ProjectId } from './scope.ts'

type Use = { project: ProjectId; keyId: string; usedAt: Instant; writtenAt: Instant }

export type KeyUses = { note(caller: Caller): void; write(): Promise<void> }

const KEYS_AT_ONCE = 64

export function trackKeyUses({ inProjects, now }: { inProjects: InProjects; now: Clock }): KeyUses {
  const uses = new Map<string, Use>()
  return {
    note({ project, keyId }) {
      const use = uses.get(keyId)
      if (use) use.usedAt = now()
      else uses.set(keyId, { project, keyId, usedAt: now(), writtenAt: Number.NEGATIVE_INFINITY })
    },
    async write() {
      const at = now()
      const due = [...uses.values()].filter(({ writtenAt }) => at - writtenAt >= MINUTE)
      for (const use of due.filter(({ usedAt, writtenAt }) => usedAt < writtenAt)) uses.delete(use.keyId)
      const used = due.filter(({ keyId }) => uses.has(keyId))
      for (let from = 0; from < used.length; from += KEYS_AT_ONCE) {
        const some = used.slice(from, from + KEYS_AT_ONCE)
        const asks = some.map(({ project, keyId, usedAt }) => ({ project, id: keyId, usedAt: new Date(usedAt) }))
        await inProjects(
          some.map(({ project }) => project),
          (db) => keys.touchKeys(db, asks),
        )
        // From before the write: what is used meanwhile is not written yet.
        for (const use of some) use.writtenAt = at
      }
    },
  }
}
