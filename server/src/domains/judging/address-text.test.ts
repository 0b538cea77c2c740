import { expect, test } from 'vitest'
import { isPrivateAddress, plainAddress } from './address-text.ts'

test.each([
  ['2001:db8::10', '2001:0DB8:0:0:0:0:0:10'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['::1', '0::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
])('%s and %s are the same address', (one, other) => {
  expect(plainAddress(one)).toBe(plainAddress(other))
})

test.each(['1:2:3', '::1::2', 'zz::1', '1:2:3:4:5:6:7:8:9', '12345::'])(
  'text that is not an address, such as %s, stays unchanged',
  (text) => {
    expect(plainAddress(text)).toBe(text)
  },
)

test.each([
  '10.1.2.3',
  '127.0.0.1',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.20',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  '::ffff:192.168.1.1',
])('%s is inside a private network', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each(['192.0.2.1', '8.8.8.8', '172.32.0.1', '172.15.0.1', '100.128.0.1', '192.169.0.1', '2001:db8::1', 'ff'])(
  '%s is not inside a private network',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  },
)
