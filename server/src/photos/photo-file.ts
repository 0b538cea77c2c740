// The files of a photo that visitors may load, as their addresses name them, in one spelling. The master is not among
// them.

import { sharedFile, variantFile } from '@petstore-platform/contract/photo-files'
import { fileKey } from './store/object-keys.ts'

/** A variant of a width, or without one the JPEG for links that are shared. */
export type PhotoFileName = { recipe: number; width: number | undefined }

export const fileNameOf = ({ recipe, width }: PhotoFileName): string =>
  width === undefined ? sharedFile(recipe) : variantFile(recipe, width)

/** Undefined if no file is named so. */
export function readFileName(name: string): PhotoFileName | undefined {
  const [, recipe, width] = /^([1-9]\d{0,5})-(?:([1-9]\d{0,5})\.webp|shared\.jpg)$/.exec(name) ?? []
  return recipe === undefined
    ? undefined
    : { recipe: Number(recipe), width: width === undefined ? undefined : Number(width) }
}

export const typeOfPhoto = ({ width }: PhotoFileName): 'image/webp' | 'image/jpeg' =>
  width === undefined ? 'image/jpeg' : 'image/webp'

/** Where the object is stored. */
export const keyOfPhoto = (digest: string, file: PhotoFileName): string => fileKey(digest, fileNameOf(file))

/** The Content-Security-Policy of a picture: whatever its bytes contain besides, a browser runs none of it. */
export const PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
