// Routes for the photos of animals on `/platform/v1`: upload, change, order, delete, and show a file. Every change
// records an audit event and changes the usage in its own transaction.

import { masterFile } from '@petstore-platform/contract/photo-files'
import * as contract from '@petstore-platform/contract/platform/photos'
import type { FastifyInstance } from 'fastify'
import { lockAnimal } from '../animals/profile-queries.ts'
import { animalIdOf, petNotFound } from '../animals/v1-pet-routes.ts'
import { mount, type StreamedBody } from '../foundation/http/operation.io.ts'
import type { ReceivedFile } from '../foundation/http/receive-file.io.ts'
import { Slots } from '../foundation/load/slots.io.ts'
import type { Objects } from '../foundation/objects.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { processLimits } from '../plans/limit-table.ts'
import type { Platform } from '../projects/platform.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { addPhoto, type PhotoIntake } from './add-photo.io.ts'
import type { PhotoCapacity } from './photo-capacity.io.ts'
import { keyOfPhoto, readFileName, typeOfPhoto, PICTURE_POLICY } from './photo-file.ts'
import * as photos from './photo-queries.ts'
import { removeFilesLater } from './photo-removal.io.ts'
import { photoTimer } from './photo-timers.ts'
import { isSameSet, photoDigest, photoOf, sumOf, type PhotoRow } from './photo.ts'
import { fileKey, isUpload } from './store/object-keys.ts'
import { uploadPool, type UploadPlace } from './upload-pool.ts'

export function photoRoutes(app: FastifyInstance, platform: Platform, objects: Objects, capacity: PhotoCapacity): void {
  const { inProject, within, plans, now } = platform
  const slots = new Slots(processLimits.uploadsStored.most)
  const intake: PhotoIntake = { ...platform, objects, capacity, slots }
  const pool = uploadPool(plans.other, now)

  mount(app, contract.addPhoto, within, async ({ caller, path, body, idempotencyKey }) => {
    const { declaredBytes } = body
    const receive = () => receiveIn(pool.take(caller.account, declaredBytes), body)
    const upload = { pet: animalIdOf(path), body: { declaredBytes, receive }, key: idempotencyKey }
    const row = await addPhoto(intake, caller, upload)
    return { json: JSON.stringify(photoOf(row)) }
  })

  mount(app, contract.changePhoto, within, async ({ caller: { project, account }, path, body }) => {
    const pet = animalIdOf(path)
    const { photoId = '' } = path
    if (Object.keys(body).length === 0) {
      throw new Refusal('missing_field', 'Body must contain alt, focal or turn.')
    }
    if (body.turn !== undefined && !contract.turns.includes(body.turn)) {
      throw new Refusal('invalid_field', contract.changePhoto.body.faults.turn)
    }
    const row = await inProject(project, async (db) => {
      await photos.lock(db, project)
      const before = await photos.find(db, project, pet, photoId)
      if (!before) throw photoNotFound()
      if (body.turn !== undefined && body.turn !== before.turn) await turn(db, project, pet, before, body.turn)
      const changed = await photos.change(db, project, pet, photoId, { alt: body.alt, focal: body.focal })
      const detail = { photo: photoId, fields: Object.keys(body) }
      await recordAudit(db, project, { actor: account, action: 'photo_changed', subject: String(pet), detail })
      return changed ?? before
    })
    return { json: JSON.stringify(photoOf(row)) }
  })

  mount(app, contract.orderPhotos, within, async ({ caller: { project, account }, path, body: { photoIds } }) => {
    const pet = animalIdOf(path)
    const rows = await inProject(project, async (db) => {
      if (!(await lockAnimal(db, project, pet))) throw petNotFound()
      await photos.lock(db, project)
      const present = await photos.list(db, project, pet)
      const ids = present.map(({ id }) => id)
      if (!isSameSet(ids, photoIds)) throw new Refusal('stale_version', OTHER_PHOTOS)
      if (ids.join() === photoIds.join()) return present
      await photos.order(db, project, pet, photoIds)
      await recordAudit(db, project, { actor: account, action: 'photos_ordered', subject: String(pet) })
      return photos.list(db, project, pet)
    })
    return { json: JSON.stringify(rows.map(photoOf)) }
  })

  mount(app, contract.deletePhoto, within, async ({ caller: { project, account }, path }) => {
    const pet = animalIdOf(path)
    const { photoId = '' } = path
    await inProject(project, async (db) => {
      await photos.lock(db, project)
      const removed = await photos.remove(db, project, pet, photoId)
      if (removed.length === 0) throw photoNotFound()
      await forget(platform, db, project, pet, removed)
      const detail = { photo: photoId }
      await recordAudit(db, project, { actor: account, action: 'photo_deleted', subject: String(pet), detail })
    })
    return {}
  })

  mount(app, contract.getPhotoFile, within, async ({ caller: { project }, path: { digest = '', file: name = '' } }) => {
    const file = readFileName(name)
    const isThere = file && (await inProject(project, (db) => photos.hasFile(db, project, digest, file)))
    const bytes = isThere && (await objects.get(project, keyOfPhoto(digest, file)))
    if (!bytes) throw new Refusal('not_found', 'No photo has a file at this address.')
    return { bytes, type: typeOfPhoto(file), headers: { 'Content-Security-Policy': PICTURE_POLICY } }
  })
}

/** The place is its own until the file is closed. */
async function receiveIn(place: UploadPlace, body: StreamedBody): Promise<ReceivedFile> {
  try {
    const file = await body.receive(place)
    place.complete()
    return { ...file, close: () => file.close().finally(() => place.release()) }
  } catch (error) {
    place.release()
    throw error
  }
}

const OTHER_PHOTOS = "'photoIds' does not list the photos that the animal has now. Fetch them again, then retry."

const photoNotFound = () => new Refusal('not_found', 'No photo with this identifier.')

/** The master of the photo as it is now becomes the source; it stays what it is until the new files are there. */
async function turn(db: Db, project: ProjectId, pet: bigint, photo: PhotoRow, to: contract.Turn): Promise<void> {
  const { id, upload, digest, recipe } = photo
  const source = fileKey(digest, masterFile(recipe))
  const turned = await photos.turn(db, project, pet, id, { turn: to, digest: photoDigest(upload, to), source })
  if (!turned) throw new Refusal('wrong_state', 'Only a photo that is ready can be rotated.')
  await setTimer(db, photoTimer(project, pet, id))
}

/** In the transaction that deletes the animal. */
export async function removePhotos(
  context: Pick<ProjectContext, 'plans' | 'now'>,
  db: Db,
  project: ProjectId,
  pet: bigint,
): Promise<void> {
  await photos.lock(db, project)
  await forget(context, db, project, pet, await photos.removeAll(db, project, pet))
}

/** The usage ends now; the files are removed later. A worker that is processing one of them loses its claim. */
async function forget(
  context: Pick<ProjectContext, 'plans' | 'now'>,
  db: Db,
  project: ProjectId,
  pet: bigint,
  removed: readonly PhotoRow[],
): Promise<void> {
  if (removed.length === 0) return
  await photos.changeUsage(db, project, -removed.reduce((total, { sizes }) => total + sumOf(sizes), 0))
  const unused = removed.map(({ digest, sizes }) => ({ digest, bytes: sumOf(sizes) }))
  await removeFilesLater(context, db, project, unused)
  for (const { id, source } of removed) {
    if (source !== null && isUpload(source)) await setTimer(db, photoTimer(project, pet, id))
  }
}
