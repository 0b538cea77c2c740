// Queries for the background work on photos, inside one project: what becomes of one that was processed, and what is
// still needed of what is stored.

import type { PhotoReason, Turn } from '@petstore-platform/contract/platform/photos'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { PhotoRow } from './photo.ts'

export type Processed = Pick<PhotoRow, 'recipe' | 'widths' | 'sizes'> & { width: number; height: number }

const finishRow = statement<
  { id: string },
  [
    project: ProjectId,
    pet: bigint,
    id: string,
    digest: string,
    recipe: number,
    widths: readonly number[],
    sizes: readonly number[],
    width: number,
    height: number,
  ]
>(
  'finish-photo',
  `update photos
   set state = 'ready', source = null, recipe = $5, widths = $6, sizes = $7, width = $8, height = $9
   where project_id = $1 and pet_id = $2 and id = $3 and digest = $4 and state = 'processing'
   returning id`,
)

/** False if it is not being processed, or to be turned in another way. */
export const finish = async (
  db: Db,
  project: ProjectId,
  pet: bigint,
  { id, digest }: Pick<PhotoRow, 'id' | 'digest'>,
  { recipe, widths, sizes, width, height }: Processed,
): Promise<boolean> => (await db(finishRow, project, pet, id, digest, recipe, widths, sizes, width, height)).length > 0

const failRow = statement<
  { id: string },
  [project: ProjectId, pet: bigint, id: string, digest: string, reason: PhotoReason]
>(
  'fail-photo',
  `update photos
   set state = 'failed', reason = $5, source = null, widths = '{}', sizes = '{}', width = null, height = null
   where project_id = $1 and pet_id = $2 and id = $3 and digest = $4 and state = 'processing'
   returning id`,
)

/** Nothing of it is left, so it occupies nothing. */
export const fail = async (
  db: Db,
  project: ProjectId,
  pet: bigint,
  { id, digest }: Pick<PhotoRow, 'id' | 'digest'>,
  reason: PhotoReason,
): Promise<boolean> => (await db(failRow, project, pet, id, digest, reason)).length > 0

const turnBackRow = statement<
  { id: string },
  [project: ProjectId, pet: bigint, id: string, digest: string, turn: Turn, before: string]
>(
  'turn-photo-back',
  `update photos
   set state = 'ready', source = null, turn = $5, digest = $6
   where project_id = $1 and pet_id = $2 and id = $3 and digest = $4 and state = 'processing'
   returning id`,
)

/** A rotation that failed: the photo is what it was before. */
export const turnBack = async (
  db: Db,
  project: ProjectId,
  pet: bigint,
  { id, digest }: Pick<PhotoRow, 'id' | 'digest'>,
  before: { turn: Turn; digest: string },
): Promise<boolean> => (await db(turnBackRow, project, pet, id, digest, before.turn, before.digest)).length > 0

const digestRows = statement<{ digest: string }, [project: ProjectId, digests: readonly string[]]>(
  'list-digests-in-use',
  `select digest
   from photos
   where project_id = $1 and digest = any ($2::text[])
   union
   select split_part(source, '/', 2)
   from photos
   where project_id = $1 and source is not null and split_part(source, '/', 2) = any ($2::text[])`,
)

/** Those of a photo in any state, and those from which one is being made. */
export const digestsInUse = async (db: Db, project: ProjectId, digests: readonly string[]) =>
  new Set((await db(digestRows, project, digests)).map(({ digest }) => digest))

const sourceRows = statement<{ source: string }, [project: ProjectId, sources: readonly string[]]>(
  'list-sources-in-use',
  `select source
   from photos
   where project_id = $1 and source = any ($2::text[])`,
)

export const sourcesInUse = async (db: Db, project: ProjectId, sources: readonly string[]) =>
  new Set((await db(sourceRows, project, sources)).map(({ source }) => source))

/** What the photos occupy, counted. */
export const sum = query<{ bytes: number }, [project: ProjectId], number>(
  'sum-photos',
  `select coalesce(sum(size), 0)::float8 as bytes
   from photos
   cross join lateral unnest(sizes) as size
   where project_id = $1`,
  ([row]) => row?.bytes ?? 0,
)

export const setUsage = query<never, [project: ProjectId, bytes: number]>(
  'set-photo-usage',
  `update project_usage
   set photo_bytes = $2
   where project_id = $1`,
)

export type ProjectState = 'active' | 'deleted' | 'over'

/** `over` if the project was deleted longer ago than that. */
export const stateOf = query<{ state: ProjectState }, [project: ProjectId, seconds: number], ProjectState | undefined>(
  'find-project-state',
  `select case
     when deleted_at is null then 'active'
     when deleted_at < now() - make_interval(secs => $2) then 'over'
     else 'deleted' end as state
   from projects
   where project_id = $1`,
  ([row]) => row?.state,
)

export const animalsWithPhotos = query<{ pet: bigint }, [project: ProjectId, count: number], bigint[]>(
  'list-animals-with-photos',
  `select distinct pet_id as pet
   from photos
   where project_id = $1
   limit $2`,
  (rows) => rows.map(({ pet }) => pet),
)
