// Photos with a position and every orientation: what is served is upright, and has no metadata.

import { createPhotoProcessor } from '../../../server/src/photos/processing/process-photo.io.ts'
import type { PhotoFile } from '../../../server/src/photos/processing/photo-result.ts'
import { metadataIn } from '../../photos/metadata.ts'
import { formats, quadrants, quartersOf, turned } from '../../photos/quadrants.ts'

export type MetadataFigures = { photos: number; files: number; seconds: number; findings: readonly string[] }

export type MetadataOptions = {
  photos: number
  width: number
  height: number
  processes: number
  /** For a negative control: what is served instead of the files that were made. */
  serve?: (files: readonly PhotoFile[], upload: Buffer) => Promise<readonly PhotoFile[]>
}

export async function runMetadata(options: MetadataOptions): Promise<MetadataFigures> {
  const { photos, width, height, processes, serve = async (files) => files } = options
  const processor = createPhotoProcessor({ processes })
  const findings: string[] = []
  let files = 0
  const startedAt = performance.now()
  const one = async (index: number) => {
    const orientation = (index % 8) + 1
    const format = formats[Math.floor(index / 8) % formats.length] ?? 'jpeg'
    const upload = await quadrants({ width, height, orientation, format })
    const result = await processor.process(upload, { source: 'upload', turn: 0 })
    if (result.outcome === 'failed') return void findings.push(`${format} ${orientation}: ${result.reason}`)
    for (const { name, bytes } of await serve(result.files, upload)) {
      files += 1
      const faults = [...metadataIn(bytes), ...((await isUpright(bytes)) ? [] : ['not upright'])]
      findings.push(...faults.map((fault) => `${format} ${orientation}, ${name}: ${fault}`))
    }
  }
  const numbers = Array.from({ length: photos }, (_, index) => index).values()
  const work = async () => {
    for (const index of numbers) await one(index)
  }
  try {
    await Promise.all(Array.from({ length: processes }, work))
  } finally {
    await processor.close()
  }
  return { photos, files, seconds: Math.round(performance.now() - startedAt) / 1000, findings }
}

const isUpright = async (bytes: Buffer) => String(await quartersOf(bytes)) === String(turned[0])
