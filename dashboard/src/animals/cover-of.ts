// The photo that stands for an animal, as visitors see it: the first one that is ready. Pure.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { Photo } from './use-photos.ts'

export function coverOf(photos: readonly Photo[]): PublicPhoto | null {
  const first = photos.find(({ state }) => state === 'ready')
  return first && first.width !== null && first.height !== null
    ? { ...first, width: first.width, height: first.height }
    : null
}
