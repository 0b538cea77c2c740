import { describe, expect, test } from 'vitest'
import { enrolledKeys, parseEdgeRequest, visitOf } from './parse-request.ts'

describe('a request from an edge', () => {
  test.each([
    ['/edge/v1/changes?after=0', { kind: 'changes', after: 0, begun: 0, waitMs: 0, protocol: 1 }],
    ['/edge/v1/changes?after=12&wait=1000', { kind: 'changes', after: 12, begun: 0, waitMs: 1000, protocol: 1 }],
    ['/edge/v1/changes?wait=7&begun=40&after=12', { kind: 'changes', after: 12, begun: 40, waitMs: 7, protocol: 1 }],
    ['/edge/v1/changes?after=1&protocol=2', { kind: 'changes', after: 1, begun: 0, waitMs: 0, protocol: 2 }],
    [
      '/edge/v1/certificates/%2A.shops.example?generation=1',
      { kind: 'certificate', hostname: '*.shops.example', generation: 1n },
    ],
    [
      '/edge/v1/certificates/shop.example.com?generation=9223372036854775807',
      { kind: 'certificate', hostname: 'shop.example.com', generation: 9223372036854775807n },
    ],
    [
      '/edge/v1/challenges/shop.example.com/a-Token_1',
      { kind: 'challenge', hostname: 'shop.example.com', token: 'a-Token_1' },
    ],
    ['/edge/v1/enrolment', { kind: 'enrolment' }],
    ['/edge/v1/enrolment?x=1', { kind: 'unknown' }],
    ['/edge/v1/settings', { kind: 'settings' }],
    ['/edge/v1/settings?x=1', { kind: 'unknown' }],
  ])('%s is parsed', (url, expected) => {
    expect(parseEdgeRequest(url)).toEqual(expected)
  })

  test.each(['/', '/?a', '//evil/..?x=%0d%0a&x', '/%zz?after=1', '/a?b?c#d', '/edge/v1/changes?after=1'])(
    'for a page of a site is passed on byte for byte: %s',
    (target) => {
      expect(parseEdgeRequest(`/edge/v1/site${target}`)).toEqual({ kind: 'site', target })
    },
  )

  test('waits a second at most, whatever the edge requests', () => {
    expect(parseEdgeRequest('/edge/v1/changes?after=1&wait=9999999999999999999')).toMatchObject({ waitMs: 1000 })
  })

  test.each([
    '/edge/v1/changes',
    '/edge/v1/changes?',
    '/edge/v1/changes?wait=5',
    '/edge/v1/changes?after=',
    '/edge/v1/changes?after=-1',
    '/edge/v1/changes?after=1e3',
    '/edge/v1/changes?after=01',
    '/edge/v1/changes?after=%31',
    '/edge/v1/changes?after=1&after=2',
    '/edge/v1/changes?after=9007199254740992',
    '/edge/v1/changes?after=1&begun=9007199254740992',
    '/edge/v1/changes?after=1&more=2',
    '/edge/v1/certificates/a.*.example?generation=1',
    '/edge/v1/certificates/%2A?generation=1',
    '/edge/v1/challenges/%2A.shops.example/token',
    '/edge/v1/changes?after=1?wait=2',
    '/edge/v1/certificates/shop.example.com',
    '/edge/v1/certificates/shop.example.com?generation=9223372036854775808',
    '/edge/v1/certificates/shop.example.com?generation=1&wait=1',
    '/edge/v1/certificates/Shop.example.com?generation=1',
    '/edge/v1/certificates/shop.example.com.?generation=1',
    '/edge/v1/certificates/shop..com?generation=1',
    '/edge/v1/certificates/-shop.com?generation=1',
    '/edge/v1/certificates/shop%00.com?generation=1',
    '/edge/v1/certificates/com?generation=1',
    `/edge/v1/certificates/${'a.'.repeat(127)}aaa?generation=1`,
    '/edge/v1/challenges/shop.example.com',
    '/edge/v1/challenges/shop.example.com/',
    '/edge/v1/challenges/shop.example.com/a/b',
    '/edge/v1/challenges/shop.example.com/..%2f',
    '/edge/v1/challenges/shop.example.com/token?x=1',
    `/edge/v1/challenges/shop.example.com/${'a'.repeat(129)}`,
  ])('%s is rejected', (url) => {
    expect(parseEdgeRequest(url)).toEqual({ kind: 'malformed' })
  })

  test.each(['/', '/edge/v1', '/edge/v1/site', '/edge/v1/changesx?after=1', '/v1/pets', ''])('%s is unknown', (url) => {
    expect(parseEdgeRequest(url)).toEqual({ kind: 'unknown' })
  })
})

describe('a visit', () => {
  test('contains a site and a host, each once', () => {
    expect(visitOf('willow', 'Shop.example.com:8443')).toEqual({ slug: 'willow', host: 'Shop.example.com:8443' })
  })

  test.each([
    [undefined, 'shop.example.com'],
    ['willow', undefined],
    ['Willow', 'shop.example.com'],
    ['willow, oak', 'shop.example.com'],
    ['willow', 'shop.example.com, evil.example'],
    ['willow', 'shop.example.com/x'],
    ['willow', ''],
    [['willow'], 'shop.example.com'],
  ])('to %s under %s is rejected', (slug, host) => {
    expect(visitOf(slug, host)).toBeUndefined()
  })
})

test('an enrolment has two public keys, and nothing else', () => {
  const [sign, seal] = ['A'.repeat(43), 'b_-'.repeat(14) + 'c']
  expect(enrolledKeys(`sign=${sign}&seal=${seal}`)).toEqual({ signKey: sign, sealKey: seal })
  for (const body of [
    '',
    undefined,
    `seal=${seal}&sign=${sign}`,
    `sign=${sign}&seal=${seal}&x=1`,
    `sign=${sign}=&seal=${seal}`,
    `sign=${sign.slice(1)}&seal=${seal}`,
  ]) {
    expect(enrolledKeys(body)).toBeUndefined()
  }
})
