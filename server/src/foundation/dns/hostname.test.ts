import { expect, test } from 'vitest'
import { isHostname, isHostnameLabel } from './hostname.ts'

const long = 'a'.repeat(63)

test.each([
  'a.b',
  'shop.example.com',
  '1.2.example',
  '0x1.example',
  'a--b.example',
  'xn--bcher-kva.example',
  'shop.xn--p1ai',
  `${long}.${long}.${long}.${'a'.repeat(61)}`,
  'a.b.c.d.e.f.g.h.i.j',
])('%s is a hostname', (name) => {
  expect(isHostname(name)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['no text', 7],
  ['one label', 'com'],
  ['a capital', 'Shop.example'],
  ['an underscore in front', '_petstore.shop.example'],
  ['an underscore inside', 'my_shop.example'],
  ['an underscore in the last label', 'shop.exam_ple'],
  ['a hyphen in front', '-shop.example'],
  ['a hyphen at the end', 'shop-.example'],
  ['reserved hyphens', 'ab--c.example'],
  ['an empty label', 'shop..example'],
  ['a trailing dot', 'shop.example.'],
  ['a line break', 'shop.example\n'],
  ['a port', 'shop.example:80'],
  ['a path', 'shop.example/x'],
  ['a letter that is not of ASCII', 'bücher.example'],
  ['an IPv4 address', '192.0.2.1'],
  ['a hexadecimal number at the end', 'shop.0x7f'],
  ['64 characters in a label', `a${long}.example`],
  ['254 characters', `${long}.${long}.${long}.${'a'.repeat(62)}`],
  ['eleven labels', 'a.b.c.d.e.f.g.h.i.j.k'],
])('with %s it is no hostname', (_, name) => {
  expect(isHostname(name)).toBe(false)
})

test('a label follows the same rules, alone', () => {
  for (const label of ['a', '1', 'xn--p1ai', long]) expect(isHostnameLabel(label)).toBe(true)
  for (const label of ['', '_a', 'a_b', '-a', 'a-', 'ab--c', 'a.b', 'A', `a${long}`]) {
    expect(isHostnameLabel(label)).toBe(false)
  }
})
