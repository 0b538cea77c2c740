// What routes of animals must know of their photos, which are a feature of their own.

import type { Photo, PublicPhoto } from '@petstore-platform/contract/platform/photos'
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
