// Detects the type and size of a picture from its bytes: PNG, JPEG or WebP, complete, not
// animated and of a size that a browser can show. Nothing is decoded: only the container
// is parsed, and every length in it is checked against the bytes that are there.

import { crc32 } from 'node:zlib'
import { LOGO_PIXELS_MAX, type ImageType } from '@petstore/contract/platform/site'

export type Image = { type: ImageType; width: number; height: number }
export type ImageFault = { fault: string }

export function readImage(bytes: Uint8Array): Image | ImageFault {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader = readers.find(({ magic }) => magic(view))
  if (!reader) return { fault: 'The file is neither PNG, JPEG nor WebP.' }
  const size = sizeOf(reader, view)
  if ('fault' in size) return size
  const { width, height } = size
  if (width < 1 || height < 1) return { fault: 'The image has no pixels.' }
  if (width > LOGO_PIXELS_MAX || height > LOGO_PIXELS_MAX) {
    return {
      fault: `The image has ${width} × ${height} pixels; the maximum is ${LOGO_PIXELS_MAX} × ${LOGO_PIXELS_MAX}.`,
    }
  }
  return { type: reader.type, width, height }
}

type Size = { width: number; height: number }
type Reader = { type: ImageType; magic: (bytes: Buffer) => boolean; size: (bytes: Buffer) => Size | ImageFault }

const BROKEN: ImageFault = { fault: 'The file is damaged or incomplete.' }
const ANIMATED: ImageFault = { fault: 'Animated images are not supported.' }

/** Reading past the end throws: the file is truncated. */
function sizeOf({ size }: Reader, bytes: Buffer): Size | ImageFault {
  try {
    return size(bytes)
  } catch (error) {
    if (error instanceof RangeError) return BROKEN
    throw error
  }
}

const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const text = (bytes: Buffer, from: number, length = 4) => bytes.toString('latin1', from, from + length)

const readers: readonly Reader[] = [
  { type: 'image/png', magic: (bytes) => bytes.subarray(0, 8).equals(PNG_MAGIC), size: pngSize },
  { type: 'image/jpeg', magic: (bytes) => bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff, size: jpegSize },
  {
    type: 'image/webp',
    magic: (bytes) => text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP',
    size: webpSize,
  },
]

/** Chunks of length, name, data and checksum: IHDR first, IEND at the very end, IDAT in between. */
function pngSize(bytes: Buffer): Size | ImageFault {
  let size: Size | undefined
  let hasPixels = false
  for (let at = PNG_MAGIC.length; ;) {
    const length = bytes.readUInt32BE(at)
    const name = text(bytes, at + 4)
    const end = at + 8 + length
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return BROKEN
    if ((name === 'IHDR') !== (size === undefined) || (name === 'IHDR' && length !== 13)) return BROKEN
    if (name === 'acTL') return ANIMATED
    if (name === 'IHDR') size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    if (name === 'IDAT') hasPixels = true
    at = end + 4
    if (name === 'IEND') return hasPixels && at === bytes.length && size ? size : BROKEN
  }
}

/** Frame headers C0 to CF, except the three of these that mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments of marker and length: one frame header, then the scan, and the end of the image after it. */
function jpegSize(bytes: Buffer): Size | ImageFault {
  let size: Size | undefined
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return BROKEN
    const marker = bytes.readUInt8(at + 1)
    // Any number of FF may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return BROKEN
    if (isFrame(marker)) {
      if (size) return BROKEN
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + length
    if (marker === 0xda) return size && bytes.indexOf(END_OF_IMAGE, at) !== -1 ? size : BROKEN
  }
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9])

/** Chunks inside RIFF. A canvas that differs in size from its picture is rejected. */
function webpSize(bytes: Buffer): Size | ImageFault {
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return BROKEN
  let canvas: Size | undefined
  let picture: Size | undefined
  for (let at = 12; at < bytes.length;) {
    const name = text(bytes, at)
    const length = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (data.length !== length) return BROKEN
    if (name === 'ANIM' || name === 'ANMF') return ANIMATED
    if (name === 'VP8X') canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    if (name === 'VP8 ' || name === 'VP8L') {
      if (picture) return BROKEN
      picture = name === 'VP8 ' ? lossySize(data) : losslessSize(data)
      if (!picture) return BROKEN
    }
    at += 8 + length + (length % 2)
  }
  if (!picture) return BROKEN
  return canvas && (canvas.width !== picture.width || canvas.height !== picture.height) ? BROKEN : picture
}

/** Three bytes of tag, a start code, then twice 14 bits. */
const lossySize = (data: Buffer): Size | undefined =>
  data.readUIntBE(3, 3) === 0x9d012a
    ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
    : undefined

/** A signature, then twice 14 bits, each one less than the size. */
function losslessSize(data: Buffer): Size | undefined {
  if (data.readUInt8(0) !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
