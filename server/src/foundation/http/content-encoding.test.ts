// Tests of the negotiated coding.

import { expect, test } from 'vitest'
import { codingOf } from './negotiation.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['br;q=nonsense', undefined],
  ['deflate', undefined],
])('Accept-Encoding %s selects the coding %s', (accept, coding) => {
  expect(codingOf(accept)).toBe(coding)
})
