// What lists and imports of animals must know of features that build on them: photos and requests. How imports change the
// status of animals is one of them: the requests for them must fit it, so their feature writes it.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { Photo, PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type AnimalPhotos = {
  list: (db: Db, project: ProjectId, pet: bigint) => Promise<readonly Photo[]>
  /** The first photo of each animal that has one which is ready. */
  coversOf: (db: Db, project: ProjectId, pets: readonly bigint[]) => Promise<ReadonlyMap<bigint, PublicPhoto>>
  /** Those of the animals that have a photo. */
  photographedOf: (db: Db, project: ProjectId, pets: readonly bigint[]) => Promise<ReadonlySet<bigint>>
  /** In the transaction that deletes the animal. */
  removeAll: (db: Db, project: ProjectId, pet: bigint) => Promise<void>
}

export type AnimalRequests = {
  /** The number of open requests of each animal that has some. */
  countOpen: (db: Db, project: ProjectId, pets: readonly bigint[]) => Promise<ReadonlyMap<bigint, number>>
  /** Those of the animals that have open requests. */
  withOpenRequests: (db: Db, project: ProjectId, pets: readonly bigint[]) => Promise<ReadonlySet<bigint>>
  /** Those that were requested at that time or later. */
  requestedSince: (db: Db, project: ProjectId, pets: readonly bigint[], since: Date) => Promise<ReadonlySet<bigint>>
}

/** As a member would by hand, in the transaction of the caller. */
export type SetStatuses = (
  db: Db,
  by: { project: ProjectId; account: AccountId },
  pets: readonly bigint[],
  status: PetStatus,
) => Promise<unknown>
