// Changes animals that exist already, for an import or its undo: names and categories here, the status through the writer of
// requests, which is the only one that makes requests fit it.

import { petStatuses } from '@petstore-platform/contract/pets'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { updatePets, type PetRow } from '../animals/many-animals-queries.ts'
import type { WholeImport } from './import-queries.ts'
import type { ReviewContext } from './step.io.ts'

export type ChangedPet = { now: Omit<PetRow, 'id'>; next: PetRow }

/** Only while they are locked. */
export async function changePets(
  { setStatuses }: Pick<ReviewContext, 'setStatuses'>,
  db: Db,
  by: { project: ProjectId; account: WholeImport['createdBy'] },
  changed: readonly ChangedPet[],
): Promise<void> {
  await updatePets(
    db,
    by.project,
    changed.map(({ next }) => next),
  )
  for (const status of petStatuses) {
    const pets = changed.filter(({ now, next }) => next.status === status && now.status !== status)
    if (pets.length > 0)
      await setStatuses(
        db,
        by,
        pets.map(({ next }) => next.id),
        status,
      )
  }
}
