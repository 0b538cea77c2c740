// Files of a photo by its size.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MASTER_PIXELS } from '@petstore-platform/contract/photo-files'
import { plannedFiles, variantWidths, within } from './recipe.ts'

const side = fc.integer({ min: 1, max: 70_000 })

test('no file is larger than the photo or its master, and a photo has at least one variant', () => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      const [master, ...others] = plannedFiles({ width, height })
      expect(Math.max(master?.width ?? 0, master?.height ?? 0)).toBeLessThanOrEqual(MASTER_PIXELS)
      expect(master?.width).toBeLessThanOrEqual(width)
      for (const file of others) {
        expect(file.width).toBeLessThanOrEqual(master?.width ?? 0)
        expect(Math.min(file.width, file.height)).toBeGreaterThan(0)
      }
      expect(others.length).toBeGreaterThan(1)
    }),
  )
})

test('a master has the variants of its photo', () => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      const photo = { width, height }
      const master = within(MASTER_PIXELS, photo)
      expect(plannedFiles(master)).toEqual(plannedFiles(photo))
    }),
  )
})

test('a narrow photo has its own width', () => {
  expect(variantWidths({ width: 319, height: 900 })).toEqual([319])
  expect(variantWidths({ width: 320, height: 900 })).toEqual([320])
})
