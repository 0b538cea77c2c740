// Orientations as steps. That the steps turn pixels upright is shown in server/test/media.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exifOf, flatPng, webpFrom, withPngChunk } from '../../../../testbed/photos/containers.ts'
import { orientationInChunks, uprighting } from './upright.ts'

test('an orientation and a turn add up', () => {
  expect(uprighting(1, 0)).toEqual({ isMirrored: false, degrees: 0 })
  expect(uprighting(6, 270)).toEqual({ isMirrored: false, degrees: 0 })
  expect(uprighting(5, 180)).toEqual({ isMirrored: true, degrees: 90 })
})

test.each([0, 9, 65_535, NaN])('an unknown orientation such as %d means upright', (orientation) => {
  expect(uprighting(orientation, 90)).toEqual({ isMirrored: false, degrees: 90 })
})

const png = flatPng({ width: 200, height: 200 })

test('the orientation is found in a PNG, before and behind its pixels, and in a WebP', () => {
  const exif = exifOf(6, 'maker')
  expect(orientationInChunks(withPngChunk(png, ['eXIf', exif]))).toBe(6)
  expect(orientationInChunks(withPngChunk(png, ['eXIf', exif], { isLast: true }))).toBe(6)
  expect(orientationInChunks(webpFrom([['EXIF', exif]]))).toBe(6)
  expect(orientationInChunks(webpFrom([['EXIF', Buffer.concat([Buffer.from('Exif\0\0'), exif])]]))).toBe(6)
  expect(orientationInChunks(png)).toBeUndefined()
})

test('broken EXIF is no obstacle, whatever it contains', () => {
  const tiff = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.concat([Buffer.from('II*\0'), bytes]))
  fc.assert(
    fc.property(tiff, (exif) => {
      expect(['number', 'undefined']).toContain(typeof orientationInChunks(withPngChunk(png, ['eXIf', exif])))
    }),
  )
})
