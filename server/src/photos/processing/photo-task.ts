// What the worker and the process that decodes photos say to each other. The process has handled hostile bytes, so its
// replies are input: they are checked as an upload is.

import type { Turn, PhotoReason } from '@petstore-platform/contract/platform/photos'
import type { Message } from '../../foundation/processes/frames.ts'
import { readImage, type Size } from './image-header.ts'
import { plannedFiles, variantWidths } from './recipe.ts'

// The outcome of processing a photo, as the worker gets it.

/** A file of a photo, named as contract/src/photo-files.ts names it. */
export type PhotoFile = { name: string; bytes: Buffer }

export type PhotoResult =
  | {
      outcome: 'ready'
      /** Of the upright photo, before it is scaled. */
      width: number
      height: number
      /** Widths of the variants, ascending. */
      widths: readonly number[]
      /** Master, variants in ascending order, and the shared JPEG. */
      files: readonly PhotoFile[]
    }
  /** The photo cannot be processed, now or later. A failure of the processor itself rejects instead. */
  | { outcome: 'failed'; reason: PhotoReason }

export type PhotoProcessor = {
  /** An upload is turned upright by its own orientation first; a master is upright. */
  process(bytes: Buffer, wanted: { source: 'upload' | 'master'; turn: Turn }): Promise<PhotoResult>
  close(): Promise<void>
}

/** The limit is part of it, so that the process loads no schemas. */
export type PhotoTask = { source: 'upload' | 'master'; turn: Turn; pixelsMax: number }

export type PhotoReply = ({ outcome: 'ready' } & Size) | { outcome: 'damaged' }

/** Undefined if it is no reply to a task: then the process cannot be trusted any longer. */
export function resultOf({ head, blobs }: Message): PhotoResult | undefined {
  const reply = head as Partial<Record<'outcome' | 'width' | 'height', unknown>> | null
  if (reply?.outcome === 'damaged') return { outcome: 'failed', reason: 'damaged' }
  if (reply?.outcome !== 'ready' || !isSide(reply.width) || !isSide(reply.height)) return undefined
  const photo = { width: reply.width, height: reply.height }
  const planned = plannedFiles(photo)
  const isAsPlanned = planned.every(({ type, width, height }, index) => {
    const image = readImage(blobs[index] ?? Buffer.alloc(0), { foreign: () => '', size: () => undefined })
    return !('fault' in image) && image.type === type && image.width === width && image.height === height
  })
  if (!isAsPlanned || blobs.length !== planned.length) return undefined
  const files = planned.map(({ name }, index) => ({ name, bytes: blobs[index] as Buffer }))
  const [master = photo] = planned
  return { outcome: 'ready', ...photo, widths: variantWidths(master), files }
}

const isSide = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
