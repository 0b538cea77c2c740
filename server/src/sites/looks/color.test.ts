// Contrast: whatever colour an owner chooses, in both looks, by day and by night, text on it is readable. The colours
// are drawn with a fixed seed, so a failure can be repeated.

import { looks } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { READABLE, VISIBLE, contrast, pairsOf, paletteOf, type Palette } from './color.ts'

const COLORS = 500
const extremes = ['#ffffff', '#000000', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#777777', '#0f766e']

/** The same every time: a linear congruential generator is random enough for colours. */
function randomColors(count: number, seed = 20_261_117): string[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `#${(state >>> 8).toString(16).padStart(6, '0')}`
  })
}

const themes = [...extremes, ...randomColors(COLORS)]
const variants = looks.flatMap((look) => (['light', 'dark'] as const).map((scheme) => [look, scheme] as const))

/** Every pair below its line, and the lowest contrast of text and of outlines. */
function judge(palettes: readonly Palette[]) {
  const low: string[] = []
  const lowest = { text: 21, outline: 21 }
  for (const [ink, ground, least] of palettes.flatMap(pairsOf)) {
    const found = contrast(ink, ground)
    if (found < least) low.push(`${ink} on ${ground} has ${found.toFixed(2)}, and needs ${least}`)
    const kind = least === READABLE ? 'text' : 'outline'
    lowest[kind] = Math.min(lowest[kind], found)
  }
  return { low, lowest }
}

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test.each(variants)('500 random colours and the extreme ones are readable in %s, %s', (look, scheme) => {
  expect(new Set(themes).size).toBeGreaterThan(COLORS)
  const { low, lowest } = judge(themes.map((theme) => paletteOf(theme, look, scheme)))
  expect(low).toEqual([])
  expect(lowest.text).toBeGreaterThanOrEqual(READABLE)
  expect(lowest.outline).toBeGreaterThanOrEqual(VISIBLE)
})

test('a palette whose colours are taken as they are is noticed (negative control)', () => {
  const careless = themes.map((theme) => ({ ...paletteOf(theme, 'meadow', 'light'), accent: theme }))
  expect(judge(careless).low.length).toBeGreaterThan(COLORS / 4)
  const faint = { ...paletteOf('#0f766e', 'journal', 'dark'), edge: '#2b231b' }
  expect(judge([faint]).low).toHaveLength(2)
})

test.each(looks)('a readable colour is used unchanged in %s', (look) => {
  expect(paletteOf('#0f766e', look, 'light').accent).toBe('#0f766e')
})

test('the looks differ in more than shapes: Journal keeps its paper, Meadow takes the hue of the owner', () => {
  const groundsOf = (look: (typeof looks)[number]) =>
    new Set(extremes.map((theme) => paletteOf(theme, look, 'light').ground))
  expect(groundsOf('journal').size).toBe(1)
  expect(groundsOf('meadow').size).toBeGreaterThan(4)
})
