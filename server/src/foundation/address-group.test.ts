// One sender has one group, however the address is written, and a network has all of its groups.

import { expect, test } from 'vitest'
import { addressGroup, addressNetwork } from './address-group.ts'

test.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
])('%s is of the group %s in the network %s', (address, group, network) => {
  expect(addressGroup(address)).toBe(group)
  expect(addressNetwork(address)).toBe(network)
})

test('neighbours in a /64 are one sender, and those in a /48 are several of one network', () => {
  const [here, beside, next] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1']
  expect([beside, next].map((address) => addressGroup(address) === addressGroup(here))).toEqual([true, false])
  expect(addressNetwork(next)).toBe(addressNetwork(here))
})

test('text that is no address is a group of its own', () => {
  expect([addressGroup('visitor'), addressNetwork('visitor')]).toEqual(['visitor', 'visitor'])
})
