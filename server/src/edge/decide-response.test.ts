import { describe, expect, test } from 'vitest'
import type { Route } from '../fleet/protocol.ts'
import { PROBE_PATH } from '../fleet/probe-proof.ts'
import { decide, type Answering, type VisitorRequest, type Known } from './decide-response.ts'

const common = { seq: 1, generation: '1', serial: 'ab' }
const routes: readonly Route[] = [
  { ...common, hostname: 'shop.example', kind: 'site', slug: 'north' },
  { ...common, hostname: 'www.shop.example', kind: 'redirect', slug: 'north', target: 'shop.example', status: 302 },
  { seq: 2, generation: '1', hostname: 'gone.example', kind: 'gone' },
]
const table = new Map(routes.map((route) => [route.hostname, route]))
const known: Known = {
  find: (hostname) => table.get(hostname),
  platformHost: 'petstore.test',
  formerHosts: ['former.test'],
  hasPlatformCertificate: false,
  isIsolated: () => false,
}

const requestOf = (changes: Partial<VisitorRequest> = {}): VisitorRequest => ({
  host: 'shop.example',
  target: '/',
  scheme: 'https',
  serverName: undefined,
  method: 'GET',
  ...changes,
})
const answering = (changes: Partial<VisitorRequest>, others: Partial<Known> = {}) =>
  decide(requestOf(changes), { ...known, ...others })
const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const challengeAt = `/.well-known/acme-challenge/${TOKEN}`

describe("the platform's own names", () => {
  const own: readonly Route[] = [
    { ...common, hostname: 'app.example', kind: 'service' },
    { ...common, hostname: '*.petstore.test', kind: 'wildcard' },
    { ...common, hostname: 'closed.example', kind: 'site', slug: 'west' },
    { ...common, hostname: 'west.suspended.invalid', kind: 'suspended', slug: 'west' },
    { ...common, hostname: 'south.petstore.test', kind: 'site', slug: 'south' },
  ]
  const withOwn = (...names: readonly string[]): Partial<Known> => ({
    find: (hostname) => own.find((route) => route.hostname === hostname && names.includes(hostname)),
  })

  test('the name of dashboard and API is redirected to https, and over TLS it is not for an edge', () => {
    const service = withOwn('app.example')
    expect(answering({ host: 'app.example', scheme: 'http', target: '/v1/pets?a' }, service)).toEqual({
      kind: 'redirect',
      status: 301,
      location: 'https://app.example/v1/pets?a',
      isSecure: false,
    })
    expect(answering({ host: 'app.example' }, service)).toEqual({ kind: 'misdirected', isSecure: true })
    expect(answering({ host: 'app.example', scheme: 'http', target: challengeAt }, service).kind).toBe('challenge')
  })

  test('with a wildcard, default addresses are redirected to https', () => {
    const wildcard = withOwn('*.petstore.test')
    expect(answering({ host: 'north.petstore.test', scheme: 'http' }, wildcard)).toMatchObject({
      kind: 'redirect',
      location: 'https://north.petstore.test/',
    })
    expect(answering({ host: 'north.petstore.test' }, wildcard)).toMatchObject({
      kind: 'site',
      isDefault: true,
      isSecure: true,
    })
    expect(answering({ host: '*.petstore.test' }, wildcard)).toEqual({ kind: 'misdirected', isSecure: false })
    expect(answering({ host: 'north.petstore.test', scheme: 'http' }).kind).toBe('site')
  })

  test('a default address with a certificate of its own is redirected to https, and stays a default address', () => {
    const single = withOwn('south.petstore.test')
    expect(answering({ host: 'south.petstore.test', scheme: 'http' }, single)).toMatchObject({
      kind: 'redirect',
      location: 'https://south.petstore.test/',
    })
    expect(answering({ host: 'south.petstore.test' }, single)).toMatchObject({
      kind: 'site',
      isDefault: true,
      isSecure: true,
    })
    expect(answering({ host: 'north.petstore.test', scheme: 'http' }, single)).toMatchObject({ kind: 'site' })
  })

  test('an address below a former host is redirected to the present one, with path and query', () => {
    const at = (changes: Partial<VisitorRequest>, others: Partial<Known> = {}) =>
      answering({ host: 'south.former.test', target: '/a/1?x=%0d', ...changes }, others)
    const to = (origin: string, isSecure: boolean) => ({
      kind: 'redirect',
      status: 308,
      location: `${origin}://south.petstore.test/a/1?x=%0d`,
      isSecure,
    })
    expect(at({ scheme: 'http' })).toEqual(to('http', false))
    expect(at({ scheme: 'https' }, withOwn('south.petstore.test'))).toEqual(to('https', true))
    expect(at({ scheme: 'http' }, withOwn('*.petstore.test'))).toEqual(to('https', false))
    expect(at({ scheme: 'http', target: challengeAt }).kind).toBe('challenge')
    // Negative control.
    for (const host of ['former.test', 'a.south.former.test', 'south.former.test.', 'south.other.test'])
      expect(at({ host, scheme: 'http' })).toMatchObject({ kind: 'misdirected' })
  })

  test('a suspended site is closed', () => {
    const closed = withOwn('closed.example', 'west.suspended.invalid', '*.petstore.test')
    for (const host of ['closed.example', 'west.petstore.test'])
      expect(answering({ host, scheme: 'https' }, closed)).toEqual({ kind: 'suspended', isSecure: true })
    expect(answering({ host: 'closed.example', scheme: 'https' }, withOwn('closed.example'))).toMatchObject({
      kind: 'site',
    })
    expect(answering({ host: 'west.suspended.invalid', scheme: 'https' }, closed)).toMatchObject({
      kind: 'misdirected',
    })
  })
})

