// QR codes are read back by another library, as a camera would read them.

import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { qrCodeOf, qrFileOf, type QrCode } from './qr-code.ts'

const PIXELS = 6

/** The picture that the path draws, in pixels. */
function drawn({ size, path }: QrCode): { pixels: Uint8ClampedArray; width: number } {
  const width = size * PIXELS
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x = '', y = ''] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < PIXELS; dy++) {
      for (let dx = 0; dx < PIXELS; dx++) {
        const at = ((Number(y) * PIXELS + dy) * width + Number(x) * PIXELS + dx) * 4
        pixels.fill(0, at, at + 3)
      }
    }
  }
  return { pixels, width }
}

const readBack = (code: QrCode) => {
  const { pixels, width } = drawn(code)
  return jsQR(pixels, width, width)?.data
}

test.each([
  'https://willow-street.petstore.site',
  'https://www.tierheim-müller.example/tiere',
  `https://${'a'.repeat(200)}.example`,
])('%s is read back', (address) => {
  expect(readBack(qrCodeOf(address))).toBe(address)
})

test('a code with a part missing is not what it was (negative control)', () => {
  const { size, path } = qrCodeOf('https://willow-street.petstore.site')
  expect(readBack({ size, path: path.slice(0, path.length / 2) })).toBeUndefined()
})

test('the file is a picture of its own, dark on white', () => {
  expect(qrFileOf({ size: 3, path: 'M1 1h1v1h-1z' })).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3" shape-rendering="crispEdges">' +
      '<path fill="#fff" d="M0 0h3v3H0z"/><path d="M1 1h1v1h-1z"/></svg>',
  )
})
