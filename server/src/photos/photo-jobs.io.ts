// Processes photos. The files are stored first, then one transaction makes the photo ready, and only then its upload is
// removed: a worker can die at any point, and the next one finds everything that it needs. One that lost its claim in
// the meantime changes nothing. An object that is there already is kept, so that an address never changes its bytes.

import { RECIPE } from '@petstore-platform/contract/photo-files'
import { ObjectsUnavailable, type Objects } from '../foundation/objects.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, setTimer, type Timer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as photos from './photo-queries.ts'
import { removeFilesLater } from './photo-removal.io.ts'
import { photoOfTimer } from './photo-timers.ts'
import * as work from './photo-work-queries.ts'
import { processingOf, sumOf, type PhotoRow } from './photo.ts'
import type { PhotoProcessor, PhotoResult } from './processing/photo-task.ts'
import { fileKey, filesPrefix, uploadKey } from './store/object-keys.ts'

/** A worker extends its claim while it works; the photo of one that died is taken over after this time. */
const CLAIM_SECONDS = 10
const EXTENDED_EVERY_MS = 3000
/** A photo that was given up so often, whatever the reason, is not tried for ever. */
const ATTEMPTS_MAX = 20
/** While the store is unavailable, which is no fault of the photo and counts as no attempt. */
const OUTAGE_SECONDS = 30

type WorkContext = Pick<ProjectContext, 'database' | 'inProject' | 'objects' | 'plans' | 'now' | 'onError'>
type Processor = Pick<PhotoProcessor, 'process'>

export const photoWork = (context: WorkContext, processor: Processor): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    try {
      await workOn(context, processor, due)
    } catch (error) {
      if (!(error instanceof ObjectsUnavailable)) throw error
      context.onError(error)
      await setTimer(context.database.run, due, OUTAGE_SECONDS)
    }
  },
})

async function workOn(context: WorkContext, processor: Processor, due: Timer): Promise<void> {
  const project = due.project as ProjectId
  const { pet, photo } = photoOfTimer(due.id)
  const row = await context.inProject(project, (db) => photos.find(db, project, pet, photo))
  if (row && row.source !== null) {
    const { source } = row
    const result = await claimed(context.database.run, due, () => resultOf(context, processor, due, row, source))
    await context.inProject(project, (db) => conclude(context, db, due, row, result))
  }
  await context.objects.remove(project, uploadKey(photo))
}

type Outcome = work.Processed | Extract<PhotoResult, { outcome: 'failed' }>

async function resultOf(
  { objects, onError }: WorkContext,
  processor: Processor,
  { project, id, attempts }: Timer,
  row: PhotoRow,
  key: string,
): Promise<Outcome> {
  if (attempts > ATTEMPTS_MAX) return { outcome: 'failed', reason: 'internal' }
  const bytes = await objects.get(project, key)
  if (!bytes) {
    onError(new Error(`the bytes of photo ${id} of project ${project} are gone`))
    return { outcome: 'failed', reason: 'internal' }
  }
  const { source, turn } = processingOf(row, key)
  const result = await processor.process(bytes, { source, turn })
  if (result.outcome === 'failed') return result
  const { width, height, widths, files } = result
  for (const file of files) await objects.putIfAbsent(project, fileKey(row.digest, file.name), file.bytes)
  const sizes = await storedSizes(objects, project, row.digest, files)
  return { recipe: RECIPE, width, height, widths: [...widths], sizes }
}

/** As stored: a file that was there before may have another size than the one that was made now. */
async function storedSizes(
  objects: Objects,
  project: bigint,
  digest: string,
  files: readonly { name: string }[],
): Promise<number[]> {
  const stored = await objects.list(project, filesPrefix(digest))
  const sizes = new Map(stored.map(({ key, size }) => [key, size]))
  return files.map(({ name }) => {
    const size = sizes.get(fileKey(digest, name))
    if (size === undefined) throw new Error(`${name} of ${digest} was stored and is gone`)
    return size
  })
}

/** Usage first, then the claim: the order of locks in photo-queries.ts. */
async function conclude(
  context: Pick<WorkContext, 'plans' | 'now'>,
  db: Db,
  due: Timer,
  row: PhotoRow,
  outcome: Outcome,
): Promise<void> {
  const project = due.project as ProjectId
  const { pet } = photoOfTimer(due.id)
  await photos.lock(db, project)
  if (!(await lockTimer(db, due, CLAIM_SECONDS))) throw lost(due)
  const { before } = processingOf(row, row.source ?? '')
  if (!('outcome' in outcome)) {
    if (!(await work.finish(db, project, pet, row, outcome))) throw lost(due)
    await photos.changeUsage(db, project, sumOf(outcome.sizes) - sumOf(row.sizes))
    if (before) await removeFilesLater(context, db, project, [{ digest: before.digest, bytes: sumOf(row.sizes) }])
  } else if (before) {
    if (!(await work.turnBack(db, project, pet, row, before))) throw lost(due)
  } else {
    if (!(await work.fail(db, project, pet, row, outcome.reason))) throw lost(due)
    await photos.changeUsage(db, project, -sumOf(row.sizes))
  }
}

const lost = ({ id }: Timer) => new Error(`another worker has taken photo ${id}, or it has changed`)

/** Extends the claim while the work is in progress. If that fails, the end of the work finds out. */
async function claimed<T>(run: Db, due: Timer, perform: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void lockTimer(run, due, CLAIM_SECONDS).catch(() => {}), EXTENDED_EVERY_MS)
  try {
    return await perform()
  } finally {
    clearInterval(timer)
  }
}
