// The type and size of a logo, from its bytes: a picture that a browser can show on every page.

import { LOGO_PIXELS_MAX } from '@petstore-platform/contract/platform/site'
import { readImage, type Image, type ImageFault } from '../../photos/processing/image-header.ts'

export const readLogo = (bytes: Uint8Array): Image | ImageFault =>
  readImage(bytes, {
    foreign: () => 'The file is neither PNG, JPEG nor WebP.',
    size: ({ width, height }) =>
      Math.max(width, height) > LOGO_PIXELS_MAX
        ? `The image has ${width} × ${height} pixels; the maximum is ${LOGO_PIXELS_MAX} × ${LOGO_PIXELS_MAX}.`
        : undefined,
  })
