// Batches reads and inserts of animals: one call per request, and few statements, across
// projects. A batch is bounded by its rows, and projects take turns, so a project with
// many requests delays the others by at most one batch.

import type { PetStatus } from '@petstore-platform/contract/pets'
import { batched } from '../foundation/load/batch.ts'
import { isRefusedData, type Database } from '../foundation/postgres/postgres.io.ts'
import * as pets from './pet-queries.ts'
import type { FindRequest, InsertRequest, ListRequest, ListByStatusRequest, Listed } from './pet-queries.ts'

export type PetStore = {
  list(ask: ListRequest & { status: PetStatus | undefined }): Promise<Listed>
  /** The animal as JSON text, if there is one. */
  find(ask: FindRequest): Promise<string | undefined>
  insert(ask: InsertRequest): Promise<bigint>
}

/** The maximum rows of one batch: about 5 ms of work for PostgreSQL. */
export const ROWS_AT_ONCE = 2000
/**
 * The maximum requests of one batch. For each of them PostgreSQL goes through the projects of all: that work
 * grows with the square, from about 5 ms for 200 to 250 ms for 2,000.
 */
export const ASKS_AT_ONCE = 200
/**
 * Concurrent batches of a kind. While one is in flight, the next gathers: measured, one lane makes the largest batches and
 * is the fastest for writes, and no slower than more of them for reads. Long lists of one project would delay those of
 * others there, so lists have a second lane.
 */
const LANES = 1
const LANES_OF_LISTS = 2

/** A short list counts for more than its rows, so that a batch has no more than ASKS_AT_ONCE requests. */
const rowsOf = ({ count }: ListRequest) => Math.max(count, ROWS_AT_ONCE / ASKS_AT_ONCE)

export function openPetStore({ run }: Pick<Database, 'run'>): PetStore {
  const common = { isBlamed: isRefusedData, groupOf: ({ project }: { project: bigint }) => project }
  const rows = { weightOf: rowsOf, weightMax: ROWS_AT_ONCE, lanes: LANES_OF_LISTS, keepsApart: true } as const
  const one = { weightOf: () => 1, weightMax: ASKS_AT_ONCE, lanes: LANES }

  const list = batched<ListRequest, Listed>({ ...common, ...rows, together: (asks) => pets.list(run, asks) })
  const listByStatus = batched<ListByStatusRequest, Listed>({
    ...common,
    ...rows,
    together: (asks) => pets.listByStatus(run, asks),
  })
  const find = batched<FindRequest, { json: string | null }>({
    ...common,
    ...one,
    together: (asks) => pets.find(run, asks),
  })
  const insert = batched<InsertRequest, { id: bigint }>({
    ...common,
    ...one,
    together: (asks) => pets.insert(run, asks),
  })
  return {
    list: ({ status, ...ask }) => (status === undefined ? list(ask) : listByStatus({ ...ask, status })),
    find: async (ask) => (await find(ask)).json ?? undefined,
    insert: async (ask) => (await insert(ask)).id,
  }
}