describe('an attached name', () => {
  test('serves the site over TLS, in any letter case and with any port', () => {
    for (const host of ['shop.example', 'Shop.EXAMPLE', 'shop.example:443', 'shop.example:8443', 'shop.example:']) {
      expect(answering({ host, target: '/a/1?x=%0d' })).toEqual({
        kind: 'site',
        slug: 'north',
        host: host.toLowerCase().replace(/:$/, ''),
        target: '/a/1?x=%0d',
        isDefault: false,
        isSecure: true,
      })
    }
  })

  test.each([
    ['GET', 301],
    ['HEAD', 301],
    ['POST', 308],
    ['DELETE', 308],
  ])('redirects %s over plain HTTP to https with %d', (method, status) => {
    expect(
      answering({ scheme: 'http', method, host: 'Shop.Example:80', target: '//evil.example/%0d%0a?a=b&&' }),
    ).toEqual({
      kind: 'redirect',
      status,
      location: 'https://shop.example//evil.example/%0d%0a?a=b&&',
      isSecure: false,
    })
  })

  test('with a redirect needs a single one, from http and from https alike', () => {
    for (const scheme of ['http', 'https'] as const) {
      for (const target of [
        '/',
        '/a/1?x=y',
        '//evil.example',
        '/\\evil.example',
        '/..//x',
        '/%2e%2e/%0d%0a',
        '/\u00ff"<>',
      ]) {
        expect(answering({ scheme, host: 'www.shop.example', target })).toEqual({
          kind: 'redirect',
          status: 302,
          location: `https://shop.example${target}`,
          isSecure: scheme === 'https',
        })
      }
    }
  })

  test('is not served by an isolated edge, which has its certificate all the same', () => {
    const isolated = { isIsolated: () => true }
    const isSecureOf = (visit: Partial<VisitorRequest>, known: Partial<Known> = {}) => {
      const answer = answering(visit, { ...isolated, ...known })
      return answer.kind === 'isolated' ? answer.isSecure : answer.kind
    }
    expect(isSecureOf({})).toBe(true)
    expect(isSecureOf({ scheme: 'http' })).toBe(false)
    expect(isSecureOf({ host: 'stranger.example' })).toBe(false)
    expect(isSecureOf({ host: 'north.petstore.test' })).toBe(false)
    expect(isSecureOf({ host: 'north.petstore.test' }, { hasPlatformCertificate: true })).toBe(true)
  })
})

describe('the name in the handshake', () => {
  test.each([
    ['shop.example', 'site'],
    ['SHOP.example', 'site'],
    ['www.shop.example', 'misdirected'],
    ['shop.example.', 'misdirected'],
    ['', 'misdirected'],
  ] as const)('%j with the host shop.example gives %s', (serverName, kind) => {
    expect(answering({ serverName }).kind).toBe(kind)
    expect(answering({ serverName, target: challengeAt }).kind).toBe(kind === 'site' ? 'challenge' : 'misdirected')
  })

  test('is ignored over plain HTTP, where there is none', () => {
    expect(answering({ scheme: 'http', serverName: 'www.shop.example' }).kind).toBe('redirect')
  })
})

