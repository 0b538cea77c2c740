import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressText, mayContact, sameAddress } from './addresses.ts'

describe('an address that is never queried', () => {
  test.each([
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.9',
    '192.0.0.10',
    '192.0.0.170',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:8.8.8.8',
    '0:0:0:0:0:ffff:10.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2620:4f:8000::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00::1',
    'fdff:ffff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
  ])('%s is reserved', (address) => {
    expect(sameAddress(address)).not.toBeNull()
    expect(mayContact(address)).toBe(false)
  })

  test.each([
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '2130706433',
    '127.0.0.01',
    '0127.0.0.1',
    '127.0.0.1.',
    ' 127.0.0.1',
    '8.8.8.256',
    '8.8.8',
    '8.8.8.8.8',
    '８.8.8.8',
    '[::1]',
    'fe80::1%eth0',
    '2a00::1%1',
    '2a00:::1',
    '2a00::1::2',
    '2a00:1:2:3:4:5:6:7:8',
    '2a00:1:2:3:4:5:6:7::',
    '2a00:12345::',
    '1.2.3.4::',
    '2a00::1.2.3',
    '2a00::1.2.3.4:5',
    ':2a00::',
    'localhost',
    '',
  ])("'%s' is not an address", (text) => {
    expect(mayContact(text, ['0.0.0.0/0', '::/0'])).toBe(false)
    expect(sameAddress(text)).toBeNull()
  })
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2A00::1.2.3.4',
  '3ffe::1',
])('%s may be queried', (address) => {
  expect(mayContact(address)).toBe(true)
})

test('only the configured networks are an exception, and only in their own address family', () => {
  const world = ['127.0.53.0/24', '::1/128']
  expect(mayContact('127.0.53.9', world)).toBe(true)
  expect(mayContact('::1', world)).toBe(true)
  expect(mayContact('127.0.54.1', world)).toBe(false)
  expect(mayContact('127.0.0.1', world)).toBe(false)
  expect(mayContact('::2', world)).toBe(false)
  expect(mayContact('::ffff:127.0.53.9', world)).toBe(false)
  expect(() => mayContact('127.0.0.1', ['127.0.0.1'])).toThrow("'127.0.0.1' is not a network")
})

test('every four or sixteen bytes have one text, which is parsed as the same address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ minLength: 4, maxLength: 4 }), sixteen), (bytes) => {
      const text = addressText(bytes)
      expect(sameAddress(text)).toBe(text)
      expect(text.includes(':')).toBe(isIPv6(text))
      // The platform's URL parser writes RFC 5952 as well.
      if (bytes.length === 16) expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`)
    }),
  )
})

const sixteen = fc
  .array(fc.constantFrom(0, 0, 0, 1, 0xab, 0xff), { minLength: 16, maxLength: 16 })
  .map((bytes) => Uint8Array.from(bytes))

test.each([
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['0:0:0:0:0:0:0:0', '::'],
])('%s is written %s', (one, other) => {
  expect(sameAddress(one)).toBe(other)
})
