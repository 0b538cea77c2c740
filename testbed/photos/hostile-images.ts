// Hostile pictures: bombs, truncated and contradictory files, formats under a false flag, broken metadata, and valid
// rarities that must not be rejected with them. Seeded: the same number gives the same bytes.

import { mulberry32 } from '../harness/mulberry32.ts'
import {
  EXIF_PREFIX,
  exifOf,
  flatPng,
  ICC_PREFIX,
  jpegSegment,
  pngChunk,
  pngFrom,
  pngHeader,
  WEBP_FLAGS,
  webpCanvas,
  webpFrom,
  webpPicture,
  withJpegSegments,
  withPngChunk,
  zeros,
} from './containers.ts'
import { BASE_SIZE, type Bases } from './hostile-bases.ts'

/**
 * `either`: what matters is that it does no harm. A JPEG with missing data but a proper end is among them: decoders fill
 * the gap with grey, as browsers do, and phones write too many harmless oddities to reject all of them.
 */
export type HostileVerdict = 'accept' | 'reject' | 'either'
export type HostileImage = { name: string; verdict: HostileVerdict; bytes: Buffer }

type Random = () => number
type Maker = { name: string; verdict: HostileVerdict; make: (bases: Bases, random: Random) => Buffer }

const below = (random: Random, most: number) => Math.floor(random() * most)
const noise = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => below(random, 256)))
const text = (value: string) => Buffer.from(value, 'latin1')

function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

/** After its headers, before its end. */
const cut = (bytes: Buffer, random: Random) => bytes.subarray(0, Math.floor(bytes.length * (0.3 + random() * 0.6)))
const flipped = (bytes: Buffer, random: Random) =>
  changed(bytes, (copy) => {
    for (let flips = 1 + below(random, 8); flips > 0; flips--) {
      const at = below(random, copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8))
    }
  })

const frameOf = (jpeg: Buffer) => {
  const at = [0xc0, 0xc2].map((marker) => jpeg.indexOf(Buffer.from([0xff, marker, 0]))).filter((found) => found > 0)
  return Math.min(...at)
}
const withFrame = (jpeg: Buffer, change: (copy: Buffer, frame: number) => void) =>
  changed(jpeg, (copy) => change(copy, frameOf(copy)))
const sized = (jpeg: Buffer, width: number, height: number) =>
  withFrame(jpeg, (copy, frame) => {
    copy.writeUInt16BE(height, frame + 5)
    copy.writeUInt16BE(width, frame + 7)
  })
/** The last scan again and again: each is decoded over the whole picture. */
function manyScans(jpeg: Buffer, times: number): Buffer {
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: times }, () => scan), jpeg.subarray(-2)])
}
const exifSegment = (exif: Buffer) => jpegSegment(0xe1, Buffer.concat([EXIF_PREFIX, exif]))
const webpWith = (webp: Buffer, flags: number, name: string, data: Buffer) =>
  webpFrom([
    webpCanvas(BASE_SIZE, flags),
    ...(name === 'ICCP' ? [[name, data] as const] : []),
    webpPicture(webp),
    ...(name === 'ICCP' ? [] : [[name, data] as const]),
  ])
const SQUARE = 7071
const small = { width: 300, height: 300 }
const idat = zeros(300 * 901)
const end = ['IEND', Buffer.alloc(0)] as const
const compressed = (keyword: string, length: number) => Buffer.concat([text(`${keyword}\0\0`), zeros(length)])

