// Photos in a bucket, and a database that is restored from a backup of some days ago: PostgreSQL is stopped, its data
// directory copied, and started again. Then photos are added and deleted day after day, while timers and sweeps run on
// a clock that is moved. At last PostgreSQL is started on the copy: every photo that was ready at the time of the
// backup must have all of its files in the bucket, and keep them in a sweep of the restored database.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { masterFile, sharedFile, variantFile } from '@petstore-platform/contract/photo-files'
import { freePort } from '../../../devserver/free-port.ts'
import { provision, startPostgres } from '../../../devserver/postgres.ts'
import { migrate } from '../../../server/src/foundation/postgres/migrate.io.ts'
import { statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { runTimers } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { fileKey, filesPrefix } from '../../../server/src/photos/store/object-keys.ts'
import { createPhotoProcessor } from '../../../server/src/photos/processing/process-photo.io.ts'
import { s3Objects } from '../../../server/src/photos/store/s3-objects.io.ts'
import { defaultRules } from '../../../server/src/plans/limits.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { startService } from '../../../server/src/program/serve.ts'
import { photoWork } from '../../../server/src/photos/photo-jobs.io.ts'
import { photoRemovalWork, photoSweepWork } from '../../../server/src/photos/photo-sweep.io.ts'
import { sweepTimer } from '../../../server/src/photos/photo-timers.ts'
import { inProjectOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import { newClusterDirectory } from '../../harness/cluster-directory.ts'
import { exchange } from '../../harness/http.ts'
import type { GatewaySettings } from '../../harness/object-gateway.ts'
import { newOwner, type Owner } from '../../harness/people.ts'
import { quadrants } from '../../photos/quadrants.ts'
import { jpegSegment, withJpegSegments } from '../../photos/containers.ts'

export type PhotoRestoreOptions = {
  store: GatewaySettings
  photos: number
  days: number
}
/** Of one project, whose files are removed a week after a photo was deleted; or at once, as a negative control. */
export type PhotoRestoreFigures = {
  /** Ready at the time of the backup. */
  photos: number
  deletedSince: number
  addedSince: number
  /** Files that the restored database refers to and the bucket does not have. */
  missing: number
  /** The same, after a sweep of the restored database. */
  missingAfterSweep: number
}

const DAY_SECONDS = 24 * 3600
const PER_ANIMAL = 20
const PATIENCE_MS = 120_000
const DATABASE = 'petstore'
/** Its files are copied only after it has been stopped properly. */
const settings = { fsync: 'off', full_page_writes: 'off', 'petstore.data_may_be_lost': 'on' }

const readyRows = statement<{ digest: string; recipe: number; widths: number[] }, [project: bigint]>(
  'restore-ready-photos',
  `select digest, recipe, widths from photos where project_id = $1 and state = 'ready'`,
)
const passTime = statement<never, [seconds: number, projects: readonly bigint[]]>(
  'restore-pass-time',
  `update due_directory
   set due_at = due_at - make_interval(secs => $1)
   where kind in ('photo_removal', 'photo_sweep') and project_id = any ($2::bigint[])`,
)
const dueRows = statement<{ kind: string }, []>(
  'restore-due',
  `select kind from due_directory where kind in ('photo', 'photo_removal', 'photo_sweep') and due_at <= now()`,
)

/** Two projects side by side: one as it is, and one whose files are removed at once. */
export async function restorePhotos(
  options: PhotoRestoreOptions,
): Promise<{ asItIs: PhotoRestoreFigures; atOnce: PhotoRestoreFigures }> {
  const { photos, days, store } = options
  const directory = newClusterDirectory()
  const backup = `${directory}-backup`
  const picture = await quadrants({ width: 400, height: 300, orientation: 1, format: 'jpeg' })
  let postgres = await startPostgres({ directory, settings })
  // The same each time: owners keep its address.
  const port = await freePort()
  const running = () => openRunning(postgres.urlOf('petstore_app', DATABASE), port, store)
  try {
    await provision(postgres.superuserUrl, DATABASE)
    await migrate(postgres.urlOf('petstore_owner', DATABASE))
    let now = await running()
    const owners = [await now.owner('as-it-is'), await now.owner('at-once')] as const
    const projects = owners.map(({ project }) => project)
    const added = await Promise.all(
      owners.map((owner) => addPhotos(owner, photos, (index) => withComment(picture, `before ${index}`))),
    )
    await now.settle()
    await now.stop()
    await postgres.stop()
    execFileSync('cp', ['-a', directory, backup])

    postgres = await startPostgres({ directory, settings })
    now = await running()
    const deletedSince = Math.ceil(photos / 2)
    const perDay = Math.ceil(deletedSince / days)
    for (let day = 1; day <= days; day += 1) {
      for (const [index, owner] of owners.entries()) {
        const today = added[index]?.slice(0, deletedSince).slice((day - 1) * perDay, day * perDay) ?? []
        for (const { animal, id } of today) await owner.remove(animal, id)
        await addPhotos(owner, 1, () => withComment(picture, `day ${day}`))
      }
      await now.pass(DAY_SECONDS, projects)
      await now.pass(7 * DAY_SECONDS, [owners[1].project])
      for (const project of projects) await now.sweep(project, day)
    }
    await now.stop()
    await postgres.stop()

    postgres = await startPostgres({ directory: backup, settings })
    now = await running()
    const figuresOf = async (project: ProjectId): Promise<PhotoRestoreFigures> => {
      const restored = await missingOf(now.database, store, project)
      await now.sweep(project, days)
      const { missing: missingAfterSweep } = await missingOf(now.database, store, project)
      return { ...restored, deletedSince, addedSince: days, missingAfterSweep }
    }
    const figures = { asItIs: await figuresOf(owners[0].project), atOnce: await figuresOf(owners[1].project) }
    await now.stop()
    return figures
  } finally {
    await postgres.stop()
    for (const one of [directory, backup]) rmSync(one, { recursive: true, force: true })
  }
}

const DASHBOARD = 'https://dashboard.petstore.example'

/** The work on photos is done here, where its clock can be moved. */
async function openRunning(appUrl: string, port: number, { config, env }: GatewaySettings) {
  const settings = {
    DATABASE_URL: appUrl,
    PORT: String(port),
    DASHBOARD_ORIGIN: DASHBOARD,
    RATE_LIMIT_PER_ACCOUNT: '1000000000',
  }
  const service = await startService(parseConfig({ ...settings, ...env }), { logger: { level: 'silent' } })
  const { database } = service
  const errors: Error[] = []
  const processor = createPhotoProcessor({ processes: 1 })
  const deps = {
    database,
    inProject: inProjectOf(database),
    objects: s3Objects(config),
    now: Date.now,
    plans: defaultRules,
    onError: (error: Error) => void errors.push(error),
  }
  const kinds = {
    photo: photoWork(deps, processor),
    photo_removal: photoRemovalWork(deps),
    photo_sweep: photoSweepWork(deps),
  }
  const worker = runTimers({ run: database.run, kinds, atOnce: 2, pauseMs: 20, onError: deps.onError })
  const settle = async () => {
    const deadline = performance.now() + PATIENCE_MS
    while ((await database.run(dueRows)).length > 0) {
      if (performance.now() > deadline) throw new Error(`Work is left over: ${errors.map(String).join('; ')}`)
      await delay(20)
    }
  }
  return {
    database,
    owner: async (slug: string) => clientOf(await newOwner(database, slug, 'enterprise'), port),
    settle,
    async pass(seconds: number, projects: readonly ProjectId[]) {
      await database.run(passTime, seconds, projects)
      await settle()
    },
    /** So many days from now. */
    async sweep(project: ProjectId, days: number) {
      const then = () => Date.now() + days * DAY_SECONDS * 1000
      await photoSweepWork({ ...deps, now: then }).work({ ...sweepTimer(project), fence: 0n, attempts: 1 })
    },
    async stop() {
      await worker.stop()
      await processor.close()
      await service.stop()
    },
  }
}

type PhotoOwner = ReturnType<typeof clientOf>

/** Each request is repeated while the service asks for that. */
function clientOf({ project, slug, cookie }: Owner, port: number) {
  const animals = `/platform/v1/projects/${slug}/animals`
  const send = async (method: string, path: string, body: string | Buffer = '', type = 'application/json') => {
    const headers = { Cookie: cookie, Origin: DASHBOARD, 'Content-Length': String(body.length) }
    const request = {
      method,
      path: `${animals}${path}`,
      body,
      headers: { ...headers, ...(body && { 'Content-Type': type }) },
    }
    for (const deadline = performance.now() + PATIENCE_MS; ; await delay(50)) {
      const { status, text } = await exchange(`http://127.0.0.1:${port}`, request)
      if (status < 300) return text
      const mayBeRepeated = status === 429 || status >= 500
      if (!mayBeRepeated || performance.now() > deadline) throw new Error(`${method} ${path}: ${status} ${text}`)
    }
  }
  const idIn = (text: string) => String((JSON.parse(text) as { id: number | string }).id)
  return {
    project,
    addAnimal: async () => idIn(await send('POST', '', '{"name":"Rex","categoryId":1}')),
    upload: async (animal: string, bytes: Buffer) => idIn(await send('POST', `/${animal}/photos`, bytes, 'image/jpeg')),
    remove: (animal: string, photo: string) => send('DELETE', `/${animal}/photos/${photo}`),
  }
}

/** The same picture in other bytes. */
const withComment = (jpeg: Buffer, text: string) => withJpegSegments(jpeg, jpegSegment(0xfe, Buffer.from(text)))

type Added = { animal: string; id: string }

async function addPhotos(owner: PhotoOwner, count: number, bytesOf: (index: number) => Buffer): Promise<Added[]> {
  const added: Added[] = []
  let animal = ''
  for (let index = 0; index < count; index += 1) {
    if (index % PER_ANIMAL === 0) animal = await owner.addAnimal()
    added.push({ animal, id: await owner.upload(animal, bytesOf(index)) })
  }
  return added
}

async function missingOf(database: Database, { config }: GatewaySettings, project: ProjectId) {
  const objects = s3Objects(config)
  const rows = await inProjectOf(database)(project, (db) => db(readyRows, project))
  let missing = 0
  for (const { digest, recipe, widths } of rows) {
    const stored = new Set((await objects.list(project, filesPrefix(digest))).map(({ key }) => key))
    const names = [masterFile(recipe), sharedFile(recipe), ...widths.map((width) => variantFile(recipe, width))]
    missing += names.filter((name) => !stored.has(fileKey(digest, name))).length
  }
  return { photos: rows.length, missing }
}

/** The fault of the figures; undefined if the guarantee held. */
export function faultOf({ photos, deletedSince, missing, missingAfterSweep }: PhotoRestoreFigures): string | undefined {
  if (photos === 0 || deletedSince === 0) return 'no photo was added, or none deleted'
  if (missing > 0) return `${missing} files of photos are missing after the restore`
  return missingAfterSweep > 0 ? `${missingAfterSweep} files of photos are missing after a sweep` : undefined
}
