// Tests of the negotiated coding, and of detecting a cached page.

import { expect, test } from 'vitest'
import { codingOf, isCached } from './content-encoding.ts'

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

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  [undefined, false],
])('with If-None-Match %s the page is cached: %s', (header, isTrue) => {
  expect(isCached(header, 'W/"a"')).toBe(isTrue)
})
