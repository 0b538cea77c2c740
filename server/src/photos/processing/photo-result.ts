// The outcome of processing a photo, as the worker gets it.

import type { PhotoReason, Turn } from '@petstore-platform/contract/platform/photos'

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
