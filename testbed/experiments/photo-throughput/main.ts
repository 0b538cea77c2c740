// How many photos of 12 megapixels a worker processes per second, and how long the photo of another project takes
// meanwhile.
//
//   npm run experiment -- photo-throughput --help
//
// It fails below 1.5 photos per second, if the 95th percentile of the other project is above 5 s, or if the worker, apart
// from the processes in which it decodes, occupies more than 200 MB.

import { setTimeout as delay } from 'node:timers/promises'
import { openInstallation, photograph, withComment, type PhotoOwner } from '../../photos/installation.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'

const PER_SECOND_MIN = 1.5
const P95_MAX_SECONDS = 5
const WORKER_MB_MAX = 200
const PER_ANIMAL = 20
const DIFFERENT = 6

const flags = readFlags('photo-throughput')
const count = Number(flags.photos)
await using postgres = await startTemporaryPostgres()
const { appUrl } = await postgres.createDatabase()
const installation = openInstallation(appUrl, Number(flags.port))
try {
  await installation.start('serve')
  const [many, other] = [await installation.owner('many'), await installation.owner('other')]
  const pictures = await Promise.all(Array.from({ length: DIFFERENT }, () => photograph(4000, 3000)))
  const animals: string[] = []
  for (let index = 0; index < count; index += 1) {
    if (index % PER_ANIMAL === 0) animals.push((await many.addAnimal()) ?? '')
    const bytes = withComment(pictures[index % DIFFERENT] ?? Buffer.alloc(0), String(index))
    if (!(await many.upload(animals.at(-1) ?? '', bytes, String(index)))) throw new Error('an upload got no response')
  }
  const waits: number[] = []
  const begun = performance.now()
  await installation.start('work')
  const timed = new AbortController()
  const timing = (async () => {
    // Seldom: these requests compute on the same cores.
    while ((await readyOf(many, animals)) < count) await delay(2000)
    timed.abort()
    return (performance.now() - begun) / 1000
  })()
  for (let index = 0; !timed.signal.aborted; index += 1) {
    const animal = (await other.addAnimal()) ?? ''
    const sentAt = performance.now()
    await other.upload(animal, withComment(pictures[0] ?? Buffer.alloc(0), `other ${index}`), `other-${index}`)
    while ((await readyOf(other, [animal])) === 0) await delay(50)
    waits.push((performance.now() - sentAt) / 1000)
    await delay(1000)
  }
  const seconds = await timing
  const perSecond = (count + waits.length) / seconds
  const p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? 0
  const workerMb = installation.workerPeakBytes() / 1e6
  const isMet = perSecond >= PER_SECOND_MIN && p95 <= P95_MAX_SECONDS && workerMb <= WORKER_MB_MAX
  const figures = { photos: count, others: waits.length, seconds, perSecond, p95Seconds: p95, workerMb }
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(figures)}\n`
      : `${count} photos in ${seconds.toFixed(1)} s, ${perSecond.toFixed(2)} per second; of another project ${waits.length}, ` +
          `95 % of them ready within ${p95.toFixed(1)} s; the worker occupied up to ${workerMb.toFixed(0)} MB\n${isMet ? 'All are met.' : 'Not all are met.'}\n`,
  )
  process.exitCode = isMet ? 0 : 1
} finally {
  await installation.stop()
}

async function readyOf(owner: PhotoOwner, animals: readonly string[]): Promise<number> {
  let ready = 0
  for (const animal of animals)
    ready += (await owner.photosOf(animal))?.filter(({ state }) => state === 'ready').length ?? 0
  return ready
}
