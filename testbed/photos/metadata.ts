// Finds metadata in a file that is served: everything in its container that is not needed for its pixels. Pure.

import { CANARY } from './quadrants.ts'
import { webpChunks } from '../../server/src/photos/processing/image-header.ts'

/** Names of the parts that do not belong there. */
export function metadataIn(file: Buffer): string[] {
  const parts = file.toString('latin1', 0, 4) === 'RIFF' ? webpParts(file) : jpegParts(file)
  return [...parts, ...(file.includes(CANARY) ? ['canary'] : [])]
}

const webpParts = (file: Buffer) =>
  [...webpChunks(file)].map(({ name }) => name).filter((name) => name !== 'VP8 ' && name !== 'VP8L')

const START_OF_SCAN = 0xda
/** Tables, frames and the restart interval. */
const isForPixels = (marker: number) => (marker >= 0xc0 && marker <= 0xcf) || marker === 0xdb || marker === 0xdd

function jpegParts(file: Buffer): string[] {
  const parts: string[] = []
  for (let at = 2; file[at + 1] !== START_OF_SCAN;) {
    const marker = file.readUInt8(at + 1)
    const length = file.readUInt16BE(at + 2)
    const isJfif = marker === 0xe0 && length === 16
    if (!isForPixels(marker) && !isJfif) parts.push(marker.toString(16))
    at += 2 + length
  }
  return parts
}
