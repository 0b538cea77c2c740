// Host resolution: whatever a client sends, only a site's own host leads to it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostOf, slugOf, targetOf } from './hosts.ts'

const PLATFORM = 'petstore.test:3080'

test('a slug is found in any case, with any port and with a trailing dot', () => {
  for (const host of [
    'north.petstore.test',
    'North.PETSTORE.test:80',
    'north.petstore.test.',
    'north.petstore.test.:1',
  ]) {
    expect(slugOf(host, PLATFORM)).toBe('north')
  }
})

test('no other text names a slug', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('n', '.', '-', ':', '1', 'petstore', 'test', '/', '@', '%') }),
      (host) => {
        const slug = slugOf(host, PLATFORM)
        if (slug !== undefined) expect(host.replace(/\.?(:\d*)?$/, '')).toBe(`${slug}.petstore.test`)
      },
    ),
  )
})

test('a request has one host or none', () => {
  expect(hostOf(['Accept', '*/*', 'hOsT', 'a'])).toBe('a')
  expect(hostOf(['Host', 'a', 'Host', 'a'])).toBeUndefined()
  expect(hostOf(['Hosts', 'a'])).toBeUndefined()
})

test.each([
  ['/a/1?x', '/a/1?x'],
  ['http://a.test/x', '/x'],
  ['HTTPS://A.TEST?x', '/?x'],
  ['http://b.test/x', undefined],
  ['http://a.test@b.test/', undefined],
  ['*', undefined],
  ['ftp://a.test/', undefined],
])('the target %s is %s', (url, target) => {
  expect(targetOf(url, 'a.test')).toBe(target)
})
