// A photo for links that are shared, search engines and feeds: one JPEG.

import { SHARED_PIXELS } from '@petstore-platform/contract/photo-files'
import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { hrefOf } from './addresses.ts'

/** Where it is. */
export const sharedAt = ({ digest, recipe }: PublicPhoto): string =>
  hrefOf({ kind: 'photo', digest, file: { recipe, width: undefined } })

/** Its size: it is never enlarged. */
export function sharedSize({ width, height }: PublicPhoto): { width: number; height: number } {
  const scale = Math.min(1, SHARED_PIXELS / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
