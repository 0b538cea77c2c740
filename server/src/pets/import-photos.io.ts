// Fetches the photos that an applied import names by https address, two at a time from a host, and adds them as if a member
// had uploaded them. A photo has a key of its own, so that a repeated attempt adds none twice. An animal that has photos of
// its own gets none.

import { hash } from 'node:crypto'
import { PHOTO_BYTES_MAX } from '@petstore-platform/contract/platform/photos'
import type { RowPhoto } from '@petstore-platform/contract/platform/import-shapes'
import { hostQueues, type HostQueues } from '../foundation/host-queues.ts'
import type { Fetched, FetchLimits } from '../foundation/http/fetch-public.io.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { addPhoto, type AddPhotoDeps, type Uploader } from './add-photo.io.ts'
import * as apply from './import-apply-queries.ts'
import { photoKey } from './import-photos.ts'
import * as review from './import-review-queries.ts'

export type PhotoFetchDeps = AddPhotoDeps & {
  database: Pick<Database, 'run'>
  fetchPhoto: (address: string, limits: FetchLimits) => Promise<Fetched>
}

const LIMITS: FetchLimits = { bytesMax: PHOTO_BYTES_MAX, milliseconds: 10_000 }
/** Long enough for photos that wait for those of other imports from the same slow host. */
const CLAIM_SECONDS = 300
const ROWS_AT_ONCE = 8
const PER_HOST = 2

export function importPhotoWork(deps: PhotoFetchDeps): TimerWork {
  // Imports of all projects share it: a host sees two connections, however many of them name it.
  const perHost = hostQueues(PER_HOST)
  return { claimSeconds: CLAIM_SECONDS, work: (due) => fetchAll(deps, perHost, due) }
}

async function fetchAll(deps: PhotoFetchDeps, perHost: HostQueues, due: Timer): Promise<void> {
  const project = due.project as ProjectId
  const found = await deps.inProject(project, (db) => review.find(db, project, due.id))
  if (found?.state !== 'succeeded') return
  for (;;) {
    const rows = await deps.inProject(project, (db) => apply.listFetching(db, project, due.id, ROWS_AT_ONCE))
    if (rows.length === 0) return
    await fetchRows(deps, perHost, due, found.createdBy, rows)
  }
}

async function fetchRows(
  deps: PhotoFetchDeps,
  perHost: HostQueues,
  due: Timer,
  account: Uploader['account'],
  rows: readonly apply.FetchingRow[],
): Promise<void> {
  const project = due.project as ProjectId
  const pets = rows.map(({ petId }) => petId)
  const others = await deps.inProject(project, (db) => apply.withOtherPhotos(db, project, pets, due.id))
  await Promise.all(
    rows.map(async ({ row, petId, photos }) => {
      const results: RowPhoto[] = []
      for (const [number, photo] of photos.entries()) {
        if (photo.state !== 'pending') results.push(photo)
        else if (others.has(petId)) results.push({ ...photo, state: 'failed', reason: 'The animal has other photos.' })
        else {
          const key = photoKey(due.id, row, number)
          const destination = { project, account, pet: petId, key }
          results.push(await perHost(new URL(photo.name).host, () => fetchOne(deps, due, destination, photo)))
        }
      }
      await deps.inProject(project, (db) => apply.writeFetched(db, project, due.id, row, results))
    }),
  )
}

type Destination = Uploader & { pet: bigint; key: string }

async function fetchOne(
  deps: PhotoFetchDeps,
  due: Timer,
  { project, account, pet, key }: Destination,
  photo: RowPhoto,
): Promise<RowPhoto> {
  if (!(await lockTimer(deps.database.run, due, CLAIM_SECONDS))) throw new Error(`another worker has taken ${due.id}`)
  const fetched = await deps.fetchPhoto(photo.name, LIMITS)
  if ('failure' in fetched) return { ...photo, state: 'failed', reason: fetched.failure }
  const { bytes } = fetched
  const file = {
    size: bytes.length,
    digest: hash('sha256', bytes, 'hex'),
    read: () => Promise.resolve(bytes),
    close: () => Promise.resolve(),
  }
  const body = { declaredBytes: bytes.length, receive: () => Promise.resolve(file) }
  try {
    await addPhoto(deps, { project, account }, { pet, body, key })
    return { ...photo, state: 'added' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...photo, state: 'failed', reason: error.message }
  }
}
