// The program of the process that decodes photos (process-photo.io.ts starts it). It reads orders from stdin and writes
// replies to stdout, one at a time. What it decodes is hostile, so it holds no secret, and it ends with its pipe.

import sharp, { type Raw, type Sharp } from 'sharp'
import { MASTER_PIXELS } from '@petstore-platform/contract/photo-files'
import { encodeMessage, messageDecoder } from '../../foundation/processes/frames.ts'
import type { Size } from './image-header.ts'
import type { PhotoTask, PhotoReply } from './photo-task.ts'
import { plannedFiles, WEBP_EFFORT, within, type PlannedFile } from './recipe.ts'
import { orientationInChunks, uprighting } from './upright.ts'

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

/** Pixels alone: there is no place for metadata in it. */
type Pixels = { data: Buffer; raw: Raw }

const send = (head: PhotoReply | { outcome: 'started' }, blobs: readonly Buffer[] = []) =>
  process.stdout.write(encodeMessage({ head, blobs }))

async function carryOut(bytes: Buffer, task: PhotoTask): Promise<void> {
  const decoded = await decode(bytes, task).catch(() => undefined)
  if (!decoded) return void send({ outcome: 'damaged' })
  const { photo, pixels } = decoded
  const files: Buffer[] = []
  for (const file of plannedFiles(photo)) files.push(await encode(pixels, file))
  send({ outcome: 'ready', ...photo }, files)
}

/** The size of the upright photo, and its pixels, not more than a master has. */
async function decode(bytes: Buffer, task: PhotoTask): Promise<{ photo: Size; pixels: Pixels }> {
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: task.pixelsMax })
  const { width, height, orientation } = await image.metadata()
  const stored = await pixelsOf(
    image
      .resize({ ...within(MASTER_PIXELS, { width, height }), fit: 'fill' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb'),
  )
  const isUpright = task.source === 'master'
  const { isMirrored, degrees } = uprighting(
    isUpright ? 1 : (orientationInChunks(bytes) ?? orientation ?? 1),
    task.turn,
  )
  // The small pixels are turned, not the large ones: a rotation needs the whole picture in memory.
  const mirrored = isMirrored ? await pixelsOf(opened(stored).flop()) : stored
  const pixels = degrees === 0 ? mirrored : await pixelsOf(opened(mirrored).rotate(degrees))
  const isLying = degrees === 90 || degrees === 270
  return { photo: isLying ? { width: height, height: width } : { width, height }, pixels }
}

const opened = ({ data, raw }: Pixels) => sharp(data, { raw })

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { data, raw: { width, height, channels } }
}

function encode(pixels: Pixels, { type, quality, width, height }: PlannedFile): Promise<Buffer> {
  const image = opened(pixels).resize({ width, height, fit: 'fill' })
  return (type === 'image/webp' ? image.webp({ quality, effort: WEBP_EFFORT }) : image.jpeg({ quality })).toBuffer()
}

const messagesIn = messageDecoder(Infinity)

process.stdin.on('data', (chunk: Buffer) => {
  for (const { head, blobs } of messagesIn(chunk)) void carryOut(blobs[0] ?? Buffer.alloc(0), head as PhotoTask)
})
process.stdin.on('end', () => process.exit())
send({ outcome: 'started' })
