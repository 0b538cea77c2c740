// Queries for the photos of animals as visitors see them, inside one project: photos that are ready, and of these only
// what a page shows.

import { PHOTOS_MAX, type PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import { publicPhotoOf } from '../../photos/photo.ts'
import { coversOf } from '../../photos/photo-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

type Row = PublicPhoto & { id: bigint }
type Values = [project: ProjectId, ids: readonly bigint[]]

const photo = `pet_id as id, digest, recipe, widths, width, height, alt,
  json_build_object('x', focal_x, 'y', focal_y) as focal`

/** The animals, each with its first photo; those without one as they are. */
export const withCovers = async <A extends { id: bigint }>(
  db: Db,
  project: ProjectId,
  animals: readonly A[],
): Promise<(A & { cover?: PublicPhoto })[]> => {
  const covers = await coversOf(db, project, idsOf(animals))
  return animals.map((animal) => {
    const cover = covers.get(animal.id)
    return cover === undefined ? animal : { ...animal, cover: publicPhotoOf(cover) }
  })
}

const photoRows = statement<Row, Values>(
  'site-photos',
  `select ${photo}
   from photos
   where project_id = $1 and pet_id = any ($2::bigint[]) and state = 'ready'
   order by pet_id, position, photos.id`,
)

/** The animals, each with all of its photos in order; those without any as they are. */
export const withPhotos = async <A extends { id: bigint }>(
  db: Db,
  project: ProjectId,
  animals: readonly A[],
): Promise<(A & { photos?: readonly PublicPhoto[] })[]> => {
  const known = byAnimal(animals.length === 0 ? [] : await db(photoRows, project, idsOf(animals)))
  return animals.map((animal) => {
    const photos = known.get(animal.id)
    return photos === undefined ? animal : { ...animal, photos: photos.slice(0, PHOTOS_MAX) }
  })
}

const idsOf = (animals: readonly { id: bigint }[]) => animals.map(({ id }) => id)

function byAnimal(rows: readonly Row[]): Map<bigint, PublicPhoto[]> {
  const found = new Map<bigint, PublicPhoto[]>()
  for (const { id, ...one } of rows) found.set(id, [...(found.get(id) ?? []), one])
  return found
}
