// What is taken as a photo, and the words for what is not.

import { expect, test } from 'vitest'
import { flatPng } from '../../../../testbed/photos/containers.ts'
import { foreignFault } from './foreign-format.ts'
import { png } from '../../../../testbed/photos/images.ts'
import { readPhotoHeader } from './photo-header.ts'

test('a photo has at least 200 pixels on each side, and at most 50 megapixels', () => {
  const read = (width: number, height: number) => readPhotoHeader(flatPng({ width, height }, 1000))
  expect(read(200, 200)).toEqual({ type: 'image/png', width: 200, height: 200 })
  expect(read(10_000, 5000)).toMatchObject({ width: 10_000 })
  expect(readPhotoHeader(png)).toEqual({ fault: 'The photo has 3 × 2 pixels; each side needs at least 200.' })
  expect(read(10_001, 5000)).toEqual({ fault: 'The photo has 10001 × 5000 pixels; the maximum is 50 megapixels.' })
})

const box = (brands: string) => `\0\0\0\x18ftyp${brands}`

test.each([
  ['an HEIC picture', box('heic\0\0\0\0mif1heic')],
  ['an HEIC picture', box('mif1\0\0\0\0heicmif1')],
  ['an AVIF picture', box('avif\0\0\0\0mif1miaf')],
  ['an AVIF picture', box('mif1\0\0\0\0avifmiaf')],
  ['a raw file of a camera', box('crx \0\0\0\x01crx isom')],
  ['a video', box('qt  \0\0\0\0qt  qt  ')],
  ['a video', box('isom\0\0\x02\0isommp41')],
  ['a video', '\x1a\x45\xdf\xa3webm'],
  ['a video', 'RIFF\0\0\0\0AVI LIST'],
  ['a GIF picture', 'GIF89a'],
  ['a bitmap (BMP)', `BM${'\0'.repeat(40)}`],
  ['a raw file of a camera', 'II*\0\x10\0\0\0CR\x02\0'],
  ['a raw file of a camera', 'FUJIFILMCCD-RAW 0201'],
  ['a TIFF picture or a raw file of a camera', 'MM\0*\0\0\0\x08'],
  ['a JPEG XL picture', '\xff\x0a\xfa'],
  ['a JPEG 2000 picture', '\0\0\0\x0cjP  \r\n'],
  ['a Photoshop file', '8BPS\0\x01'],
  ['an icon (ICO)', '\0\0\x01\0\x01\0'],
  ['a PDF document', '%PDF-1.7'],
  ['an SVG drawing', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg">'],
  ['a web page', '<!DOCTYPE html><title>x</title>'],
  ['an archive or a document', 'PK\x03\x04'],
])('%s is named', (name, text) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(foreignFault(bytes)).toMatch(new RegExp(`^This is ${name.replace(/[()]/g, '\\$&')}\\. [A-Z]`))
  expect(readPhotoHeader(bytes)).toEqual({ fault: foreignFault(bytes) })
})

test('the owner of an iPhone reads what to do', () => {
  expect(foreignFault(Buffer.from(box('heic\0\0\0\0mif1heic'), 'latin1'))).toContain('Most Compatible')
})

test('what has no name is still rejected, whatever its length', () => {
  expect(foreignFault(Buffer.alloc(0))).toBe('The file is empty.')
  for (let length = 1; length < 20; length++) {
    expect(foreignFault(Buffer.alloc(length, 0x21))).toBe('The file is neither JPEG, PNG nor WebP.')
  }
})