test.each([
  'gone.example',
  'other.example',
  'shop.example.',
  'shop.example.:443',
  'shop.example..',
  'a.shop.example',
  'shop.example.evil.example',
  'shop.example:443:443',
  'shop.example:x',
  'shop.example:000443',
  'shop.example@evil.example',
  '127.0.0.1',
  '[::1]',
  '[::1]:80',
  '',
  ':80',
  'petstore.test',
  'north.petstore.test.',
  'a.north.petstore.test',
  'constructor',
])('the host %j is misdirected', (host) => {
  for (const scheme of ['http', 'https'] as const) {
    for (const method of ['GET', 'POST', 'PURGE']) {
      expect(answering({ host, scheme, method })).toEqual({ kind: 'misdirected', isSecure: false })
    }
  }
})

test.each<[string, Partial<VisitorRequest>, Answering['kind']]>([
  ['no host, or two', { host: undefined }, 'malformed'],
  ['a target with its own host', { target: 'http://shop.example/x' }, 'site'],
  ['a target with another host', { target: 'https://www.shop.example/x' }, 'misdirected'],
  ['a target that is not a path', { target: '*' }, 'misdirected'],
  ['an empty target', { target: '' }, 'misdirected'],
  ['a line feed in the target', { target: '/a\nb', host: 'www.shop.example' }, 'malformed'],
  ['a carriage return at the end of it', { target: '/a\r', host: 'www.shop.example' }, 'malformed'],
  ['a NUL', { target: '/\u0000', host: 'www.shop.example' }, 'malformed'],
  ['a space', { target: '/a b', scheme: 'http' }, 'malformed'],
  ['a character that is not a byte', { target: '/\u2028', scheme: 'http' }, 'malformed'],
])('a request with %s gets the right kind of response', (_, changes, kind) => {
  expect(answering(changes).kind).toBe(kind)
})

describe('a challenge', () => {
  test.each(['shop.example', 'www.shop.example', 'gone.example', 'not-attached-yet.example', 'Shop.Example:80'])(
    'gets a response for %s, over http and https, and on an isolated edge as well',
    (host) => {
      for (const scheme of ['http', 'https'] as const) {
        for (const isIsolated of [true, false]) {
          expect(answering({ host, scheme, target: challengeAt }, { isIsolated: () => isIsolated })).toEqual({
            kind: 'challenge',
            hostname: host.toLowerCase().replace(/:80$/, ''),
            token: TOKEN,
          })
        }
      }
    },
  )

  test.each([
    [`${challengeAt}?x`],
    [`${challengeAt}/`],
    [`${challengeAt}/../x`],
    ['/.well-known/acme-challenge/'],
    ['/.well-known/acme-challenge/short'],
    ['/.well-known/acme-challenge/../../'],
    [`/.well-known/acme-challenge/%65${TOKEN}`],
    [`/.well-known/acme-challenge/${'a'.repeat(200)}`],
  ])('at %s has no valid token, and is neither redirected nor the site', (target) => {
    for (const host of ['shop.example', 'www.shop.example', 'other.example']) {
      for (const scheme of ['http', 'https'] as const) {
        expect(answering({ host, scheme, target })).toEqual({ kind: 'challenge', hostname: host, token: undefined })
      }
    }
  })

  test.each([
    '127.0.0.1',
    'shop.example.',
    'localhost',
    '',
    `${'a.'.repeat(200)}example`,
    'a b.example',
    'my_shop.example',
  ])('for the host %j has no valid token', (host) => {
    expect(answering({ host, target: challengeAt })).toMatchObject({ kind: 'challenge', token: undefined })
  })
})

test('a probe gets a response for every name, attached or not, and is never redirected', () => {
  const target = `${PROBE_PATH}nonce-nonce-nonce`
  for (const host of ['shop.example', 'www.shop.example', 'other.example', 'gone.example:80']) {
    for (const scheme of ['http', 'https'] as const) {
      expect(answering({ host, scheme, target })).toEqual({ kind: 'probe', host, target })
    }
  }
})

describe('a default address', () => {
  const host = 'South.petstore.test:8080'
  const site = { kind: 'site', slug: 'south', host: host.toLowerCase(), target: '/x', isDefault: true, isSecure: false }

  test('is served over http where there is no certificate for it', () => {
    for (const scheme of ['http', 'https'] as const) expect(answering({ host, scheme, target: '/x' })).toEqual(site)
  })

  test('is redirected to https where there is one, at the port of the sites', () => {
    const others = { hasPlatformCertificate: true, platformHost: 'petstore.test:8443' }
    expect(answering({ host, scheme: 'https', target: '/x' }, others)).toEqual({ ...site, isSecure: true })
    expect(answering({ host, scheme: 'http', target: '/x', method: 'POST' }, others)).toEqual({
      kind: 'redirect',
      status: 308,
      location: 'https://south.petstore.test:8443/x',
      isSecure: false,
    })
  })
})
