// Builds the containers of pictures from parts, with correct lengths and checksums, so that a fault in one is a fault
// on purpose. Pure.

import { constants, crc32, deflateRawSync } from 'node:zlib'

export type Part = readonly [name: string, data: Buffer]

const uint32 = (value: number, isLittle = false) => {
  const bytes = Buffer.alloc(4)
  if (isLittle) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}

const PNG_MAGIC = Buffer.from('89504e470d0a1a0a', 'hex')

export function pngChunk([name, data]: Part): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}
export const pngFrom = (parts: readonly Part[]) => Buffer.concat([PNG_MAGIC, ...parts.map(pngChunk)])

/** Behind IHDR, or before IEND. */
export const withPngChunk = (png: Buffer, part: Part, { isLast = false } = {}) => {
  const at = isLast ? png.length - 12 : 33
  return Buffer.concat([png.subarray(0, at), pngChunk(part), png.subarray(at)])
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const WHOLE = [[0, 0, 1, 1]] as const
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export type FlatPng = { width: number; height: number; depth?: number; color?: number; isInterlaced?: boolean }

/** A black PNG of any size, in about a thousandth of it. */
export function flatPng(flat: FlatPng, dataLength = pixelBytes(flat)): Buffer {
  return pngFrom([
    ['IHDR', pngHeader(flat)],
    ['IDAT', zeros(dataLength)],
    ['IEND', Buffer.alloc(0)],
  ])
}

export function pngHeader({ width, height, depth = 8, color = 2, isInterlaced = false }: FlatPng): Buffer {
  return Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, color, 0, 0, isInterlaced ? 1 : 0])])
}

function pixelBytes({ width, height, depth = 8, color = 2, isInterlaced = false }: FlatPng): number {
  return (isInterlaced ? ADAM7 : WHOLE).reduce((sum, [x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)]
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * depth * (channels[color] ?? 1)) / 8)) : sum
  }, 0)
}

const MEGABYTE = 1 << 20

/** A zlib stream of zeros: the same compressed megabyte, as often as it takes. */
export function zeros(length: number): Buffer {
  const unit = deflateRawSync(Buffer.alloc(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH })
  const rest = deflateRawSync(Buffer.alloc(length % MEGABYTE))
  const adler = uint32((((length % 65_521) << 16) | 1) >>> 0)
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: Math.floor(length / MEGABYTE) }, () => unit),
    rest,
    adler,
  ])
}

export function webpFrom(parts: readonly Part[]): Buffer {
  const chunks = parts.map(([name, data]) =>
    Buffer.concat([Buffer.from(name), uint32(data.length, true), data, Buffer.alloc(data.length % 2)]),
  )
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length, true), body])
}

/** Flags of the extended header. */
export const WEBP_FLAGS = { icc: 0x20, exif: 0x08, xmp: 0x04, animation: 0x02 } as const

export function webpCanvas({ width, height }: { width: number; height: number }, flags = 0): Part {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return ['VP8X', data]
}

/** The picture of a WebP without an extended header. */
export function webpPicture(webp: Buffer): Part {
  const length = webp.readUInt32LE(16)
  return [webp.toString('latin1', 12, 16), webp.subarray(20, 20 + length)]
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const bytes = Buffer.from([0xff, marker, 0, 0])
  bytes.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([bytes, data])
}
/** Behind the start of the image. */
export const withJpegSegments = (jpeg: Buffer, ...segments: readonly Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

export const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1')
export const XMP_PREFIX = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1')
export const ICC_PREFIX = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1')

/** An EXIF block with an orientation, a maker and a position. */
export function exifOf(orientation: number, maker: string): Buffer {
  const name = Buffer.from(`${maker}\0`)
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(count, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const gpsAt = 8 + 2 + 3 * 12 + 4
  const latitudeAt = gpsAt + 2 + 2 * 12 + 4
  const nameAt = latitudeAt + 24
  const degrees = [52, 1, 31, 1, 12, 1].map((value) => uint32(value, true))
  return Buffer.concat([
    Buffer.from('49492a0008000000', 'hex'),
    Buffer.from([3, 0]),
    entry(0x010f, 2, name.length, nameAt),
    entry(0x0112, 3, 1, orientation),
    entry(0x8825, 4, 1, gpsAt),
    Buffer.alloc(4),
    Buffer.from([2, 0]),
    entry(0x0001, 2, 2, 0x4e),
    entry(0x0002, 5, 3, latitudeAt),
    Buffer.alloc(4),
    ...degrees,
    name,
  ])
}
