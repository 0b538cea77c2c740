// Background work of keys: when each was last used. Gathered in memory while
// requests are served and written outside of them, at most once a minute a key,
// so that no request ever waits for it.

import { MINUTE, type Clock, type Instant } from '../foundation/time.ts'
import type { Caller } from './guard.ts'
import * as keys from './queries.ts'
import type { InProject, ProjectId } from './scope.ts'

type Use = { project: ProjectId; keyId: string; usedAt: Instant; writtenAt: Instant }

export type KeyUses = { note(caller: Caller): void; write(): Promise<void> }

export function trackKeyUses({ inProject, now }: { inProject: InProject; now: Clock }): KeyUses {
  const uses = new Map<string, Use>()
  return {
    note({ project, keyId }) {
      const use = uses.get(keyId)
      if (use) use.usedAt = now()
      else uses.set(keyId, { project, keyId, usedAt: now(), writtenAt: Number.NEGATIVE_INFINITY })
    },
    async write() {
      for (const use of uses.values()) {
        const at = now()
        if (at - use.writtenAt < MINUTE) continue
        if (use.usedAt < use.writtenAt) uses.delete(use.keyId)
        else {
          await inProject(use.project, (db) => keys.touchKey(db, use.project, use.keyId, new Date(use.usedAt)))
          // From before the write: what is used meanwhile is not written yet.
          use.writtenAt = at
        }
      }
    },
  }
}
