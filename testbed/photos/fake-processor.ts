// A processor of photos without pictures, for tests: an upload is any bytes, and the files of a photo are short texts
// that say what they were made of. It rejects what the worker must never ask for.

import { hash } from 'node:crypto'
import { masterFile, RECIPE, sharedFile, variantFile } from '@petstore-platform/contract/photo-files'
import type { PhotoProcessor, PhotoResult } from '../../server/src/photos/processing/photo-task.ts'

export type FakeProcessor = PhotoProcessor & {
  /** How often each input was processed, by the digest of its bytes and what was done to them. */
  readonly processed: ReadonlyMap<string, number>
  /** Changes the outcome of the next calls; undefined for the usual one. */
  outcome: ((bytes: Buffer) => Promise<PhotoResult | undefined>) | undefined
}

const MASTER = 'master of '

export function fakePhotoProcessor(): FakeProcessor {
  const processed = new Map<string, number>()
  let isClosed = false
  const fake: FakeProcessor = {
    processed,
    outcome: undefined,
    async process(bytes, { source, turn }) {
      if (isClosed) throw new Error('the processor is closed')
      const isMaster = bytes.subarray(0, MASTER.length).toString() === MASTER
      if (isMaster !== (source === 'master')) throw new Error(`these bytes are no ${source}`)
      if (source === 'master' && turn === 0) throw new Error('a master is to be turned by nothing')
      const of = `${source} ${hash('sha256', bytes, 'hex')} ${turn}`
      processed.set(of, (processed.get(of) ?? 0) + 1)
      const other = await fake.outcome?.(bytes)
      if (other) return other
      const files = [
        { name: masterFile(RECIPE), bytes: Buffer.from(`${MASTER}${of}`) },
        { name: variantFile(RECIPE, 320), bytes: Buffer.from(`320 of ${of}`) },
        { name: variantFile(RECIPE, 640), bytes: Buffer.from(`640 of ${of}`) },
        { name: sharedFile(RECIPE), bytes: Buffer.from(`shared of ${of}`) },
      ]
      return { outcome: 'ready', width: 800, height: 600, widths: [320, 640], files }
    },
    async close() {
      isClosed = true
    },
  }
  return fake
}
