// What lists and imports of animals must know of the requests for them, which are a feature of their own, and how imports
// change the status of animals: the requests for them must fit it, so their feature writes it.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

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
