// Hostile pictures through both layers: the header, which rejects before anything is stored, and the process that
// decodes, which is given everything, as if the header had let it through.

import type { PhotoLimits } from '../../../server/src/photos/processing/process-photo.io.ts'
import { createPhotoProcessor } from '../../../server/src/photos/processing/process-photo.io.ts'
import { readPhotoHeader } from '../../../server/src/photos/processing/photo-header.ts'
import type { PhotoResult } from '../../../server/src/photos/processing/photo-task.ts'
import { hostileBases } from '../../photos/hostile-bases.ts'
import { hostileImages, type HostileImage } from '../../photos/hostile-images.ts'
import { metadataIn } from '../../photos/metadata.ts'
import { watchProcesses, type WatchedProcesses } from './watch.ts'

/** Two attempts, and a moment for the second process to start. */
const MS_MAX = 2 * 20_000 + 2_000
const PEAK_MB_MAX = 512
/** A process may grow beyond the limit until it is killed. */
const OVER_MS_MAX = 200
/** Of the worker; without photos it has about 100. */
const GROWN_MB_MAX = 100

export type HostileSeen = WatchedProcesses & { name: string; ms: number; header: string | null; result: string }
export type HostileFigures = {
  images: number
  accepted: number
  rejectedByHeader: number
  rejectedByProcess: number
  killed: number
  slowestMs: number
  peakMb: number
  overMs: number
  grownMb: number
  findings: readonly string[]
}

export type HostileOptions = {
  count: number
  seed: number
  limits?: Partial<PhotoLimits>
  /** For a negative control: the words of the header do not matter. */
  isHeaderIgnored?: boolean
  only?: (name: string) => boolean
  onSeen?: (seen: HostileSeen) => void
}

export async function runHostileImages(options: HostileOptions): Promise<HostileFigures> {
  const { limits = {}, onSeen = () => {}, only = () => true } = options
  const processor = createPhotoProcessor({ processes: 1, limits })
  const processes = watchProcesses()
  const seen: HostileSeen[] = []
  const findings: string[] = []
  try {
    for (const image of hostileImages(await hostileBases(), options)) {
      if (!only(image.name)) continue
      const { header, result, ms } = await judge(image.bytes, processor)
      const one = { name: image.name, ms, header, result: resultName(result), ...(await processes.take()) }
      seen.push(one)
      findings.push(...findingsOf(image, one, result, options.isHeaderIgnored === true))
      onSeen(one)
    }
  } finally {
    await processor.close()
    await processes.stop()
  }
  return figuresOf(seen, findings)
}

async function judge(bytes: Buffer, processor: ReturnType<typeof createPhotoProcessor>) {
  const header = readPhotoHeader(bytes)
  const startedAt = performance.now()
  const result = await processor.process(bytes, { source: 'upload', turn: 0 })
  const ms = Math.round(performance.now() - startedAt)
  return { header: 'fault' in header ? header.fault : null, result, ms }
}

const resultName = (result: PhotoResult) => (result.outcome === 'ready' ? 'ready' : result.reason)

function findingsOf(
  { name, verdict }: HostileImage,
  { ms, header, peakMb, overMs, grownMb, result }: HostileSeen,
  photo: PhotoResult,
  isHeaderIgnored: boolean,
): string[] {
  const isAccepted = (header === null || isHeaderIgnored) && result === 'ready'
  const metadata = photo.outcome === 'ready' ? photo.files.flatMap(({ bytes }) => metadataIn(bytes)) : []
  const faults = [
    verdict === 'reject' && isAccepted && 'was accepted',
    verdict === 'accept' && !isAccepted && `was rejected: ${header ?? result}`,
    result === 'internal' && 'crashed its process twice',
    ms > MS_MAX && `took ${ms} ms`,
    peakMb > PEAK_MB_MAX && overMs > OVER_MS_MAX && `was over ${PEAK_MB_MAX} MB for ${overMs} ms`,
    grownMb > GROWN_MB_MAX && `made the worker grow by ${grownMb} MB`,
    metadata.length > 0 && `left ${metadata.join(', ')}`,
  ]
  return faults.flatMap((fault) => (fault === false ? [] : [`${name}: ${fault}`]))
}

function figuresOf(seen: readonly HostileSeen[], findings: readonly string[]): HostileFigures {
  const count = (is: (one: HostileSeen) => boolean) => seen.filter(is).length
  const most = (figure: 'ms' | 'peakMb' | 'overMs' | 'grownMb') => Math.max(0, ...seen.map((one) => one[figure]))
  return {
    images: seen.length,
    accepted: count(({ header, result }) => header === null && result === 'ready'),
    rejectedByHeader: count(({ header }) => header !== null),
    rejectedByProcess: count(({ header, result }) => header === null && result !== 'ready'),
    killed: count(({ result }) => result === 'memory' || result === 'time'),
    slowestMs: most('ms'),
    peakMb: most('peakMb'),
    overMs: most('overMs'),
    grownMb: most('grownMb'),
    findings,
  }
}
