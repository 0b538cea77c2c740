// Every pair of colours that carries text or an outline has the contrast it needs, in both schemes.

import { expect, test } from 'vitest'
import { pairsOf, tokens, tooFaint } from './tokens.ts'

test('no pair of tokens is below the contrast it needs', () => {
  expect(pairsOf(tokens).length).toBeGreaterThan(120)
  expect(tooFaint(tokens)).toEqual([])
})

test('a text that is too faint is found (negative control)', () => {
  const faded = { ...tokens, quiet: ['#9a9a9a', '#5a5a5a'] } as const
  expect(new Set(tooFaint(faded).map(({ ink }) => ink))).toEqual(new Set(['quiet']))
})
