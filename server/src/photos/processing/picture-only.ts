// `pictureOnly` copies the container of a picture without whatever a picture does not need: where and with which device
// it was taken (Exif, XMP, IPTC), comments, thumbnails, and what follows its end. The pixels, how they are coloured and
// where they are transparent stay as they are, to the bit: a logo is not to lose sharpness. Pure. Nothing is decoded.
//
// It takes what `readImage` accepts, and what it returns is accepted as well.

import type { ImageType } from '@petstore-platform/contract/platform/site'
import { pngChunks, webpChunks } from './image-header.ts'

/** Undefined if the container cannot be followed to its end. */
export function pictureOnly(bytes: Buffer, type: ImageType): Buffer | undefined {
  try {
    return copies[type](bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const copies: Readonly<Record<ImageType, (bytes: Buffer) => Buffer | undefined>> = {
  'image/png': pngOnly,
  'image/jpeg': jpegOnly,
  'image/webp': webpOnly,
}

/** What tells pixels and their colours. */
const PNG_KEPT = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT pHYs'.split(' '))

function pngOnly(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 8)]
  for (const { name, data, end } of pngChunks(bytes)) {
    if (PNG_KEPT.has(name)) kept.push(bytes.subarray(end - data.length - 12, end))
    if (name === 'IEND') return Buffer.concat(kept)
  }
  return undefined
}

const WEBP_KEPT = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'])
/** Flags of VP8X: there is a profile of colours, transparency. Without those for Exif and XMP. */
const WEBP_FLAGS = 0x30

function webpOnly(bytes: Buffer): Buffer {
  const kept = [Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')]
  for (const { name, data } of webpChunks(bytes)) {
    if (!WEBP_KEPT.has(name)) continue
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    const copy = Buffer.from(data)
    if (name === 'VP8X') copy.writeUInt8(copy.readUInt8(0) & WEBP_FLAGS, 0)
    kept.push(head, copy, Buffer.alloc(data.length % 2))
  }
  const copy = Buffer.concat(kept)
  copy.writeUInt32LE(copy.length - 8, 4)
  return copy
}

const SCAN = 0xda
const END = 0xd9
const PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1')

/** Tables, frames and scans; JFIF and Adobe, which say how colours are stored; and a profile of colours. */
function isKept(marker: number, data: Buffer): boolean {
  if (marker === 0xe0) return data.length === 14
  if (marker === 0xee) return data.length === 12
  if (marker === 0xe2) return data.subarray(0, PROFILE.length).equals(PROFILE)
  return marker >= 0xc0 && marker <= 0xdf
}

function jpegOnly(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END) return Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    const next = marker === SCAN ? endOfScan(bytes, end) : end
    if (isKept(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, next))
    at = next
  }
}

/** Within a scan, FF is followed by 00 or by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) throw new RangeError('a scan without an end')
    const next = bytes.readUInt8(at + 1)
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
  }
}
