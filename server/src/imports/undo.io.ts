// Undoes an import that was applied: animals that it added are removed, with the photos that belong to it, and the others
// get their old values back. Animals that were changed, requested or deleted since are left as they are, and listed. All
// in one transaction.

import { KEPT_SHOWN } from '@petstore-platform/contract/platform/import-shapes'
import { lockTimer, type Timer } from '../foundation/postgres/timers.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { isCategoryCarried, removeCategory } from '../animals/category-queries.ts'
import * as apply from './apply-queries.ts'
import * as many from '../animals/many-animals-queries.ts'
import { changePets } from './statuses.io.ts'
import { isAsLeft, readAfter, readBefore, type Before } from './memory.ts'
import { BATCH_ROWS, CLAIM_SECONDS, claimKeeper, type ReviewDeps } from './review.io.ts'
import * as review from './review-queries.ts'
import { removePhotos } from '../photos/photo-routes.ts'
import { profilesOf, putMany, removeMany } from '../animals/profile-queries.ts'

export async function undoAll(deps: ReviewDeps, due: Timer, found: review.ReviewRow): Promise<void> {
  const project = due.project as ProjectId
  const keep = claimKeeper(deps, due)
  await deps.inProject(project, async (db) => {
    const kept: review.Kept[] = []
    let undone = 0
    for (let after: number | undefined = 0; after !== undefined;) {
      const rows: apply.WrittenRow[] = await apply.listWritten(db, project, due.id, after, BATCH_ROWS)
      const left = await undoRows(deps, db, project, due.id, rows, found)
      kept.push(...left)
      undone += rows.length - left.length
      after = rows.length === BATCH_ROWS ? rows.at(-1)?.row : undefined
      await keep()
    }
    for (const id of found.madeCategories) {
      if (!(await isCategoryCarried(db, project, id))) await removeCategory(db, project, id)
    }
    if (!(await lockTimer(db, due, CLAIM_SECONDS))) throw new Error(`another worker has taken ${due.id}`)
    await review.writeUndone(db, project, due.id, kept.slice(0, KEPT_SHOWN), kept.length)
    const detail = { undone, kept: kept.length }
    await recordAudit(db, project, { actor: 'petstore', action: 'import_undone', subject: due.id, detail })
  })
}

type Restored = { pet: many.PetRow; before: Before }

/** Those that were left as they are. */
async function undoRows(
  deps: ReviewDeps,
  db: Db,
  project: ProjectId,
  id: string,
  rows: readonly apply.WrittenRow[],
  { finishedAt, createdBy }: review.ReviewRow,
): Promise<review.Kept[]> {
  const ids = rows.map(({ petId }) => petId)
  const pets = new Map((await many.readPets(db, project, ids, true)).map((pet) => [pet.id, pet]))
  const profiles = await profilesOf(db, project, ids)
  const requested = await deps.requests.requestedSince(db, project, ids, finishedAt ?? new Date(0))
  const photographed = await apply.withOtherPhotos(db, project, ids, id)
  const kept: review.Kept[] = []
  const removed: bigint[] = []
  const restored: Restored[] = []
  for (const { petId, before: stored, after: left } of rows) {
    const pet = pets.get(petId)
    const [before, after] = [readBefore(stored), readAfter(left)]
    const keep = (reason: review.Kept['reason']) =>
      void kept.push({ id: String(petId), name: pet?.name ?? after.name, reason })
    const version = profiles.get(petId)?.version ?? 0
    if (!pet) keep('deleted')
    else if (requested.has(petId)) keep('requested')
    else if (!isAsLeft(after, { ...pet, version })) keep('changed')
    else if (before) restored.push({ pet, before })
    else if (photographed.has(petId)) keep('changed')
    else removed.push(petId)
  }
  await remove(deps, db, project, id, removed)
  await restore(deps, db, { project, account: createdBy }, restored)
  return kept
}

async function remove(deps: ReviewDeps, db: Db, project: ProjectId, id: string, ids: readonly bigint[]): Promise<void> {
  const photographed = new Set((await apply.ownPhotos(db, project, ids, id)).map(({ pet }) => pet))
  for (const pet of photographed) await removePhotos(deps, db, project, pet)
  await removeMany(db, project, ids)
  await many.deletePets(db, project, ids)
}

/** A profile that the import wrote first is removed; the version of another one still rises, as with any change. */
async function restore(
  deps: ReviewDeps,
  db: Db,
  by: { project: ProjectId; account: review.ReviewRow['createdBy'] },
  restored: readonly Restored[],
): Promise<void> {
  const { project } = by
  await changePets(
    deps,
    db,
    by,
    restored.map(({ pet, before: { name, categoryId, status } }) => ({
      now: pet,
      next: { id: pet.id, name, categoryId, status },
    })),
  )
  const [without, with_] = [
    restored.filter(({ before }) => before.version === 0),
    restored.filter(({ before }) => before.version > 0),
  ]
  await removeMany(
    db,
    project,
    without.map(({ pet }) => pet.id),
  )
  await putMany(
    db,
    project,
    with_.map(({ pet, before: { profile } }) => ({ pet: pet.id, profile })),
  )
}
