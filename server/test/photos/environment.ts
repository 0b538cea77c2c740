// Photos for tests: pictures as small as they may be, an owner who uploads them, and background work that processes
// them with the fake processor.

import { crc32, deflateSync } from 'node:zlib'
import type { Photo } from '@petstore-platform/contract/platform/photos'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import type { PlatformOwner, TestPlatform, Visitor } from '../../../testbed/harness/platform.ts'
import { fakePhotoProcessor } from '../../../testbed/photos/fake-processor.ts'
import type { Objects } from '../../src/foundation/objects.ts'
import { openDatabase, statement } from '../../src/foundation/postgres/postgres.io.ts'
import { claimTimers, type Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import type { Clock } from '../../src/foundation/time.ts'
import { photoWork } from '../../src/photos/photo-jobs.io.ts'
import { photoRemovalWork, photoSweepWork } from '../../src/photos/photo-sweep.io.ts'
import { databaseObjects } from '../../src/photos/store/open-objects.io.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'

const SIDE = 200

/** A grey picture; different for every text. */
export function picture(text: string, side = SIDE): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    chunk('IDAT', deflateSync(Buffer.alloc((side + 1) * side, 0x80))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const at = ({ slug }: Pick<PlatformOwner, 'slug'>, path: string) => `/projects/${slug}${path}`
export const codeOf = ({ json }: Received) => (json as { code?: string }).code

export async function addAnimal(owner: PlatformOwner, name = 'Rex'): Promise<string> {
  const answer = await owner.send('POST', at(owner, '/animals'), { name, categoryId: 1n })
  return /"id":(\d+)/.exec(answer.text)?.[1] ?? ''
}

export type UploadOptions = { key?: string; by?: Visitor; type?: string }

export const send = (owner: PlatformOwner, pet: string, bytes: Uint8Array, options: UploadOptions = {}) =>
  (options.by ?? owner).send('POST', at(owner, `/animals/${pet}/photos`), bytes, {
    'Content-Type': options.type ?? 'image/png',
    'Content-Length': String(bytes.length),
    ...(options.key !== undefined && { 'Idempotency-Key': options.key }),
  })

export async function add(owner: PlatformOwner, pet: string, text: string, options?: UploadOptions): Promise<Photo> {
  const answer = await send(owner, pet, picture(text), options)
  if (answer.status !== 201) throw new Error(`not added: ${answer.status} ${answer.text}`)
  return answer.json as Photo
}

export async function photosOf(owner: PlatformOwner, pet: string): Promise<Photo[]> {
  return ((await owner.send('GET', at(owner, `/animals/${pet}`))).json as { photos: Photo[] }).photos
}

const usageRow = statement<{ used: number; sum: number }, [project: bigint]>(
  'test-photo-usage',
  `select photo_bytes::float8 as used,
     (select coalesce(sum(size), 0)::float8 from photos cross join lateral unnest(sizes) as size
      where project_id = $1) as sum
   from project_usage
   where project_id = $1`,
)
const moveTimers = statement<never, [kind: string, seconds: number]>(
  'test-move-timers',
  `update due_directory set due_at = due_at - make_interval(secs => $2) where kind = $1`,
)
const ageObjects = statement<never, [project: bigint, seconds: number]>(
  'test-age-objects',
  `update objects set created_at = created_at - make_interval(secs => $2) where project_id = $1`,
)
const clearTimers = statement<never, [kind: string]>('test-clear-timers', `delete from due_directory where kind = $1`)

const kinds = { photo: 'photo', photo_removal: 'photo_removal', photo_sweep: 'photo_sweep' } as const

/** Background work on photos, timer by timer; with files in the database, unless another store is given. */
export function photoWorkshop(platform: TestPlatform, other: { objects?: Objects; now?: Clock } = {}) {
  const { database } = platform.test.service
  // The app's role must not change objects.
  const owning = openDatabase({ url: platform.test.database.ownerUrl, poolMax: 1, onError: () => {} })
  atEnd(() => owning.close())
  const inProject = inProjectOf(database)
  const { objects = databaseObjects(inProject), now = Date.now } = other
  const processor = fakePhotoProcessor()
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const deps = { database, inProject, objects, now, plans: defaultRules, onError }
  const works = {
    photo: photoWork(deps, processor),
    photo_removal: photoRemovalWork(deps),
    photo_sweep: photoSweepWork(deps),
  }
  const finishRow = statement<never, [kind: string, project: bigint, id: string, fence: bigint]>(
    'test-finish-due',
    `delete from due_directory where kind = $1 and project_id = $2 and id = $3 and fence = $4`,
  )
  return {
    ...deps,
    processor,
    errors,
    claim: (kind: keyof typeof kinds, count = 1): Promise<Timer[]> => claimTimers(database.run, kind, count, 60),
    /** Everything that is due, and how much that was. */
    async workOff(kind: keyof typeof kinds = 'photo'): Promise<number> {
      let count = 0
      for (;;) {
        const due = await claimTimers(database.run, kind, 10, 60)
        if (due.length === 0) return count
        for (const timer of due) {
          const again = await works[kind].work(timer)
          if (again === undefined) await database.run(finishRow, timer.kind, timer.project, timer.id, timer.fence)
        }
        count += due.length
      }
    },
    works,
    later: (kind: keyof typeof kinds, seconds: number) => database.run(moveTimers, kind, seconds),
    clearTimers: (kind: keyof typeof kinds) => database.run(clearTimers, kind),
    usage: async ({ project }: PlatformOwner) =>
      (await inProject(project, (db) => db(usageRow, project)))[0] ?? { used: 0, sum: 0 },
    age: ({ project }: PlatformOwner, seconds: number) =>
      inProjectOf(owning)(project, (db) => db(ageObjects, project, seconds)),
    keys: async ({ project }: PlatformOwner) => (await objects.list(project, '')).map(({ key }) => key),
  }
}
