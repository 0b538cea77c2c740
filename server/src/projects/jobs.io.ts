// Background work for projects. Invitations that have expired are removed: they name an address. The use of API keys is recorded:
// the time of the last use, and the calls of deprecated operations. Collected in memory while
// requests are served and written in the background, so that no request ever waits for it: the time
// at most once a minute per key, the calls whenever there are some.

import type { Database } from '../foundation/postgres/postgres.io.ts'
import { MINUTE, type Clock, type Instant } from '../foundation/time.ts'
import { expiredInvitations } from './directory.io.ts'
import type { Caller } from './guard.io.ts'
import { eraseInvitations } from './members.io.ts'
import * as keys from './project-queries.ts'
import type { CallsRequest } from './project-queries.ts'
import type { InProject, InProjects, ProjectId } from './scope.io.ts'

type Use = { project: ProjectId; keyId: string; usedAt: Instant; writtenAt: Instant }

export type KeyUses = {
  /** Records a use of the key, and whether the operation is deprecated. */
  note(caller: Caller, isDeprecated?: boolean): void
  write(): Promise<void>
}

const KEYS_AT_ONCE = 64

export function trackKeyUses({ inProjects, now }: { inProjects: InProjects; now: Clock }): KeyUses {
  const uses = new Map<string, Use>()
  const calls = new Map<string, CallsRequest>()

  const addCalls = ({ project, id, calls: count }: CallsRequest) => {
    const known = calls.get(id)
    if (known) known.calls += count
    else calls.set(id, { project, id, calls: count })
  }

  const writeUses = async () => {
    const at = now()
    const due = [...uses.values()].filter(({ writtenAt }) => at - writtenAt >= MINUTE)
    for (const use of due.filter(({ usedAt, writtenAt }) => usedAt < writtenAt)) uses.delete(use.keyId)
    for (const some of parts(due.filter(({ keyId }) => uses.has(keyId)))) {
      const lastUses = some.map(({ project, keyId, usedAt }) => ({ project, id: keyId, usedAt: new Date(usedAt) }))
      await inProjects(projectsOf(some), (db) => keys.touchKeys(db, lastUses))
      // The time before the write: later uses are not written yet.
      for (const use of some) use.writtenAt = at
    }
  }

  const writeCalls = async () => {
    for (const some of parts([...calls.values()])) {
      // Removed before the write: calls in the meantime start a new count. Counts that could not be written are put
      // back.
      for (const { id } of some) calls.delete(id)
      try {
        await inProjects(projectsOf(some), (db) => keys.addDeprecatedCalls(db, some))
      } catch (error) {
        some.forEach(addCalls)
        throw error
      }
    }
  }

  return {
    note({ project, keyId }, isDeprecated = false) {
      const use = uses.get(keyId)
      if (use) use.usedAt = now()
      else uses.set(keyId, { project, keyId, usedAt: now(), writtenAt: Number.NEGATIVE_INFINITY })
      if (isDeprecated) addCalls({ project, id: keyId, calls: 1 })
    },
    async write() {
      await writeUses()
      await writeCalls()
    },
  }
}

/** At most so many; returns how many. */
export async function removeExpiredInvitations(
  { database: { run }, inProject }: { database: Pick<Database, 'run'>; inProject: InProject },
  atMost: number,
): Promise<number> {
  const expired = await expiredInvitations(run, atMost)
  await eraseInvitations({ inProject }, expired)
  return expired.length
}

const projectsOf = (some: readonly { project: ProjectId }[]) => some.map(({ project }) => project)

function parts<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / KEYS_AT_ONCE)
  return Array.from({ length: count }, (_, index) => all.slice(index * KEYS_AT_ONCE, (index + 1) * KEYS_AT_ONCE))
}
