import { expect, test } from 'vitest'
import { proxyOf } from './networks.ts'

test.each([
  ['104.16.0.0', 'Cloudflare'],
  ['104.27.255.255', 'Cloudflare'],
  ['172.71.255.255', 'Cloudflare'],
  ['2606:4700:3030::6815:1', 'Cloudflare'],
  ['2606:4700:0:0:0:0:0:1', 'Cloudflare'],
  ['2a06:98c7:ffff::1', 'Cloudflare'],
  ['151.101.2.137', 'Fastly'],
  ['2a04:4e42::645', 'Fastly'],
])('%s is in the network of %s', (address, name) => expect(proxyOf(address)?.name).toBe(name))

test.each([
  '104.15.255.255',
  '104.28.0.0',
  '172.72.0.0',
  '2606:4701::1',
  '2a06:98c8::1',
  '151.102.0.0',
  '192.0.2.1',
  '::',
  '::1',
  '',
  'no address',
  '1:2:3',
  '1::2::3:4:5:6:7:8:9',
  '::ffff:104.16.0.1',
])('%j is in no known network', (address) => expect(proxyOf(address)).toBeNull())

test.each([
  [{ 'cf-ray': '8f1d2c3b4a596877-FRA' }, 'Cloudflare'],
  [{ via: '1.1 0123.cloudfront.net (CloudFront)' }, 'Amazon CloudFront'],
  [{ server: 'AkamaiGHost' }, 'Akamai'],
  [{ server: 'BunnyCDN-DE1-1' }, 'Bunny'],
  [{ via: '1.1 google' }, 'Google Cloud CDN'],
  [{ 'x-cdn': 'Imperva' }, 'Imperva'],
])('headers %j identify %s', (headers, name) => expect(proxyOf('192.0.2.1', headers)?.name).toBe(name))

test('headers of an ordinary server identify no proxy', () => {
  expect(proxyOf('192.0.2.1', { server: 'nginx', via: '1.1 varnish', 'x-cache': 'MISS' })).toBeNull()
})
