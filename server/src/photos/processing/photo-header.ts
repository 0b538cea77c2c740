// The type and size of an uploaded photo, from its bytes, or why it is not taken. This runs before anything is stored,
// so that an owner reads the reason while the file is still at hand. A file of its own: the process that decodes photos may
// read image-header.ts, and nothing that this needs.

import { PHOTO_PIXELS_MAX, PHOTO_SIDE_MIN } from '@petstore-platform/contract/platform/photos'
import { foreignFault } from './foreign-format.ts'
import { readImage, type Image, type ImageFault, type Size } from './image-header.ts'

export const readPhotoHeader = (bytes: Uint8Array): Image | ImageFault =>
  readImage(bytes, { foreign: foreignFault, size: sizeFault })

function sizeFault({ width, height }: Size): string | undefined {
  const size = `The photo has ${width} × ${height} pixels`
  if (Math.min(width, height) < PHOTO_SIDE_MIN) return `${size}; each side needs at least ${PHOTO_SIDE_MIN}.`
  if (width * height > PHOTO_PIXELS_MAX) return `${size}; the maximum is ${PHOTO_PIXELS_MAX / 1e6} megapixels.`
  return undefined
}
