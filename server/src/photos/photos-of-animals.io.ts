// The photos of animals as the feature of animals reads and removes them.

import type { AnimalPhotos } from '../animals/ports.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { photoOf, publicPhotoOf } from './photo.ts'
import * as photos from './photo-queries.ts'
import { removePhotos } from './photo-routes.ts'

export const photosOfAnimals = (context: Pick<ProjectContext, 'plans' | 'now'>): AnimalPhotos => ({
  list: async (db, project, pet) => (await photos.list(db, project, pet)).map(photoOf),
  async coversOf(db, project, pets) {
    const covers = await photos.coversOf(db, project, pets)
    return new Map([...covers].map(([pet, cover]) => [pet, publicPhotoOf(cover)]))
  },
  photographedOf: photos.photographedOf,
  removeAll: (db, project, pet) => removePhotos(context, db, project, pet),
})
