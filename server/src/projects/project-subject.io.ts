// A project as a subject of event streams: which kinds of audit events were recorded. New listeners are sent those of
// the last seconds, which may be later than what they loaded.
//
// The newest events are compared with those known instead of being counted from an id: an event with a lower id can
// become visible after one with a higher. A poll that was not signalled reads the newest id alone, once a whole poll
// after the last change has found nothing more.

import type { Subject } from '../foundation/http/feeds.io.ts'
import type { Subscriptions } from '../foundation/postgres/subscriptions.ts'
import { SECOND, type Clock } from '../foundation/time.ts'
import type { AuditEventRow } from './project-queries.ts'
import type { ProjectId } from './scope.io.ts'

/** Every audit event is notified; only a lost notification waits for this poll. */
const QUIET_MS = 15 * SECOND
/** Longer than the time between loading a page and subscribing. */
const RECENT_MS = 10 * SECOND
/** People do not cause more events than that between two polls. */
const NEWEST = 100

/** After these a person may no longer be a member. */
const endsRights: ReadonlySet<string> = new Set(['member_removed', 'member_changed', 'project_deleted'])

export type ProjectState = { events: readonly AuditEventRow[]; ids: ReadonlySet<bigint> }

/** `recheckRights` is called before anything is passed on that may have ended the rights of members. */
export function projectSubject(
  project: ProjectId,
  {
    subscriptions,
    newestEvents,
    recheckRights,
    now,
  }: {
    subscriptions: Subscriptions
    newestEvents: (count: number) => Promise<readonly AuditEventRow[]>
    recheckRights: () => Promise<void>
    now: Clock
  },
): Subject<ProjectState> {
  let settled: ProjectState | undefined
  const recent = ({ events }: ProjectState) => events.filter(({ at }) => now() - at.getTime() < RECENT_MS)
  const fresh = (before: ProjectState, { events }: ProjectState) => events.filter(({ id }) => !before.ids.has(id))

  return {
    name: `project ${project}`,
    subscriptions,
    payload: String(project),
    quietMs: QUIET_MS,
    async read(before, isSignalled) {
      if (before && before === settled && !isSignalled) {
        const [newest] = await newestEvents(1)
        if (newest?.id === before.events[0]?.id) return before
      }
      const found = stateOf(await newestEvents(NEWEST))
      const news = before ? fresh(before, found) : recent(found)
      if (before && news.length === 0) {
        if (!isSignalled) settled = before
        return before
      }
      if (news.some(({ action }) => endsRights.has(action))) await recheckRights()
      return found
    },
    first: (state) => fieldsOf(recent(state)),
    change: (before, state) => fieldsOf(fresh(before, state)),
  }
}

const stateOf = (events: readonly AuditEventRow[]): ProjectState => ({
  events,
  ids: new Set(events.map(({ id }) => id)),
})

/** Each kind once. */
function fieldsOf(events: readonly AuditEventRow[]): string | undefined {
  if (events.length === 0) return undefined
  return `"actions":${JSON.stringify([...new Set(events.map(({ action }) => action))].toSorted())}`
}