const bombs: readonly Maker[] = [
  { name: 'png of 900 megapixels', verdict: 'reject', make: () => flatPng({ width: 30_000, height: 30_000 }) },
  { name: 'png of 50 megapixels', verdict: 'accept', make: () => flatPng({ width: SQUARE, height: SQUARE }) },
  {
    name: 'interlaced png of 50 megapixels',
    verdict: 'either',
    make: () => flatPng({ width: SQUARE, height: SQUARE, isInterlaced: true }),
  },
  {
    name: 'interlaced png of 50 megapixels, 16 bits',
    verdict: 'either',
    make: () => flatPng({ width: SQUARE, height: SQUARE, depth: 16, color: 6, isInterlaced: true }),
  },
  {
    name: 'png with a side of 65,535',
    verdict: 'accept',
    make: () => flatPng({ width: 65_535, height: 400, depth: 1, color: 0 }),
  },
  {
    name: 'png of 2³¹ pixels in a row',
    verdict: 'reject',
    make: () => flatPng({ width: 2 ** 31 - 1, height: 1 }, 1000),
  },
  { name: 'png without width', verdict: 'reject', make: () => flatPng({ width: 0, height: 300 }, 1000) },
  { name: 'jpeg of 65,535 × 65,535', verdict: 'reject', make: ({ jpeg }) => sized(jpeg, 65_535, 65_535) },
  { name: 'jpeg with a side of 65,535', verdict: 'reject', make: ({ jpeg }) => sized(jpeg, 65_535, 700) },
  {
    name: 'progressive jpeg of 50 megapixels without data',
    verdict: 'either',
    make: ({ progressive }) => sized(progressive, SQUARE, SQUARE),
  },
  { name: 'jpeg of 2,000 scans', verdict: 'either', make: ({ progressive }) => manyScans(progressive, 2000) },
  {
    name: 'large jpeg of 300 scans',
    verdict: 'either',
    make: ({ progressive }) => manyScans(sized(progressive, 6000, 6000), 300),
  },
  {
    name: 'colour profile of 4 GB',
    verdict: 'either',
    make: ({ png }) => withPngChunk(png, ['iCCP', compressed('icc', 2 ** 32 - 5)]),
  },
  {
    name: 'text of 1 GB',
    verdict: 'either',
    make: ({ png }) => withPngChunk(png, ['zTXt', compressed('Comment', 2 ** 30)]),
  },
  {
    name: 'international text of 1 GB',
    verdict: 'either',
    make: ({ png }) => withPngChunk(png, ['iTXt', Buffer.concat([text('Comment\0\x01\0\0\0'), zeros(2 ** 30)])]),
  },
  {
    name: '20,000 texts',
    verdict: 'either',
    make: ({ png }) =>
      Buffer.concat([
        png.subarray(0, 33),
        ...Array.from({ length: 20_000 }, (_, index) => pngChunk(['tEXt', text(`k${index}\0v`)])),
        png.subarray(33),
      ]),
  },
  {
    name: 'webp canvas of 16,384 × 16,384',
    verdict: 'reject',
    make: ({ webp }) => webpFrom([webpCanvas({ width: 16_384, height: 16_384 }), webpPicture(webp)]),
  },
]

