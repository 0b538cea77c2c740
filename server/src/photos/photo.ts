// Rules of photos: which digest and files they have, and what members and visitors see of a row. Pure.

import { hash } from 'node:crypto'
import {
  turns,
  type Photo,
  type PhotoReason,
  type PhotoState,
  type PublicPhoto,
  type Turn,
} from '@petstore-platform/contract/platform/photos'
import { digestOfKey, isUpload } from './store/object-keys.ts'

export type PhotoRow = {
  id: string
  state: PhotoState
  reason: PhotoReason | null
  /** SHA-256 of the uploaded bytes. */
  upload: string
  digest: string
  turn: Turn
  source: string | null
  recipe: number
  widths: number[]
  sizes: number[]
  width: number | null
  height: number | null
  alt: string
  focalX: number
  focalY: number
}

/** Of what was uploaded and how it is turned: a repeated attempt gives the same addresses. */
export const photoDigest = (upload: string, turn: Turn): string => hash('sha256', `${upload}:${turn}`, 'hex')

/** While it is processed again, the row still holds the size of the photo before. */
export function photoOf(row: PhotoRow): Photo {
  const { id, state, reason, digest, recipe, alt, turn } = row
  const { widths, width, height } = state === 'ready' ? row : { widths: [], width: null, height: null }
  return { id, state, reason, digest, recipe, widths, width, height, alt, focal: focalOf(row), turn }
}

export type CoverRow = Pick<PhotoRow, 'digest' | 'recipe' | 'widths' | 'alt' | 'focalX' | 'focalY'> & {
  width: number
  height: number
}

/** Of a photo that is ready. */
export const publicPhotoOf = (row: CoverRow): PublicPhoto => {
  const { digest, recipe, widths, width, height, alt } = row
  return { digest, recipe, widths, width, height, alt, focal: focalOf(row) }
}

const focalOf = ({ focalX, focalY }: Pick<PhotoRow, 'focalX' | 'focalY'>) => ({ x: focalX, y: focalY })

export type Processing = { source: 'upload' | 'master'; turn: Turn; before: { turn: Turn; digest: string } | undefined }

/** What is to be done to the source of a photo: its master is turned already, so only the difference remains. */
export function processingOf({ upload, turn }: Pick<PhotoRow, 'upload' | 'turn'>, source: string): Processing {
  if (isUpload(source)) return { source: 'upload', turn, before: undefined }
  const digest = digestOfKey(source)
  const before = turns.find((each) => photoDigest(upload, each) === digest)
  if (digest === undefined || before === undefined) throw new Error(`${source} is no source of this photo`)
  return { source: 'master', turn: turnFrom(before, turn), before: { turn: before, digest } }
}

const turnFrom = (before: Turn, after: Turn): Turn => ((after - before + 360) % 360) as Turn

export const sumOf = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

/** True if `wanted` lists each of the photos once. */
export const isSameSet = (photos: readonly string[], wanted: readonly string[]): boolean =>
  photos.length === wanted.length && new Set([...photos, ...wanted]).size === photos.length
