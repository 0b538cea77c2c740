// Contrast: whatever colour an owner chooses, text on it is readable.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { READABLE, contrast, darkPalette, lightPalette, type Palette } from './color.ts'

const themes = fc.oneof(
  fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`),
  fc.constantFrom('#ffffff', '#000000', '#ffff00', '#00ff00', '#0000ff', '#777777', '#0f766e'),
)

const pairs = ({ ground, surface, ink, quiet, accent, onAccent, soft, onSoft, trace, wrong, tiles }: Palette) => [
  [ink, ground],
  [ink, surface],
  [quiet, ground],
  [quiet, surface],
  [accent, ground],
  [accent, surface],
  [onAccent, accent],
  [onSoft, soft],
  [onSoft, trace],
  [wrong, ground],
  [wrong, surface],
  ...tiles.flatMap((tile) => [
    [tile.ink, tile.ground],
    [tile.ink, tile.shape],
  ]),
]

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('every text colour is readable on its background, in light and in dark mode', () => {
  fc.assert(
    fc.property(themes, (theme) => {
      for (const palette of [lightPalette(theme), darkPalette(theme)])
        for (const [ink = '', ground = ''] of pairs(palette))
          expect(contrast(ink, ground), `${ink} on ${ground} for ${theme}`).toBeGreaterThanOrEqual(READABLE)
    }),
    { numRuns: 500 },
  )
})

test('fields are distinguishable from their surroundings', () => {
  fc.assert(
    fc.property(themes, (theme) => {
      for (const { edge, surface } of [lightPalette(theme), darkPalette(theme)])
        expect(contrast(edge, surface)).toBeGreaterThanOrEqual(3)
    }),
  )
})

test('a readable colour is used unchanged', () => {
  expect(lightPalette('#0f766e').accent).toBe('#0f766e')
})