const contradictions: readonly Maker[] = [
  { name: 'png with too few pixels', verdict: 'reject', make: () => flatPng(small, 5000) },
  { name: 'png with too many pixels', verdict: 'either', make: () => flatPng(small, 5_000_000) },
  { name: 'png of 3 bits', verdict: 'reject', make: () => flatPng({ ...small, depth: 3 }) },
  { name: 'png of an unknown colour type', verdict: 'reject', make: () => flatPng({ ...small, color: 5 }, 270_300) },
  { name: 'png without its palette', verdict: 'reject', make: () => flatPng({ ...small, color: 3 }) },
  {
    name: 'png with a palette that is too small',
    verdict: 'either',
    make: () =>
      pngFrom([
        ['IHDR', pngHeader({ ...small, color: 3 })],
        ['PLTE', Buffer.alloc(3)],
        ['tRNS', Buffer.alloc(256)],
        ['IDAT', zeros(300 * 301)],
        end,
      ]),
  },
  {
    name: 'png with a broken stream',
    verdict: 'reject',
    make: (_, random) => pngFrom([['IHDR', pngHeader(small)], ['IDAT', noise(random, 2000)], end]),
  },
  {
    name: 'png with an unknown filter',
    verdict: 'reject',
    make: () =>
      pngFrom([
        ['IHDR', pngHeader(small)],
        ['IDAT', Buffer.concat([Buffer.from([0x78, 0x01, 0x01, 0x0a, 0, 0xf5, 0xff]), Buffer.alloc(10, 9)])],
        end,
      ]),
  },
  {
    name: 'png with a wrong checksum',
    verdict: 'reject',
    make: ({ png }, random) => changed(png, (copy) => copy.writeUInt32BE(below(random, 2 ** 31), 29)),
  },
  {
    name: 'png with two headers',
    verdict: 'reject',
    make: () => pngFrom([['IHDR', pngHeader(small)], ['IHDR', pngHeader(small)], ['IDAT', idat], end]),
  },
  {
    name: 'animated png',
    verdict: 'reject',
    make: ({ png }) => withPngChunk(png, ['acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])]),
  },
  {
    name: 'animated webp',
    verdict: 'reject',
    make: ({ webp }) =>
      webpFrom([
        webpCanvas(BASE_SIZE, WEBP_FLAGS.animation),
        ['ANIM', Buffer.alloc(6)],
        ['ANMF', Buffer.concat([Buffer.alloc(16), webp.subarray(12)])],
      ]),
  },
  {
    name: 'webp with two pictures',
    verdict: 'reject',
    make: ({ webp }) => webpFrom([webpPicture(webp), webpPicture(webp)]),
  },
  {
    name: 'webp with broken transparency',
    verdict: 'either',
    make: ({ webp }, random) => webpWith(webp, 0x10, 'ALPH', noise(random, 100)),
  },
  {
    name: 'arithmetic jpeg',
    verdict: 'either',
    make: ({ jpeg }) =>
      withFrame(jpeg, (copy, frame) => {
        copy[frame + 1] = 0xc9
      }),
  },
  {
    name: 'lossless jpeg',
    verdict: 'reject',
    make: ({ jpeg }) =>
      withFrame(jpeg, (copy, frame) => {
        copy[frame + 1] = 0xc3
      }),
  },
  {
    name: 'jpeg of 12 bits',
    verdict: 'either',
    make: ({ jpeg }) =>
      withFrame(jpeg, (copy, frame) => {
        copy[frame + 4] = 12
      }),
  },
  {
    name: 'jpeg without components',
    verdict: 'reject',
    make: ({ jpeg }) =>
      withFrame(jpeg, (copy, frame) => {
        copy[frame + 9] = 0
      }),
  },
  {
    name: 'jpeg with sampling factor 0',
    verdict: 'reject',
    make: ({ jpeg }) =>
      withFrame(jpeg, (copy, frame) => {
        copy[frame + 11] = 0
      }),
  },
  {
    name: 'jpeg without tables',
    verdict: 'either',
    make: ({ jpeg }) =>
      changed(jpeg, (copy) => {
        for (let at = 2; (at = copy.indexOf(Buffer.from([0xff, 0xc4]), at + 1)) > 0;) copy[at + 1] = 0xfe
      }),
  },
  {
    name: 'jpeg cut, with an end',
    verdict: 'either',
    make: ({ jpeg }, random) => Buffer.concat([cut(jpeg, random), Buffer.from([0xff, 0xd9])]),
  },
  { name: 'truncated jpeg', verdict: 'reject', make: ({ jpeg }, random) => cut(jpeg, random) },
  {
    name: 'truncated progressive jpeg',
    verdict: 'reject',
    make: ({ progressive }, random) => cut(progressive, random),
  },
  { name: 'truncated png', verdict: 'reject', make: ({ png }, random) => cut(png, random) },
  { name: 'truncated webp', verdict: 'reject', make: ({ webp }, random) => cut(webp, random) },
]

const falseFlags: readonly Maker[] = [
  {
    name: 'svg',
    verdict: 'reject',
    make: () =>
      text('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><image href="file:///etc/passwd"/></svg>'),
  },
  { name: 'gif', verdict: 'reject', make: ({ gif }) => gif },
  { name: 'tiff', verdict: 'reject', make: ({ tiff }) => tiff },
  { name: 'avif', verdict: 'reject', make: ({ avif }) => avif },
  { name: 'heic', verdict: 'reject', make: () => text('\0\0\0\x18ftypheic\0\0\0\0mif1heic') },
  { name: 'pdf', verdict: 'reject', make: () => text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj') },
  {
    name: 'svg behind the beginning of a jpeg',
    verdict: 'reject',
    make: () => text('\xff\xd8\xff<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'),
  },
  {
    name: 'svg behind the beginning of a png',
    verdict: 'reject',
    make: () => text('\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  },
  {
    name: 'png with a page behind it',
    verdict: 'reject',
    make: ({ png }) => Buffer.concat([png, text('<script>alert(1)</script>')]),
  },
  {
    name: 'webp with an archive behind it',
    verdict: 'reject',
    make: ({ webp }) => Buffer.concat([webp, text('PK\x05\x06'), Buffer.alloc(18)]),
  },
  {
    name: 'jpeg with an archive behind it',
    verdict: 'accept',
    make: ({ jpeg }) => Buffer.concat([jpeg, text('PK\x05\x06'), Buffer.alloc(18)]),
  },
  {
    name: 'jpeg with a page in a comment',
    verdict: 'accept',
    make: ({ jpeg }) => withJpegSegments(jpeg, jpegSegment(0xfe, text('*/<script>alert(1)</script>'))),
  },
]

const brokenMetadata: readonly Maker[] = [
  {
    name: 'jpeg with noise as exif',
    verdict: 'accept',
    make: ({ jpeg }, random) => withJpegSegments(jpeg, exifSegment(noise(random, 500))),
  },
  {
    name: 'jpeg with an endless directory',
    verdict: 'accept',
    make: ({ jpeg }) =>
      withJpegSegments(jpeg, exifSegment(changed(exifOf(1, 'x'), (copy) => copy.writeUInt32LE(8, 46)))),
  },
  {
    name: 'jpeg with a directory of 65,535 entries',
    verdict: 'accept',
    make: ({ jpeg }) =>
      withJpegSegments(jpeg, exifSegment(changed(exifOf(1, 'x'), (copy) => copy.writeUInt16LE(65_535, 8)))),
  },
  {
    name: 'jpeg with orientation 65,535',
    verdict: 'accept',
    make: ({ jpeg }) => withJpegSegments(jpeg, exifSegment(exifOf(65_535, 'x'))),
  },
  {
    name: 'png with noise as exif',
    verdict: 'accept',
    make: ({ png }, random) => withPngChunk(png, ['eXIf', noise(random, 300)], { isLast: true }),
  },
  {
    name: 'webp with noise as exif',
    verdict: 'accept',
    make: ({ webp }, random) => webpWith(webp, WEBP_FLAGS.exif, 'EXIF', noise(random, 300)),
  },
  {
    name: 'jpeg with noise as colour profile',
    verdict: 'accept',
    make: ({ jpeg }, random) =>
      withJpegSegments(jpeg, jpegSegment(0xe2, Buffer.concat([ICC_PREFIX, noise(random, 600)]))),
  },
  {
    name: 'jpeg with a colour profile in 255 missing parts',
    verdict: 'accept',
    make: ({ jpeg }, random) =>
      withJpegSegments(jpeg, jpegSegment(0xe2, Buffer.concat([text('ICC_PROFILE\0\x01\xff'), noise(random, 600)]))),
  },
  {
    name: 'webp with noise as colour profile',
    verdict: 'either',
    make: ({ webp }, random) => webpWith(webp, WEBP_FLAGS.icc, 'ICCP', noise(random, 600)),
  },
  {
    name: 'png with noise as colour profile',
    verdict: 'either',
    make: ({ png }, random) => withPngChunk(png, ['iCCP', Buffer.concat([text('x\0\0'), noise(random, 300)])]),
  },
]

const rarities: readonly Maker[] = (['cmyk', 'grey', 'progressive', 'greyAlpha', 'deep'] as const).map((name) => ({
  name: `valid ${name}`,
  verdict: 'accept',
  make: (bases) => bases[name],
}))

const mutants: readonly Maker[] = (['jpeg', 'progressive', 'cmyk', 'png', 'deep', 'webp'] as const).map((name) => ({
  name: `${name} with changed bits`,
  verdict: 'either',
  make: (bases, random) => flipped(bases[name], random),
}))

export const hostileKinds: readonly Maker[] = [
  ...bombs,
  ...contradictions,
  ...falseFlags,
  ...brokenMetadata,
  ...rarities,
  ...mutants,
]

/** Each kind once, the cheap ones again with other numbers until there are enough. */
export function* hostileImages(
  bases: Bases,
  { count, seed }: { count: number; seed: number },
): Generator<HostileImage> {
  const again = hostileKinds.slice(bombs.length)
  for (let index = 0; index < count; index++) {
    const kind = hostileKinds[index] ?? again[(index - hostileKinds.length) % again.length]
    if (!kind) return
    const { name, verdict, make } = kind
    yield { name, verdict, bytes: make(bases, mulberry32(seed + index)) }
  }
}
