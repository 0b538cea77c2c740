// The recipe of a photo's files: which there are for a photo of a given size, and how each is encoded. Anything here that
// changes bytes requires a new recipe number (contract/src/photo-files.ts).

import {
  MASTER_PIXELS,
  masterFile,
  RECIPE,
  SHARED_PIXELS,
  sharedFile,
  VARIANT_WIDTHS,
  variantFile,
} from '@petstore-platform/contract/photo-files'
import type { Size } from './image-header.ts'

export type PlannedFile = Size & { name: string; type: 'image/webp' | 'image/jpeg'; quality: number }

const MASTER_QUALITY = 86
const VARIANT_QUALITY = 72
const SHARED_QUALITY = 80
/** Of the encoder, 0 to 6: half of the time of its default, for files that are 2 to 7 % larger. */
export const WEBP_EFFORT = 2

/** Never larger than the photo; no side is shorter than one pixel. */
export function within(pixels: number, { width, height }: Size): Size {
  const scale = Math.min(1, pixels / Math.max(width, height))
  return { width: scaled(width, scale), height: scaled(height, scale) }
}

const scaled = (pixels: number, scale: number) => Math.max(1, Math.round(pixels * scale))

/** By the width of the master, from which later variants are made: the same for an upload and for its master. */
export function variantWidths({ width }: Size): number[] {
  const widths = VARIANT_WIDTHS.filter((variant) => variant <= width)
  return widths.length > 0 ? widths : [width]
}

/** Master, variants in ascending order, and the shared JPEG, of an upright photo. */
export function plannedFiles(photo: Size): PlannedFile[] {
  const master = within(MASTER_PIXELS, photo)
  const variants = variantWidths(master).map((width) => ({
    name: variantFile(RECIPE, width),
    type: 'image/webp' as const,
    quality: VARIANT_QUALITY,
    width,
    height: scaled(master.height, width / master.width),
  }))
  return [
    { name: masterFile(RECIPE), type: 'image/webp', quality: MASTER_QUALITY, ...master },
    ...variants,
    { name: sharedFile(RECIPE), type: 'image/jpeg', quality: SHARED_QUALITY, ...within(SHARED_PIXELS, master) },
  ]
}
