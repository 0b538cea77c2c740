// Owners upload photos while the service, the worker and the processes in which it decodes are killed at random.
// Uploads without a response are repeated with the same key. Afterwards every photo that was acknowledged must be
// ready, the usage must be the sum of the sizes, and a sweep must leave no object without a photo.

import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { databaseObjects } from '../../../server/src/photos/store/database-objects.io.ts'
import { digestOfKey } from '../../../server/src/photos/store/object-keys.ts'
import { photoSweepWork } from '../../../server/src/photos/photo-sweep.io.ts'
import { sweepTimer } from '../../../server/src/photos/photo-timers.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'
import { openInstallation, photograph, withComment, type PhotoOwner } from '../../photos/installation.ts'

export type PhotoKillOptions = {
  kills: number
  port: number
  /** For a negative control: the bytes of an upload are gone although it was acknowledged. */
  losesBytes?: boolean
  /** The number of kills so far, after each. */
  onKill?: (count: number) => void
}
export type PhotoKillFigures = {
  kills: Readonly<Record<'serve' | 'work' | 'child', number>>
  acknowledged: number
  notReady: number
  /** Bytes by which a usage differs from the sum. */
  drift: number
  orphans: number
  seconds: number
}

const OWNERS = 3
const PER_ANIMAL = 20
const IN_WORK_MAX = 4
const PATIENCE_MS = 180_000

const sumsRow = statement<{ used: number; sum: number }, [project: bigint]>(
  'kill-photo-sums',
  `select photo_bytes::float8 as used,
     (select coalesce(sum(size), 0)::float8 from photos cross join lateral unnest(sizes) as size
      where project_id = $1) as sum
   from project_usage
   where project_id = $1`,
)
const digestRows = statement<{ digest: string; id: string }, [project: bigint]>(
  'kill-photo-digests',
  `select digest, id from photos where project_id = $1`,
)
const ageRows = statement<never, [project: bigint]>(
  'kill-age-objects',
  `update objects set created_at = created_at - interval '3 days' where project_id = $1`,
)

export async function killPhotos(
  { appUrl, ownerUrl }: { appUrl: string; ownerUrl: string },
  { kills, port, losesBytes = false, onKill }: PhotoKillOptions,
): Promise<PhotoKillFigures> {
  const startedAt = performance.now()
  const installation = openInstallation(appUrl, port)
  const inProject = inProjectOf(installation.database)
  const objects = databaseObjects(inProject)
  const killed = { serve: 0, work: 0, child: 0 }
  const acknowledged: { owner: PhotoOwner; animal: string; id: string }[] = []
  const over = new AbortController()
  try {
    await installation.start('serve')
    await installation.start('work')
    const owners = await Promise.all(Array.from({ length: OWNERS }, (_, index) => installation.owner(`store-${index}`)))
    const picture = await photograph(800, 600)
    const uploading = owners.map(async (owner, of) => {
      const state = { animal: await patiently(() => owner.addAnimal()) }
      for (let index = 0; !over.signal.aborted; index += 1) {
        if (index > 0 && index % PER_ANIMAL === 0) state.animal = await patiently(() => owner.addAnimal())
        // No faster than they are processed, or the end would only wait for the rest.
        while (!over.signal.aborted && (await inWork(owner, state.animal)) >= IN_WORK_MAX) await delay(100)
        const key = `${of}-${index}`
        const bytes = withComment(picture, key)
        const photo = await patiently(() => owner.upload(state.animal, bytes, key))
        acknowledged.push({ owner, animal: state.animal, id: photo.id })
        if (losesBytes && index % 20 === 3) await objects.remove(owner.project, `uploads/${photo.id}`)
      }
    })
    const victims = ['serve', 'work', 'child'] as const
    for (let count = 0; count < kills;) {
      await delay(Math.random() * 300)
      const victim = victims[Math.floor(Math.random() * victims.length)] ?? 'work'
      if (!(await installation.kill(victim))) continue
      count += 1
      killed[victim] += 1
      onKill?.(count)
      if (victim !== 'child') await installation.start(victim)
    }
    over.abort()
    await Promise.all(uploading)

    const animals = [...new Map(acknowledged.map((one) => [`${one.owner.project}/${one.animal}`, one])).values()]
    const notReady = async () => {
      const found = await Promise.all(animals.map(({ owner, animal }) => owner.photosOf(animal)))
      const ready = new Set(
        found.flatMap((photos = []) => photos.filter(({ state }) => state === 'ready').map(({ id }) => id)),
      )
      return acknowledged.filter(({ id }) => !ready.has(id)).length
    }
    const deadline = performance.now() + (losesBytes ? 30_000 : PATIENCE_MS)
    while ((await notReady()) > 0 && performance.now() < deadline) await delay(500)

    const figures = { notReady: await notReady(), drift: 0, orphans: 0 }
    const owning = openDatabase({ url: ownerUrl, poolMax: 1, onError: () => {} })
    const sweep = photoSweepWork({ inProject, objects, now: Date.now, onError: () => {} })
    for (const { project } of owners) {
      const [sums] = await inProject(project, (db) => db(sumsRow, project))
      figures.drift += Math.abs((sums?.used ?? 0) - (sums?.sum ?? 0))
      await inProjectOf(owning)(project, (db) => db(ageRows, project))
      await sweep.work({ ...sweepTimer(project), fence: 0n, attempts: 1 })
      const rows = await inProject(project, (db) => db(digestRows, project))
      const known = new Set(rows.flatMap(({ digest, id }) => [digest, `uploads/${id}`]))
      for (let after = ''; ;) {
        const page = await objects.list(project, '', after)
        figures.orphans += page.filter(({ key }) => !known.has(digestOfKey(key) ?? key)).length
        const last = page.at(-1)
        if (!last) break
        after = last.key
      }
    }
    await owning.close()
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    return { kills: killed, acknowledged: acknowledged.length, ...figures, seconds }
  } finally {
    over.abort()
    await installation.stop()
  }
}

/** As far as is known. */
const inWork = async (owner: PhotoOwner, animal: string): Promise<number> =>
  (await owner.photosOf(animal))?.filter(({ state }) => state === 'processing').length ?? 0

/** Repeats until there is a response. */
async function patiently<T>(request: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await request().catch((error: Error) => {
      if (error.name === 'TypeError' || error.name === 'SyntaxError') return undefined
      throw error
    })
    if (answer !== undefined) return answer
    await delay(50)
  }
}

/** The fault of the figures; undefined if the guarantees held. */
export function faultOf({ acknowledged, notReady, drift, orphans }: PhotoKillFigures): string | undefined {
  if (acknowledged === 0) return 'no photo was uploaded'
  if (notReady > 0) return `${notReady} photos that were acknowledged are not ready`
  if (drift > 0) return `the usage differs from the sum of the sizes by ${drift} bytes`
  return orphans > 0 ? `${orphans} objects belong to no photo` : undefined
}
