// Replays tombstones in a restored database, by the features' own functions where more than a row ends with it.

import type { AccountId } from '../../accounts/account-queries.ts'
import { deleteAccount } from '../../accounts/deletion.io.ts'
import { forgetProject, remove, type DomainAdvanceDeps } from '../../domains/advance.io.ts'
import { lockDomain } from '../../domains/store/domain-queries.ts'
import { setSuspended } from '../../fleet/suspension.io.ts'
import { query, type Database, type Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { eraseVisitors } from '../../orders/erasure-queries.ts'
import { findPlace, findStanding } from '../../projects/directory.io.ts'
import { setHeld } from '../../projects/legal-hold.io.ts'
import { membershipsOf } from '../../projects/members.io.ts'
import { deleteProject } from '../../projects/projects.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { beginErasure } from '../tenants/erasure.io.ts'
import type { Tombstone } from './tombstones.ts'

/** `database` is the transaction in which it is replayed. */
export type ReplayDeps = DomainAdvanceDeps & { database: Database }

const replayRows = query<never, [tombstones: string]>('replay-tombstones', `select replay_tombstones($1::jsonb)`)

const OPERATOR = 'operator' as AccountId

/** Returns what could not be replayed, one sentence each. */
export async function replayTombstones(
  db: Db,
  deps: ReplayDeps,
  all: readonly Tombstone[],
): Promise<readonly string[]> {
  const left: string[] = []
  await replayRows(db, JSON.stringify(all))
  for (const one of all) {
    try {
      await replayOne(db, deps, one)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The backup does not have it.
      if (error.code !== 'not_found') left.push(`${one.kind} ${one.subject}: ${error.message}`)
    }
  }
  return left
}

async function replayOne(db: Db, deps: ReplayDeps, { kind, project: of, subject, endsAt }: Tombstone): Promise<void> {
  const { inProject, database } = deps
  const project = BigInt(of ?? 0) as ProjectId
  const by = { project, account: OPERATOR }
  if (kind === 'domain') {
    const row = await lockDomain(db, project, subject)
    if (row) await remove(deps, by, row.hostname)
  } else if (kind === 'suspension') {
    const isSuspended = endsAt !== null
    const place = await findPlace(db, subject)
    const takedown = { isSuspended, by: OPERATOR, reason: 'as before the restore' }
    if (place && place.isSuspended !== isSuspended) await setSuspended(inProject, project, takedown)
  } else if (kind === 'project') {
    await forgetProject(deps, project, OPERATOR)
    await deleteProject(inProject, { ...by, slug: subject, role: 'owner' })
  } else if (kind === 'erasure') {
    await beginErasure(deps, project)
  } else if (kind === 'hold') {
    const standing = await findStanding(db, project)
    if (standing && (standing.heldAt === null) !== (endsAt === null)) await setHeld(inProject, project, endsAt !== null)
  } else if (kind === 'visitor') {
    await eraseVisitors(db, project, [BigInt(subject)], null)
  } else if (kind === 'account') {
    const memberships = membershipsOf({ database, inProject })
    await deleteAccount({ ...deps, queueMail: undefined }, memberships, subject as AccountId, 'operator')
  }
}
