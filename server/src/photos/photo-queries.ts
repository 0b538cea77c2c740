// Queries for the photos of animals, inside one project. A transaction that changes photos locks the usage of the
// project first, then rows of photos, then timers: in this order no two wait for each other.

import type { Turn } from '@petstore-platform/contract/platform/photos'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { PhotoFileName } from './photo-file.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { CoverRow, PhotoRow } from './photo.ts'

const columns = `id, state, reason, upload, digest, turn, source, recipe, widths, sizes::float8[] as sizes, width, height,
     alt, focal_x as "focalX", focal_y as "focalY"`

export const find = queryFirst<PhotoRow, [project: ProjectId, pet: bigint, id: string]>(
  'find-photo',
  `select ${columns}
   from photos
   where project_id = $1 and pet_id = $2 and id = $3`,
)

export const findByKey = queryFirst<PhotoRow & { pet: bigint }, [project: ProjectId, key: string]>(
  'find-photo-by-idempotency-key',
  `select pet_id as pet, ${columns}
   from photos
   where project_id = $1 and idempotency_key = $2`,
)

/** In order. */
export const list = query<PhotoRow, [project: ProjectId, pet: bigint]>(
  'list-photos',
  `select ${columns}
   from photos
   where project_id = $1 and pet_id = $2
   order by position, id`,
)

const coverRows = statement<CoverRow & { pet: bigint }, [project: ProjectId, pets: readonly bigint[]]>(
  'list-covers',
  `select distinct on (pet_id) pet_id as pet, digest, recipe, widths, width, height, alt,
     focal_x as "focalX", focal_y as "focalY"
   from photos
   where project_id = $1 and pet_id = any ($2::bigint[]) and state = 'ready'
   order by pet_id, position, id`,
)

/** The first photo that is ready, of each animal that has one. */
export const coversOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) => {
  const rows = pets.length === 0 ? [] : await db(coverRows, project, pets)
  return new Map(rows.map((row) => [row.pet, row]))
}

// One search of the primary key for each, whatever the planner expects.
const photographedRows = statement<{ id: bigint }, [project: ProjectId, pets: readonly bigint[]]>(
  'list-photographed',
  `select wanted.id
   from (select unnest($2::bigint[]) as id) as wanted
   cross join lateral (
     select
     from photos
     where project_id = $1 and pet_id = wanted.id and state = 'ready'
     limit 1
   ) as photo`,
)

/** Those of thousands of animals that have a photo that is ready. */
export const photographedOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Set((await db(photographedRows, project, pets)).map(({ id }) => id))

const fileRows = statement<
  { isThere: boolean },
  [project: ProjectId, digest: string, recipe: number, width: number | null]
>(
  'find-photo-file',
  `select true as "isThere"
   from photos
   where project_id = $1 and digest = $2 and state = 'ready' and recipe = $3
     and ($4::integer is null or $4 = any (widths))
   limit 1`,
)

/** Whether a photo of the project that is ready has this file. */
export const hasFile = async (db: Db, project: ProjectId, digest: string, file: PhotoFileName): Promise<boolean> =>
  (await db(fileRows, project, digest, file.recipe, file.width ?? null)).length > 0

export type NewPhoto = Pick<PhotoRow, 'id' | 'upload' | 'digest' | 'recipe'> & {
  source: string
  size: number
  key: string | undefined
}

const insertRow = statement<
  PhotoRow,
  [
    project: ProjectId,
    pet: bigint,
    id: string,
    upload: string,
    digest: string,
    source: string,
    recipe: number,
    size: number,
    key: string | undefined,
  ]
>(
  'insert-photo',
  `insert into photos (project_id, pet_id, id, upload, digest, source, recipe, sizes, idempotency_key, position)
   select $1::bigint, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::integer, array[$8::bigint], $9::text,
     coalesce(max(position), 0) + 1
   from photos
   where project_id = $1 and pet_id = $2
   returning ${columns}`,
)

