// What the worker and the process that decodes photos say to each other. The process has handled hostile bytes, so its
// replies are input: they are checked as an upload is.

import type { Turn } from '@petstore-platform/contract/platform/photos'
import type { Message } from '../../foundation/processes/frames.ts'
import { readImage, type Size } from './image-header.ts'
import type { PhotoResult } from './photo-result.ts'
import { plannedFiles, variantWidths } from './recipe.ts'

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
