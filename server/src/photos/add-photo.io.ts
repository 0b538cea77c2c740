// Takes in a photo. Everything that can be refused without its bytes is refused before they are read. The bytes are
// stored first; then the row, the usage and the timer commit together: a photo that was acknowledged has its bytes,
// and bytes without a photo are swept.

import { RECIPE } from '@petstore-platform/contract/photo-files'
import { PHOTOS_MAX } from '@petstore-platform/contract/platform/photos'
import * as animals from '../animals/animal-queries.ts'
import { lockAnimal } from '../animals/profile-queries.ts'
import { petNotFound } from '../animals/v1-pet-routes.ts'
import type { ReceivedFile } from '../foundation/http/receive-file.io.ts'
import type { Slots } from '../foundation/load/slots.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'
import type { Member } from '../projects/membership.io.ts'
import type { PlanRules } from '../projects/plan-rules.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { findProject, recordAudit } from '../projects/project-queries.ts'
import { refuseTooMany } from '../projects/stored-usage.io.ts'
import type { PhotoCapacity } from './photo-capacity.io.ts'
import * as photos from './photo-queries.ts'
import { photoTimer, sweepTimer, SWEEP_SECONDS } from './photo-timers.ts'
import { photoDigest, type PhotoRow } from './photo.ts'
import { readPhotoHeader } from './processing/photo-header.ts'
import { uploadKey } from './store/object-keys.ts'

/** What takes in photos: the space that is left for them, and how many are stored at once. */
export type PhotoIntake = Pick<ProjectContext, 'inProject' | 'newId' | 'objects' | 'plans'> & {
  capacity: PhotoCapacity
  /**
   * Of uploads that are stored: the bytes of each are in memory for a moment. The body has arrived before, so however slowly
   * a client sends, it occupies no slot. Accounts take turns.
   */
  slots: Slots<string>
}

/** On whose behalf a photo is added. */
export type Uploader = Pick<Member, 'project' | 'account'>

export type NewUpload = {
  pet: bigint
  /** `receive` waits for the client, for as long as it takes. */
  body: { declaredBytes: number | undefined; receive: () => Promise<ReceivedFile> }
  key: string | undefined
}

const STORED_WITHIN_MS = 30 * SECOND

export async function addPhoto(intake: PhotoIntake, member: Uploader, upload: NewUpload): Promise<PhotoRow> {
  await refuseUnread(intake, member, upload)
  const file = await upload.body.receive()
  try {
    const release = await intake.slots.take(member.account, STORED_WITHIN_MS)
    if (!release) throw new Refusal('service_unavailable', undefined, { 'Retry-After': '2' })
    return await store(intake, member, upload, file).finally(release)
  } finally {
    await file.close()
  }
}

/** A repeated request adds nothing, so no limit can refuse it. */
async function refuseUnread(intake: PhotoIntake, { project }: Uploader, { pet, body, key }: NewUpload): Promise<void> {
  const bytes = body.declaredBytes ?? 1
  const isRepeated = await intake.inProject(project, async (db) => {
    if (!(await animals.find(db, project, pet))) throw petNotFound()
    if (key !== undefined && (await photos.findByKey(db, project, key))) return true
    refuseMany(await photos.list(db, project, pet))
    await refuseBeyondPlan(db, intake.plans, project, await photos.usageOf(db, project), bytes)
    return false
  })
  if (!isRepeated) await intake.capacity.refuseFull(bytes)
}

async function store(intake: PhotoIntake, member: Uploader, upload: NewUpload, file: ReceivedFile): Promise<PhotoRow> {
  const { inProject, objects } = intake
  const { project } = member
  const known = await inProject(project, (db) => findRepeated(db, project, upload, file))
  if (known) return known
  const bytes = await file.read()
  const header = readPhotoHeader(bytes)
  if ('fault' in header) throw new Refusal('invalid_image', header.fault)
  const id = intake.newId('pho')
  await objects.putIfAbsent(project, uploadKey(id), bytes)
  const row = await inProject(project, (db) => insert(db, intake, member, upload, id, file)).catch(
    async (error: unknown) => {
      // Nothing was committed. After any other error that is not certain, and the sweep removes what is left.
      if (error instanceof Refusal) await objects.remove(project, uploadKey(id))
      throw error
    },
  )
  if (row.id !== id) await objects.remove(project, uploadKey(id))
  return row
}

async function insert(
  db: Db,
  { plans }: Pick<PhotoIntake, 'plans'>,
  { project, account }: Uploader,
  upload: NewUpload,
  id: string,
  { size, digest }: ReceivedFile,
): Promise<PhotoRow> {
  const { pet, key } = upload
  if (!(await lockAnimal(db, project, pet))) throw petNotFound()
  const { bytes, isFirst } = await photos.lockOrOpen(db, project)
  const known = await findRepeated(db, project, upload, { digest })
  if (known) return known
  refuseMany(await photos.list(db, project, pet))
  await refuseBeyondPlan(db, plans, project, bytes, size)
  const row = await photos.insert(db, project, pet, {
    id,
    upload: digest,
    digest: photoDigest(digest, 0),
    source: uploadKey(id),
    recipe: RECIPE,
    size,
    key,
  })
  await refuseTooMany(db, project, plans, 'photos')
  await photos.changeUsage(db, project, size)
  await setTimer(db, photoTimer(project, pet, id))
  if (isFirst) await setTimer(db, sweepTimer(project), SWEEP_SECONDS)
  const detail = { photo: id }
  await recordAudit(db, project, { actor: account, action: 'photo_added', subject: String(pet), detail })
  return row
}

async function findRepeated(
  db: Db,
  project: Member['project'],
  { pet, key }: NewUpload,
  { digest }: Pick<ReceivedFile, 'digest'>,
): Promise<PhotoRow | undefined> {
  const known = key === undefined ? undefined : await photos.findByKey(db, project, key)
  if (known && (known.pet !== pet || known.upload !== digest)) throw new Refusal('idempotency_key_reused', REUSED)
  return known
}

const REUSED = 'This Idempotency-Key was used for another photo.'

function refuseMany({ length }: readonly PhotoRow[]): void {
  if (length < PHOTOS_MAX) return
  throw new Refusal('limit_reached', `An animal can have at most ${PHOTOS_MAX} photos.`)
}

async function refuseBeyondPlan(
  db: Db,
  plans: PlanRules,
  project: Member['project'],
  used: number,
  more: number,
): Promise<void> {
  const owner = await findProject(db, project)
  if (!owner) throw new Refusal('not_found', 'No project with this slug.')
  const over = plans.overLimit(owner.plan, 'photoBytes', used, more)
  if (over) throw over
}
