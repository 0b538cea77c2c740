// How a photo is turned upright: its orientation (EXIF, 1 to 8) as steps that a pixel buffer can take.

import type { Turn } from '@petstore-platform/contract/platform/photos'
import { isPng, isWebp, pngChunks, webpChunks } from './image-header.ts'

/** Mirrored left to right first, then rotated clockwise. */
export type Uprighting = { isMirrored: boolean; degrees: Turn }

/** The orientation is applied first, then the turn that the owner wants. An unknown orientation means upright. */
export function uprighting(orientation: number, turn: Turn): Uprighting {
  const { isMirrored, degrees } = byOrientation[orientation - 1] ?? byOrientation[0]
  return { isMirrored, degrees: ((degrees + turn) % 360) as Turn }
}

const byOrientation: readonly [Uprighting, ...Uprighting[]] = [
  { isMirrored: false, degrees: 0 },
  { isMirrored: true, degrees: 0 },
  { isMirrored: false, degrees: 180 },
  { isMirrored: true, degrees: 180 },
  { isMirrored: true, degrees: 270 },
  { isMirrored: false, degrees: 90 },
  { isMirrored: true, degrees: 90 },
  { isMirrored: false, degrees: 270 },
]

/**
 * The orientation in an EXIF chunk of a PNG or WebP. libvips reads it in a JPEG, but not behind the pixels of a PNG, nor
 * in a WebP whose header does not announce it; phones and editors write both.
 */
export function orientationInChunks(bytes: Buffer): number | undefined {
  try {
    const chunks = isPng(bytes) ? pngChunks(bytes) : isWebp(bytes) ? webpChunks(bytes) : []
    for (const { name, data } of chunks) if (name === 'eXIf' || name === 'EXIF') return orientationIn(data)
  } catch (error) {
    // Broken data about a photo does not make the photo unusable.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

const EXIF_PREFIX = 'Exif\0\0'
const ORIENTATION = 0x0112
const SHORT = 3

/** Entries of twelve bytes in the first directory of a TIFF. */
function orientationIn(exif: Buffer): number | undefined {
  const tiff = exif.toString('latin1', 0, 6) === EXIF_PREFIX ? exif.subarray(6) : exif
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const uint16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = uint16(directory)
  for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
    if (uint16(at) === ORIENTATION && uint16(at + 2) === SHORT) return uint16(at + 8)
  }
  return undefined
}
