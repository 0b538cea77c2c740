// Whether open streams may stay open. The rights of all streams of a process are read with one statement: every few
// seconds, and at once for those whose session, token or membership may have ended. Nothing of it counts against a
// quota. While PostgreSQL is away, streams stay open, and have nothing to send.

import type { AccountId } from '../accounts/account-queries.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { Holder, Revocations } from '../foundation/postgres/revocations.io.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import type { ProjectId } from './scope.io.ts'

export type WatcherRights = {
  isStillAllowed: () => boolean
  isStillAllowedIn: (project: ProjectId) => boolean
  /** To be called before the membership is read: one that ends after that is noticed. */
  enter: (project: ProjectId) => void
  leave: (project: ProjectId) => void
  drop: () => void
}

export type WatchRights = {
  /** `onLost` is called when something is no longer allowed. */
  open: (watcher: { account: AccountId; credential: string; onLost: () => void }) => WatcherRights
  recheckAll: () => Promise<void>
  recheckMembersOf: (project: ProjectId) => Promise<void>
}

type Watcher = {
  account: AccountId
  credential: string
  projects: Set<ProjectId>
  lost: Set<ProjectId>
  isOver: boolean
  onLost: () => void
}

export function openWatchRights(
  run: Db,
  revocations: Pick<Revocations, 'hold'>,
  onError: (error: Error) => void,
): WatchRights {
  const byCredential = new Map<string, Set<Watcher>>()
  const byProject = new Map<ProjectId, Set<Watcher>>()
  const due = new Set<Watcher>()
  const { coalesced } = createSharedCalls()

  const recheckDue = async () => {
    const watchers = [...due]
    due.clear()
    if (watchers.length === 0) return
    const memberships = new Map(
      watchers.flatMap(({ account, projects }) =>
        [...projects].map((project) => [`${account} ${project}`, { account, project }] as const),
      ),
    )
    const credentials = [...new Set(watchers.map(({ credential }) => credential))]
    const lost = await lostRights(run, [...memberships.values()], credentials)
    const lostMemberships = new Set(lost.memberships.map(({ account, project }) => `${account} ${project}`))
    const lostCredentials = new Set(lost.credentials)
    for (const watcher of watchers) {
      const { account, credential, projects } = watcher
      const ended = [...projects].filter((project) => lostMemberships.has(`${account} ${project}`))
      const isOver = lostCredentials.has(credential)
      if (ended.length === 0 && !isOver) continue
      for (const project of ended) watcher.lost.add(project)
      watcher.isOver ||= isOver
      watcher.onLost()
    }
  }
  const recheck = async (watchers: Iterable<Watcher> | undefined) => {
    for (const watcher of watchers ?? []) due.add(watcher)
    if (due.size > 0) await coalesced('rights', recheckDue)
  }
  const holder: Holder = {
    forget: (digest) => void recheck(byCredential.get(digest)).catch(onError),
    confirm: () => {},
  }
  revocations.hold(holder)

  return {
    open({ account, credential, onLost }) {
      const watcher: Watcher = { account, credential, projects: new Set(), lost: new Set(), isOver: false, onLost }
      let isDropped = false
      put(byCredential, credential, watcher)
      const leave = (project: ProjectId) => {
        watcher.projects.delete(project)
        take(byProject, project, watcher)
      }
      return {
        isStillAllowed: () => !watcher.isOver,
        isStillAllowedIn: (project) => !watcher.isOver && !watcher.lost.has(project),
        enter(project) {
          if (isDropped) return
          watcher.projects.add(project)
          put(byProject, project, watcher)
        },
        leave,
        drop() {
          isDropped = true
          due.delete(watcher)
          take(byCredential, credential, watcher)
          for (const project of watcher.projects) leave(project)
        },
      }
    },
    recheckAll: () => recheck([...byCredential.values()].flatMap((watchers) => [...watchers])),
    recheckMembersOf: (project) => recheck(byProject.get(project)),
  }
}

function put<Key>(index: Map<Key, Set<Watcher>>, key: Key, watcher: Watcher): void {
  const known = index.get(key)
  if (known) known.add(watcher)
  else index.set(key, new Set([watcher]))
}

function take<Key>(index: Map<Key, Set<Watcher>>, key: Key, watcher: Watcher): void {
  const known = index.get(key)
  known?.delete(watcher)
  if (known?.size === 0) index.delete(key)
}

type Membership = { account: AccountId; project: ProjectId }

const lostRightRows = statement<
  { account: AccountId | null; project: ProjectId | null; credential: string | null },
  [accounts: AccountId[], projects: ProjectId[], digests: string[]]
>(
  'lost-rights',
  `select account, project, null as credential
   from unnest($1::text[], $2::bigint[]) as asked (account, project)
   where not exists (
     select from member_directory
     where account_id = account and project_id = project
   )
   union all
   select null, null, asked.digest
   from unnest($3::text[]) as asked (digest)
   where not exists (
     select from sessions
     where sessions.digest = decode(asked.digest, 'hex') and expires_at > now() and idle_until > now()
   ) and not exists (
     select from access_tokens
     where access_tokens.digest = decode(asked.digest, 'hex') and coalesce(expires_at > now(), true)
   )`,
)

/** Which of these memberships, and of these sessions and tokens (by digest, in hexadecimal), no longer exist. */
async function lostRights(run: Db, memberships: readonly Membership[], digests: readonly string[]) {
  const accounts = memberships.map(({ account }) => account)
  const projects = memberships.map(({ project }) => project)
  const rows = await run(lostRightRows, accounts, projects, [...digests])
  return {
    memberships: rows.flatMap(({ account, project }) => (account && project !== null ? [{ account, project }] : [])),
    credentials: rows.flatMap(({ credential }) => credential ?? []),
  }
}
