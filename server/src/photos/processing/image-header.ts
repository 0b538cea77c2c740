// Detects the type and size of a picture from its bytes: PNG, JPEG or WebP, complete, not
// animated and within the limits that it is given. Nothing is decoded: only the container
// is parsed, and every length in it is checked against the bytes that are there.

import { crc32 } from 'node:zlib'
import type { ImageType } from '@petstore-platform/contract/platform/site'

export type Size = { width: number; height: number }
export type Image = Size & { type: ImageType }
export type ImageFault = { fault: string }
/** What is wrong, in words for the owner. */
export type ImageLimits = {
  /** With a file that is neither PNG, JPEG nor WebP. */
  foreign: (bytes: Buffer) => string
  /** With a size of at least one pixel; undefined if nothing is. */
  size: (size: Size) => string | undefined
}

export function readImage(bytes: Uint8Array, limits: ImageLimits): Image | ImageFault {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader = readers.find(({ magic }) => magic(view))
  if (!reader) return { fault: limits.foreign(view) }
  const size = sizeOf(reader, view)
  if ('fault' in size) return size
  const { width, height } = size
  if (width < 1 || height < 1) return { fault: 'The image has no pixels.' }
  const fault = limits.size(size)
  return fault === undefined ? { type: reader.type, width, height } : { fault }
}

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

export const isPng = (bytes: Buffer) => bytes.subarray(0, 8).equals(PNG_MAGIC)
export const isWebp = (bytes: Buffer) => text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP'

const readers: readonly Reader[] = [
  { type: 'image/png', magic: isPng, size: pngSize },
  { type: 'image/jpeg', magic: (bytes) => bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff, size: jpegSize },
  { type: 'image/webp', magic: isWebp, size: webpSize },
]

/** `end` is the offset of what follows the chunk. */
type Chunk = { name: string; data: Buffer; isIntact: boolean; end: number }

/** Chunks of length, name, data and checksum, up to the last byte of the file. */
export function* pngChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = PNG_MAGIC.length; at < bytes.length;) {
    const dataEnd = at + 8 + bytes.readUInt32BE(at)
    const isIntact = bytes.readUInt32BE(dataEnd) === crc32(bytes.subarray(at + 4, dataEnd))
    const end = dataEnd + 4
    yield { name: text(bytes, at + 4), data: bytes.subarray(at + 8, dataEnd), isIntact, end }
    at = end
  }
}

/** IHDR first, IEND at the very end, IDAT in between. */
function pngSize(bytes: Buffer): Size | ImageFault {
  let size: Size | undefined
  let hasPixels = false
  for (const { name, data, isIntact, end } of pngChunks(bytes)) {
    if (!isIntact || (name === 'IHDR') !== (size === undefined)) return BROKEN
    if (name === 'acTL') return ANIMATED
    if (name === 'IHDR') {
      if (data.length !== 13) return BROKEN
      size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) }
    }
    if (name === 'IDAT') hasPixels = true
    if (name === 'IEND') return hasPixels && end === bytes.length && size ? size : BROKEN
  }
  return BROKEN
}

/** Frame headers C0 to CF, except the three of these that mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments of marker and length: one frame header, then the scans, and the end of the image after the first. */
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
    // Phones put more pictures, and even films, behind the end of the first.
    if (marker === 0xda) return size && bytes.indexOf(END_OF_IMAGE, at) !== -1 ? size : BROKEN
  }
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9])

/** Chunks of name, length and data, padded to an even length. */
export function* webpChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = 12; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + length)
    const end = at + 8 + length + (length % 2)
    yield { name: text(bytes, at), data, isIntact: data.length === length, end }
    at = end
  }
}

/** A canvas that differs in size from its picture is rejected. */
function webpSize(bytes: Buffer): Size | ImageFault {
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return BROKEN
  let canvas: Size | undefined
  let picture: Size | undefined
  for (const { name, data, isIntact } of webpChunks(bytes)) {
    if (!isIntact) return BROKEN
    if (name === 'ANIM' || name === 'ANMF') return ANIMATED
    if (name === 'VP8X') canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    if (name === 'VP8 ' || name === 'VP8L') {
      if (picture) return BROKEN
      picture = name === 'VP8 ' ? lossySize(data) : losslessSize(data)
      if (!picture) return BROKEN
    }
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
