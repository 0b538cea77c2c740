import { expect, test } from 'vitest'
import { fittedSize } from './prepare-photo.ts'

test.each([
  [
    { width: 4032, height: 3024 },
    { width: 2560, height: 1920 },
  ],
  [
    { width: 3024, height: 4032 },
    { width: 1920, height: 2560 },
  ],
  [
    { width: 1200, height: 900 },
    { width: 1200, height: 900 },
  ],
  [
    { width: 50_000, height: 3 },
    { width: 2560, height: 1 },
  ],
])('a photo of %j is sent as %j', (size, expected) => {
  expect(fittedSize(size, 2560)).toEqual(expected)
})
