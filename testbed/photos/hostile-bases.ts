// Valid pictures of each kind, from which hostile ones are made. Encoded by sharp, the same in every run.

import sharp from 'sharp'
import { mulberry32 } from '../harness/mulberry32.ts'

export type Bases = Readonly<Record<(typeof baseNames)[number], Buffer>>

const baseNames = [
  'jpeg',
  'progressive',
  'cmyk',
  'grey',
  'png',
  'greyAlpha',
  'deep',
  'webp',
  'gif',
  'tiff',
  'avif',
] as const

export const BASE_SIZE = { width: 320, height: 240 } as const

export async function hostileBases(): Promise<Bases> {
  const { width, height } = BASE_SIZE
  const random = mulberry32(7)
  // A gradient with some noise: all coefficients of a JPEG are used.
  const data = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => ((at / 900) & 127) + random() * 60))
  const image = () => sharp(data, { raw: { width, height, channels: 3 } })
  return {
    jpeg: await image().jpeg().toBuffer(),
    progressive: await image().jpeg({ progressive: true }).toBuffer(),
    cmyk: await image().toColourspace('cmyk').jpeg().toBuffer(),
    grey: await image().greyscale().jpeg().toBuffer(),
    png: await image().png().toBuffer(),
    greyAlpha: await image().greyscale().ensureAlpha(0.5).png().toBuffer(),
    deep: await image().toColourspace('rgb16').png().toBuffer(),
    webp: await image().webp().toBuffer(),
    gif: await image().gif().toBuffer(),
    tiff: await image().tiff().toBuffer(),
    avif: await image().avif({ effort: 0 }).toBuffer(),
  }
}