/** After the others. */
export const insert = async (db: Db, project: ProjectId, pet: bigint, photo: NewPhoto): Promise<PhotoRow> => {
  const { id, upload, digest, source, recipe, size, key } = photo
  const [row] = await db(insertRow, project, pet, id, upload, digest, source, recipe, size, key)
  if (!row) throw new Error('an insert gave no row')
  return row
}

export type PhotoTexts = { alt: string | undefined; focal: { x: number; y: number } | undefined }

const changeRow = statement<
  PhotoRow,
  [project: ProjectId, pet: bigint, id: string, alt: string | undefined, x: number | undefined, y: number | undefined]
>(
  'change-photo',
  `update photos
   set alt = coalesce($4, alt), focal_x = coalesce($5, focal_x), focal_y = coalesce($6, focal_y)
   where project_id = $1 and pet_id = $2 and id = $3
   returning ${columns}`,
)

/** Undefined fields stay unchanged. */
export const change = async (db: Db, project: ProjectId, pet: bigint, id: string, { alt, focal }: PhotoTexts) =>
  (await db(changeRow, project, pet, id, alt, focal?.x, focal?.y))[0]

const turnRow = statement<
  PhotoRow,
  [project: ProjectId, pet: bigint, id: string, turn: Turn, digest: string, source: string]
>(
  'turn-photo',
  `update photos
   set turn = $4, digest = $5, source = $6, state = 'processing'
   where project_id = $1 and pet_id = $2 and id = $3 and state = 'ready'
   returning ${columns}`,
)

/** Undefined unless it is ready. */
export const turn = async (
  db: Db,
  project: ProjectId,
  pet: bigint,
  id: string,
  to: { turn: Turn; digest: string; source: string },
) => (await db(turnRow, project, pet, id, to.turn, to.digest, to.source))[0]

/** All photos of the animal must be listed. */
export const order = query<never, [project: ProjectId, pet: bigint, ids: readonly string[]]>(
  'order-photos',
  `update photos
   set position = array_position($3::text[], id)
   where project_id = $1 and pet_id = $2`,
)

export const remove = query<PhotoRow, [project: ProjectId, pet: bigint, id: string]>(
  'delete-photo',
  `delete from photos
   where project_id = $1 and pet_id = $2 and id = $3
   returning ${columns}`,
)

export const removeAll = query<PhotoRow, [project: ProjectId, pet: bigint]>(
  'delete-photos',
  `delete from photos
   where project_id = $1 and pet_id = $2
   returning ${columns}`,
)

const openUsageRow = statement<{ bytes: number; isFirst: boolean }, [project: ProjectId]>(
  'open-photo-usage',
  `insert into project_usage (project_id)
   values ($1)
   on conflict (project_id) do update
   set photo_bytes = project_usage.photo_bytes
   where project_usage.project_id = $1
   returning photo_bytes::float8 as bytes, xmax = 0 as "isFirst"`,
)

/** Locks the photos of a project that may have none yet. */
export const lockOrOpen = async (db: Db, project: ProjectId) => {
  const [row] = await db(openUsageRow, project)
  if (!row) throw new Error('an upsert gave no row')
  return row
}

/** In the transaction of what it counts; `bytes` may be negative. */
export const changeUsage = query<never, [project: ProjectId, bytes: number]>(
  'change-photo-usage',
  `update project_usage
   set photo_bytes = photo_bytes + $2
   where project_id = $1`,
)

export const usageOf = query<{ bytes: number }, [project: ProjectId], number>(
  'find-photo-bytes',
  `select photo_bytes::float8 as bytes
   from project_usage
   where project_id = $1`,
  ([row]) => row?.bytes ?? 0,
)

/** Until the transaction ends no other one changes photos of the project. Gives the usage. */
export const lock = query<{ bytes: number }, [project: ProjectId], number>(
  'lock-photos',
  `select photo_bytes::float8 as bytes
   from project_usage
   where project_id = $1
   for update`,
  ([row]) => row?.bytes ?? 0,
)
