// Image detection by bytes, with the limits of the caller. Real files of each type are parsed; the same files,
// truncated, renamed, enlarged or assembled wrongly, are rejected.

import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jpeg, png, webpLossless, webpLossy, webpWithAlpha } from '../../../../testbed/photos/images.ts'
import { readImage as read, type ImageLimits } from './image-header.ts'

const LIMIT = 4096
const limits: ImageLimits = {
  foreign: () => unknown.fault,
  size: ({ width, height }) => (Math.max(width, height) > LIMIT ? `${width} × ${height} is too large.` : undefined),
}
const readImage = (bytes: Uint8Array) => read(bytes, limits)

const real = [
  ['PNG', 'image/png', png],
  ['JPEG', 'image/jpeg', jpeg],
  ['WebP, lossy', 'image/webp', webpLossy],
  ['WebP, lossless', 'image/webp', webpLossless],
  ['WebP with transparency', 'image/webp', webpWithAlpha],
] as const

const damaged = { fault: 'The file is damaged or incomplete.' }
const animated = { fault: 'Animated images are not supported.' }
const unknown = { fault: 'The file is neither PNG, JPEG nor WebP.' }

describe.each(real)('%s', (_, type, bytes) => {
  test('is detected with its width and height', () => {
    expect(readImage(bytes)).toEqual({ type, width: 3, height: 2 })
  })

  test('is rejected wherever it is truncated', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(readImage(bytes.subarray(0, length)), `${length} bytes`).toHaveProperty('fault')
    }
  })

  test('never makes the parser throw, whichever byte is changed', () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const copy = Buffer.from(bytes)
        for (const { at, to } of changes) copy[at] = to
        const read = readImage(copy)
        if (!('fault' in read)) expect(Math.max(read.width, read.height)).toBeLessThanOrEqual(4096)
      }),
    )
  })
})

describe('a file that is not an accepted picture', () => {
  test.each([
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['GIF', 'GIF89a\u0001\u0000\u0001\u0000'],
    ['the name of a format alone', '\u0089PNG'],
    ['RIFF of another kind', 'RIFF\u0004\u0000\u0000\u0000WAVE'],
  ])('is rejected: %s', (_, text) => {
    expect(readImage(Buffer.from(text, 'latin1'))).toEqual(unknown)
  })

  test('is rejected when markup follows the magic number', () => {
    const markup = Buffer.from('<script>alert(1)</script>')
    expect(readImage(Buffer.concat([png.subarray(0, 8), markup]))).toEqual(damaged)
    expect(readImage(Buffer.concat([jpeg.subarray(0, 3), markup]))).toEqual(damaged)
    expect(readImage(riff(['VP8 ', markup]))).toEqual(damaged)
  })
})

describe('a picture over the limit', () => {
  const tooLarge = (size: string) => ({ fault: `${size} is too large.` })

  test('is rejected as PNG, even if its data is tiny', () => {
    expect(readImage(pngOf(4097, 1))).toEqual(tooLarge('4097 × 1'))
    expect(readImage(pngOf(1, 4_294_967_295))).toEqual(tooLarge('1 × 4294967295'))
    expect(readImage(pngOf(4096, 4096))).toEqual({ type: 'image/png', width: 4096, height: 4096 })
  })

  test('is rejected as JPEG', () => {
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    expect(readImage(written(jpeg, (copy) => copy.writeUInt16BE(65_535, frame + 5)))).toEqual(tooLarge('3 × 65535'))
  })

  test('is rejected as WebP', () => {
    const start = webpLossy.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
    expect(readImage(written(webpLossy, (copy) => copy.writeUInt16LE(16_383, start + 3)))).toEqual(
      tooLarge('16383 × 2'),
    )
    const signature = webpLossless.indexOf('VP8L') + 8
    expect(readImage(written(webpLossless, (copy) => copy.writeUInt32LE(0x0fff_ffff, signature + 1)))).toEqual(
      tooLarge('16384 × 16384'),
    )
  })
})

describe('a picture that contradicts itself', () => {
  test('is rejected when a PNG has a wrong checksum, begins without a header or continues after its end', () => {
    expect(readImage(written(png, (copy) => copy.writeUInt32BE(4, 16)))).toEqual(damaged)
    expect(readImage(Buffer.concat([png, Buffer.from('<script>')]))).toEqual(damaged)
    expect(readImage(pngFrom(['IDAT', Buffer.alloc(1)], ['IEND', Buffer.alloc(0)]))).toEqual(damaged)
    expect(readImage(pngFrom(['IHDR', header(1, 1)], ['IEND', Buffer.alloc(0)]))).toEqual(damaged)
  })

  test('is rejected when a JPEG declares its size twice', () => {
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    const segment = jpeg.subarray(frame, frame + 19)
    expect(readImage(Buffer.concat([jpeg.subarray(0, frame), segment, jpeg.subarray(frame)]))).toEqual(damaged)
  })

  test('is rejected when the canvas of a WebP is not the size of its picture', () => {
    const canvas = webpWithAlpha.indexOf('VP8X') + 8
    expect(readImage(written(webpWithAlpha, (copy) => copy.writeUIntLE(0, canvas + 4, 3)))).toEqual(damaged)
  })

  test('is rejected without a single pixel', () => {
    expect(readImage(pngOf(0, 1))).toEqual({ fault: 'The image has no pixels.' })
  })
})

test('an animated picture is rejected', () => {
  const still = ['VP8L', webpLossless.subarray(20)] as const
  expect(readImage(riff(['VP8X', Buffer.alloc(10)], ['ANIM', Buffer.alloc(6)], still))).toEqual(animated)
  const moving = pngFrom(
    ['IHDR', header(1, 1)],
    ['acTL', Buffer.alloc(8)],
    ['IDAT', deflateSync(Buffer.alloc(5))],
    ['IEND', Buffer.alloc(0)],
  )
  expect(readImage(moving)).toEqual(animated)
})

type Chunk = readonly [name: string, data: Buffer]

function written(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

const uint32 = (value: number) => written(Buffer.alloc(4), (copy) => copy.writeUInt32BE(value))
const header = (width: number, height: number) =>
  Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 6, 0, 0, 0])])

/** A PNG with valid checksums and hardly any data. */
const pngOf = (width: number, height: number) =>
  pngFrom(['IHDR', header(width, height)], ['IDAT', deflateSync(Buffer.alloc(5))], ['IEND', Buffer.alloc(0)])

function pngFrom(...chunks: readonly Chunk[]): Buffer {
  const pieces = chunks.map(([name, data]) => {
    const named = Buffer.concat([Buffer.from(name), data])
    return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
  })
  return Buffer.concat([png.subarray(0, 8), ...pieces])
}

function riff(...chunks: readonly Chunk[]): Buffer {
  const length = (value: number) => written(Buffer.alloc(4), (copy) => copy.writeUInt32LE(value))
  const pieces = chunks.map(([name, data]) =>
    Buffer.concat([Buffer.from(name), length(data.length), data, Buffer.alloc(data.length % 2)]),
  )
  const body = Buffer.concat([Buffer.from('WEBP'), ...pieces])
  return Buffer.concat([Buffer.from('RIFF'), length(body.length), body])
}
