import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readLogo } from '../../sites/publishing/logo-header.ts'
import { jpeg, png, webpLossless, webpLossy, webpWithAlpha } from '../../../../testbed/photos/images.ts'
import { pictureOnly } from './picture-only.ts'

const SECRET = 'taken at home by Mia'

test.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webpLossy],
  ['image/webp', webpLossless],
  ['image/webp', webpWithAlpha],
] as const)('%s without anything else stays as it is', (type, bytes) => {
  expect(pictureOnly(bytes, type)).toEqual(bytes)
})

const noise = Buffer.from(Array.from({ length: 64 * 48 * 4 }, (_, index) => (index * 7919) % 251))
const picture = () =>
  sharp(noise, { raw: { width: 64, height: 48, channels: 4 } })
    .withExif({ IFD0: { Artist: SECRET }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)

const chunk = (name: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
const comment = Buffer.from(`\u00ff\u00fe\u0000\u0016${SECRET}`, 'latin1')
const after = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])

test.each([
  ['image/png', async () => after(await picture().png().toBuffer(), 33, chunk('tEXt', Buffer.from(`by\0${SECRET}`)))],
  [
    'image/jpeg',
    async () => Buffer.concat([after(await picture().jpeg().toBuffer(), 2, comment), Buffer.from(SECRET)]),
  ],
  ['image/jpeg', async () => after(await picture().jpeg({ progressive: true, mozjpeg: true }).toBuffer(), 2, comment)],
  ['image/webp', () => picture().webp().toBuffer()],
  ['image/webp', () => picture().webp({ lossless: true }).toBuffer()],
] as const)('%s loses what else it has, and no pixel', async (type, made) => {
  const bytes = await made()
  expect(bytes.includes(SECRET)).toBe(true)
  expect(readLogo(bytes)).toMatchObject({ type, width: 64 })
  const copy = pictureOnly(bytes, type)
  if (!copy) throw new Error('no copy')
  expect(copy.includes(SECRET)).toBe(false)
  expect(readLogo(copy)).toEqual(readLogo(bytes))
  const { exif, xmp, iptc } = await sharp(copy).metadata()
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
  expect((await sharp(copy).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
  expect(pictureOnly(copy, type)).toEqual(copy)
})

test('a profile of colours stays', async () => {
  for (const [type, bytes] of [
    ['image/png', await picture().withIccProfile('p3').png().toBuffer()],
    ['image/jpeg', await picture().withIccProfile('p3').jpeg().toBuffer()],
    ['image/webp', await picture().withIccProfile('p3').webp().toBuffer()],
  ] as const) {
    const { icc } = await sharp(pictureOnly(bytes, type)).metadata()
    expect(icc).toEqual((await sharp(bytes).metadata()).icc)
    expect(icc).toBeDefined()
  }
})

test('what cannot be followed to its end is no picture', () => {
  expect(pictureOnly(jpeg.subarray(0, -2), 'image/jpeg')).toBeUndefined()
  expect(pictureOnly(jpeg.subarray(0, 40), 'image/jpeg')).toBeUndefined()
  expect(pictureOnly(png.subarray(0, -12), 'image/png')).toBeUndefined()
})
