// Where the files of a photo are, and how it is cropped.

import { variantFile, widthFor } from '@petstore-platform/contract/photo-files'
import type { Focal, PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { client } from '../api.ts'

type PhotoFiles = Pick<PublicPhoto, 'digest' | 'recipe' | 'widths'>

/** The file that fills so many pixels. */
export const photoAddress = (project: string, { digest, recipe, widths }: PhotoFiles, pixels: number): string =>
  client.addressOf('getPhotoFile', { project, digest, file: variantFile(recipe, widthFor(widths, pixels)) })

/** The same for screens with two pixels in one. */
export const photoSources = (project: string, photo: PhotoFiles, pixels: number): { src: string; srcSet: string } => {
  const src = photoAddress(project, photo, pixels)
  return { src, srcSet: `${src}, ${photoAddress(project, photo, pixels * 2)} 2x` }
}

export const focalClass = ({ x, y }: Focal): string => `focal focal-x-${x} focal-y-${y}`
