// Fetches the photos that an applied import names by https address, two at a time from a host, and adds them as if a member
// had uploaded them. A photo has a key of its own, so that a repeated attempt adds none twice. An animal that has photos of
// its own gets none. After a few rows, or some seconds, the import yields to others, and it gives up hosts that take too
// long: servers of strangers decide how long it takes.

import { hash } from 'node:crypto'
import { PHOTO_BYTES_MAX } from '@petstore-platform/contract/platform/photos'
import type { RowPhoto } from '@petstore-platform/contract/platform/import-shapes'
import type { Context } from '../foundation/context.ts'
import { SlotsByPlace } from '../foundation/load/slots.io.ts'
import type { Fetched, FetchLimits } from '../foundation/http/fetch-public.io.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { processLimits } from '../plans/limit-table.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { addPhoto, type PhotoIntake, type Uploader } from '../photos/add-photo.io.ts'
import { countLate, find, lateHosts } from './import-queries.ts'
import { givenUp, photoKey } from './photos.ts'
import * as stored from './row-queries.ts'

export type FetchPhoto = (address: string, limits: FetchLimits) => Promise<Fetched>

/** Takes in photos that it fetches. */
type FetchingIntake = PhotoIntake & Pick<Context, 'database'> & { fetchPhoto: FetchPhoto }

const LIMITS: FetchLimits = { bytesMax: PHOTO_BYTES_MAX, milliseconds: 10_000 }
const CLAIM_SECONDS = 300
/** Before the import yields, unless its time is over before. */
const ROWS_AT_ONCE = 8
/** No fetch begins later; those that have begun are finished. */
const BEGIN_MS = 10_000

/** Projects take turns at a host. */
type HostSlots = SlotsByPlace<bigint>

export function importPhotoWork(intake: FetchingIntake): TimerWork {
  // Imports of all projects share it: a host sees two connections, however many of them name it.
  const perHost: HostSlots = new SlotsByPlace(processLimits.photosOfHost.most)
  return { claimSeconds: CLAIM_SECONDS, work: (due) => fetchSome(intake, perHost, due) }
}

/** Due again at once, after others, while there may be more. */
async function fetchSome(intake: FetchingIntake, perHost: HostSlots, due: Timer): Promise<0 | undefined> {
  const project = due.project as ProjectId
  const found = await intake.inProject(project, (db) => find(db, project, due.id))
  if (found?.state !== 'succeeded') return undefined
  const rows = await intake.inProject(project, (db) => stored.listFetching(db, project, due.id, ROWS_AT_ONCE))
  if (rows.length === 0) return undefined
  await fetchRows(intake, perHost, due, found.createdBy, rows)
  return 0
}

async function fetchRows(
  intake: FetchingIntake,
  perHost: HostSlots,
  due: Timer,
  account: Uploader['account'],
  rows: readonly stored.FetchingRow[],
): Promise<void> {
  const project = due.project as ProjectId
  const endsAt = performance.now() + BEGIN_MS
  const pets = rows.map(({ petId }) => petId)
  const others = await intake.inProject(project, (db) => stored.withOtherPhotos(db, project, pets, due.id))
  const late = await intake.inProject(project, (db) => lateHosts(db, project, due.id))

  /** The photo as it was if it is not yet its turn. */
  const fetchAt = async (photo: RowPhoto, destination: Destination): Promise<RowPhoto> => {
    const { host } = new URL(photo.name)
    const release = await perHost.take(host, project, endsAt - performance.now())
    if (!release) return photo
    try {
      const reason = givenUp(late, host)
      if (reason !== undefined) return failed(photo, reason)
      if (performance.now() >= endsAt) return photo
      return await fetchOne(intake, due, destination, photo, async () => {
        late.set(host, (late.get(host) ?? 0) + 1)
        await intake.inProject(project, (db) => countLate(db, project, due.id, host))
      })
    } finally {
      release()
    }
  }

  await Promise.all(
    rows.map(async ({ row, petId, photos }) => {
      const results: RowPhoto[] = []
      for (const [number, photo] of photos.entries()) {
        const destination = { project, account, pet: petId, key: photoKey(due.id, row, number) }
        if (photo.state !== 'pending') results.push(photo)
        else if (others.has(petId)) results.push(failed(photo, 'The animal has other photos.'))
        else results.push(await fetchAt(photo, destination))
      }
      await intake.inProject(project, (db) => stored.writeFetched(db, project, due.id, row, results))
    }),
  )
}

const failed = (photo: RowPhoto, reason: string): RowPhoto => ({ ...photo, state: 'failed', reason })

type Destination = Uploader & { pet: bigint; key: string }

async function fetchOne(
  intake: FetchingIntake,
  due: Timer,
  { project, account, pet, key }: Destination,
  photo: RowPhoto,
  onLate: () => Promise<void>,
): Promise<RowPhoto> {
  if (!(await lockTimer(intake.database.run, due, CLAIM_SECONDS))) throw new Error(`another worker has taken ${due.id}`)
  const fetched = await intake.fetchPhoto(photo.name, LIMITS)
  if ('failure' in fetched) {
    if (fetched.isLate) await onLate()
    return failed(photo, fetched.failure)
  }
  const { bytes } = fetched
  const file = {
    size: bytes.length,
    digest: hash('sha256', bytes, 'hex'),
    read: () => Promise.resolve(bytes),
    close: () => Promise.resolve(),
  }
  const body = { declaredBytes: bytes.length, receive: () => Promise.resolve(file) }
  try {
    await addPhoto(intake, { project, account }, { pet, body, key })
    return { ...photo, state: 'added' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return failed(photo, error.message)
  }
}
