// Removes stored files that no photo has any more. A week after a photo was deleted its files are removed, unless
// another photo has the same. Every week a sweep of the project removes what was left behind by a process that died,
// and counts its usage again. Nothing is removed while a photo can begin to use it: both lock the photos of the project.

import type { Objects, StoredObject } from '../foundation/objects.ts'
import { pendingTimers, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { digestOfKey, filesPrefix, isUpload } from './store/object-keys.ts'
import { findStanding } from '../projects/directory.io.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as photos from './photo-queries.ts'
import { DAY_SECONDS, REMOVAL_SECONDS, SWEEP_SECONDS, removalTimer } from './photo-timers.ts'
import * as work from './photo-work-queries.ts'

type RowsAndFiles = Pick<ProjectContext, 'inProject' | 'objects'>

const CLAIM_SECONDS = 120
/** Whatever is younger may belong to a photo that is about to be added. */
const LEFT_BEHIND_MS = 48 * 3600 * 1000

export const photoRemovalWork = (context: RowsAndFiles): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work({ project: of, id: digest }) {
    await removeUnused(context, of as ProjectId, digest)
  },
})

function removeUnused({ inProject, objects }: RowsAndFiles, project: ProjectId, digest: string) {
  return inProject(project, async (db) => {
    await photos.lock(db, project)
    if ((await work.digestsInUse(db, project, [digest])).has(digest)) return
    for (const { key } of await objects.list(project, filesPrefix(digest))) {
      // The store may be slow, and PostgreSQL ends a transaction that is idle for long: without the lock nothing is
      // removed.
      await photos.lock(db, project)
      await objects.remove(project, key)
    }
  })
}

export const photoSweepWork = (context: RowsAndFiles & Pick<ProjectContext, 'now' | 'onError'>): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  async work(due) {
    const project = due.project as ProjectId
    const [state, standing] = await context.inProject(project, (db) =>
      Promise.all([work.stateOf(db, project, REMOVAL_SECONDS), findStanding(db, project)]),
    )
    if (state === 'deleted' && !standing?.erasingAt) return DAY_SECONDS
    if (state !== 'active') return removeProject(context, project)
    for await (const page of pagesOf(context.objects, project)) {
      const old = page.filter(({ storedAt }) => storedAt < context.now() - LEFT_BEHIND_MS)
      await sweepUploads(context, project, old)
      await sweepFiles(context, project, old)
    }
    await recount(context, project)
    return SWEEP_SECONDS
  },
})

async function* pagesOf(objects: Objects, project: ProjectId): AsyncGenerator<readonly StoredObject[]> {
  let page = await objects.list(project, '')
  while (page.length > 0) {
    yield page
    page = await objects.list(project, '', page.at(-1)?.key)
  }
}

async function sweepUploads({ inProject, objects }: RowsAndFiles, project: ProjectId, old: readonly StoredObject[]) {
  const keys = old.map(({ key }) => key).filter(isUpload)
  const used = await inProject(project, (db) => work.sourcesInUse(db, project, keys))
  for (const key of keys) if (!used.has(key)) await objects.remove(project, key)
}

/** Those of deleted photos have a timer of their own. */
async function sweepFiles({ inProject, objects }: RowsAndFiles, project: ProjectId, old: readonly StoredObject[]) {
  const digests = [...new Set(old.map(({ key }) => digestOfKey(key)).filter((digest) => digest !== undefined))]
  const { kind } = removalTimer(project, '')
  const unused = await inProject(project, async (db) => {
    const used = await work.digestsInUse(db, project, digests)
    const pending = await pendingTimers(db, kind, project, digests)
    return digests.filter((digest) => !used.has(digest) && !pending.has(digest))
  })
  for (const digest of unused) await removeUnused({ inProject, objects }, project, digest)
}

async function recount(
  { inProject, onError }: Pick<ProjectContext, 'inProject' | 'onError'>,
  project: ProjectId,
): Promise<void> {
  const drift = await inProject(project, async (db) => {
    const counted = await photos.lock(db, project)
    const bytes = await work.sum(db, project)
    if (bytes !== counted) await work.setUsage(db, project, bytes)
    return bytes - counted
  })
  if (drift !== 0) onError(new Error(`the photos of project ${project} were counted wrongly by ${drift} bytes`))
}

const ANIMALS_AT_ONCE = 100

/** Its rows first: without them nothing is served, and a sweep that dies is repeated. */
async function removeProject({ inProject, objects }: RowsAndFiles, project: ProjectId): Promise<void> {
  const removeSome = () =>
    inProject(project, async (db) => {
      await photos.lock(db, project)
      const pets = await work.animalsWithPhotos(db, project, ANIMALS_AT_ONCE)
      for (const pet of pets) await photos.removeAll(db, project, pet)
      await work.setUsage(db, project, await work.sum(db, project))
      return pets.length > 0
    })
  while (await removeSome());
  for await (const page of pagesOf(objects, project)) {
    for (const { key } of page) await objects.remove(project, key)
  }
}
