// Undoes an import that was applied: animals that it added are removed, with the photos that belong to it, and the others
// get their old values back. Animals that were changed, requested or deleted since are left as they are, and listed. All
// in one transaction.

import type { Timer } from '../foundation/postgres/timer-leases.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { isCategoryCarried, removeCategory } from '../animals/category-queries.ts'
import * as many from '../animals/many-animals-queries.ts'
import { profilesOf, putMany, removeMany } from '../animals/profile-queries.ts'
import { removePhotos } from '../photos/photo-routes.ts'
import type { Kept } from './changes.ts'
import type { WholeImport } from './import-queries.ts'
import { isAsLeft, readAfter, readBefore, type Before } from './undo-state.ts'
import * as stored from './row-queries.ts'
import { changePets } from './statuses.io.ts'
import { claimExtender, conclude, inBatches, lost, type ReviewContext } from './step.io.ts'

export async function undoAll(context: ReviewContext, due: Timer, found: WholeImport): Promise<void> {
  const project = due.project as ProjectId
  await context.inProject(project, async (db) => {
    const kept: Kept[] = []
    let undone = 0
    const read = (after: number, count: number) => stored.listWritten(db, project, due.id, after, count)
    for await (const rows of inBatches(read, claimExtender(context, due))) {
      const left = await undoRows(context, db, project, due.id, rows, found)
      kept.push(...left)
      undone += rows.length - left.length
    }
    for (const id of found.madeCategories) {
      if (!(await isCategoryCarried(db, project, id))) await removeCategory(db, project, id)
    }
    if (!(await conclude(context, db, due, { kind: 'undone', kept, undone }))) throw lost(due)
  })
}

type Restored = { pet: many.PetRow; before: Before }

/** Those that were left as they are. */
async function undoRows(
  context: ReviewContext,
  db: Db,
  project: ProjectId,
  id: string,
  rows: readonly stored.WrittenRow[],
  { finishedAt, createdBy }: WholeImport,
): Promise<Kept[]> {
  const ids = rows.map(({ petId }) => petId)
  const pets = new Map((await many.readPets(db, project, ids, true)).map((pet) => [pet.id, pet]))
  const profiles = await profilesOf(db, project, ids)
  const requested = await context.requests.requestedSince(db, project, ids, finishedAt ?? new Date(0))
  const photographed = await stored.withOtherPhotos(db, project, ids, id)
  const kept: Kept[] = []
  const removed: bigint[] = []
  const restored: Restored[] = []
  for (const { petId, before: was, after: left } of rows) {
    const pet = pets.get(petId)
    const [before, after] = [readBefore(was), readAfter(left)]
    const keep = (reason: Kept['reason']) =>
      void kept.push({ id: String(petId), name: pet?.name ?? after.name, reason })
    const version = profiles.get(petId)?.version ?? 0
    if (!pet) keep('deleted')
    else if (requested.has(petId)) keep('requested')
    else if (!isAsLeft(after, { ...pet, version })) keep('changed')
    else if (before) restored.push({ pet, before })
    else if (photographed.has(petId)) keep('changed')
    else removed.push(petId)
  }
  await remove(context, db, project, id, removed)
  await restore(context, db, { project, account: createdBy }, restored)
  return kept
}

async function remove(
  context: ReviewContext,
  db: Db,
  project: ProjectId,
  id: string,
  ids: readonly bigint[],
): Promise<void> {
  const photographed = new Set((await stored.ownPhotos(db, project, ids, id)).map(({ pet }) => pet))
  for (const pet of photographed) await removePhotos(context, db, project, pet)
  await removeMany(db, project, ids)
  await many.deletePets(db, project, ids)
}

/** A profile that the import wrote first is removed; the version of another one still rises, as with any change. */
async function restore(
  context: ReviewContext,
  db: Db,
  by: { project: ProjectId; account: WholeImport['createdBy'] },
  restored: readonly Restored[],
): Promise<void> {
  const { project } = by
  await changePets(
    context,
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
