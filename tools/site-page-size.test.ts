// The budget of a site's home page, which `npm run site-budget` prints.

import { expect, test } from 'vitest'
import { faultsOf, limits, measureSites } from './site-page-size.ts'

const sizes = measureSites()

test('the home page of a site is within its budget in both looks', () => {
  expect(sizes.map(({ look }) => look)).toEqual(['meadow', 'journal'])
  expect(faultsOf(sizes)).toEqual([])
})

test('every figure above its limit is reported (negative control)', () => {
  const heavy = sizes.map(({ look }) => {
    const { html, full, style, fonts } = limits[look]
    return { look, html: html + 1, full: full + 1, style: style + 1, fonts: fonts + 1 }
  })
  expect(faultsOf(heavy)).toHaveLength(8)
  expect(faultsOf(heavy)[0]).toBe('meadow: html has 4001 bytes, and 4000 is the most.')
})

test('what is measured is there: no figure is that of an empty file (negative control)', () => {
  for (const { html, full, style, fonts } of sizes) {
    expect(full).toBeGreaterThan(2000)
    expect(html).toBeGreaterThan(1500)
    expect(style).toBeGreaterThan(2000)
    expect(fonts).toBeGreaterThan(20_000)
  }
})
