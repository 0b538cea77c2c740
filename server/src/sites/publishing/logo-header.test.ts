// The limits of a logo, and their words.

import { expect, test } from 'vitest'
import { png } from '../../../../testbed/photos/images.ts'
import { flatPng } from '../../../../testbed/photos/containers.ts'
import { readLogo } from './logo-header.ts'

test('a logo has at most 4096 pixels on each side', () => {
  expect(readLogo(png)).toEqual({ type: 'image/png', width: 3, height: 2 })
  expect(readLogo(flatPng({ width: 4096, height: 4096 }))).toMatchObject({ width: 4096 })
  expect(readLogo(flatPng({ width: 4097, height: 1 }))).toEqual({
    fault: 'The image has 4097 × 1 pixels; the maximum is 4096 × 4096.',
  })
})

test('a file of another format is no logo', () => {
  expect(readLogo(Buffer.from('GIF89a'))).toEqual({ fault: 'The file is neither PNG, JPEG nor WebP.' })
})
