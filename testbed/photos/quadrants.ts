// A picture whose four quarters have different colours, so that each way of lying on its side or in a mirror is seen;
// with every kind of metadata that a phone writes. Encoded by sharp.

import sharp from 'sharp'
import {
  EXIF_PREFIX,
  exifOf,
  jpegSegment,
  WEBP_FLAGS,
  webpCanvas,
  webpFrom,
  webpPicture,
  withJpegSegments,
  withPngChunk,
  XMP_PREFIX,
} from './containers.ts'

/** Part of every metadata block here; it must not be in a file that is served. */
export const CANARY = 'Canary Lane 5'
export const formats = ['jpeg', 'png', 'webp'] as const
export type SampleFormat = (typeof formats)[number]

const corners = [
  [200, 40, 40],
  [40, 180, 40],
  [40, 40, 200],
  [210, 200, 60],
] as const

/** Colours at the top left, top right, bottom left and bottom right: upright, and after a clockwise turn. */
export const turned = { 0: [0, 1, 2, 3], 90: [2, 0, 3, 1], 180: [3, 2, 1, 0], 270: [1, 3, 0, 2] } as const

/**
 * Where the first row and the first column of the stored pixels are in the upright picture, by the EXIF standard: the
 * inverse of what a reader does, written down independently of it.
 */
const storedAs: readonly ((row: number, column: number, width: number, height: number) => [x: number, y: number])[] = [
  (row, column) => [column, row],
  (row, column, width) => [width - 1 - column, row],
  (row, column, width, height) => [width - 1 - column, height - 1 - row],
  (row, column, _width, height) => [column, height - 1 - row],
  (row, column) => [row, column],
  (row, column, width) => [width - 1 - row, column],
  (row, column, width, height) => [width - 1 - row, height - 1 - column],
  (row, column, _width, height) => [row, height - 1 - column],
]

export type Quadrants = { width: number; height: number; orientation: number; format: SampleFormat }

export async function quadrants({ width, height, orientation, format }: Quadrants): Promise<Buffer> {
  const isLying = orientation > 4
  const [columns, rows] = isLying ? [height, width] : [width, height]
  const place = storedAs[orientation - 1] ?? storedAs[0]
  const data = Buffer.alloc(columns * rows * 3)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = place?.(row, column, width, height) ?? [0, 0]
      data.set(corners[(x * 2 < width ? 0 : 1) + (y * 2 < height ? 0 : 2)] ?? [], (row * columns + column) * 3)
    }
  }
  const image = sharp(data, { raw: { width: columns, height: rows, channels: 3 } })
  const bytes = await image.toFormat(format, { quality: 90 }).toBuffer()
  return decorated(bytes, { width: columns, height: rows, orientation, format })
}

const xmp = Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${CANARY} --></x:xmpmeta>`)

function decorated(bytes: Buffer, { orientation, format, width, height }: Quadrants): Buffer {
  const exif = exifOf(orientation, CANARY)
  if (format === 'jpeg') {
    return withJpegSegments(
      bytes,
      jpegSegment(0xe1, Buffer.concat([EXIF_PREFIX, exif])),
      jpegSegment(0xe1, Buffer.concat([XMP_PREFIX, xmp])),
      jpegSegment(0xfe, Buffer.from(CANARY)),
    )
  }
  if (format === 'png') {
    const described = withPngChunk(bytes, ['tEXt', Buffer.from(`Comment\0${CANARY}`)])
    // libvips does not see it there.
    return withPngChunk(described, ['eXIf', exif], { isLast: true })
  }
  return webpFrom([
    webpCanvas({ width, height }, WEBP_FLAGS.exif | WEBP_FLAGS.xmp),
    webpPicture(bytes),
    ['EXIF', exif],
    ['XMP ', xmp],
  ])
}

/** Indices of the colours in the four quarters of a file, as `turned` has them; -1 for another colour. */
export async function quartersOf(file: Buffer): Promise<number[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colorAt = (across: number, down: number) => {
    const at = (Math.floor(info.height * down) * info.width + Math.floor(info.width * across)) * info.channels
    return corners.findIndex((color) => color.every((value, band) => Math.abs(value - (data[at + band] ?? 0)) < 30))
  }
  return [colorAt(0.25, 0.25), colorAt(0.75, 0.25), colorAt(0.25, 0.75), colorAt(0.75, 0.75)]
}
