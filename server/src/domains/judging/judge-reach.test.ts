import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evidenceOf, wantedFor } from '../../../../testbed/evidence/evidence.ts'
import { nothingKnown, type Probe } from '../observing/evidence.ts'
import { reachTroubles } from './judge-reach.ts'
import type { Judgement } from './judgement.ts'
import type { Provider } from '../providers/provider.ts'
import { isForwarding, isParking, wordsIn } from '../observing/http-fingerprints.ts'
import { sceneOf, type Scene } from './scene.ts'

const HOST = 'shop.example.com'
const URL_ASKED = `http://${HOST}/.well-known/petstore-probe/n`

const provider = (id: string): Provider => ({
  id,
  name: id === 'cloudflare' ? 'Cloudflare' : 'Example DNS',
  nameservers: [],
  names: 'label',
  apexName: '@',
  needsDot: false,
  apexAlias: null,
  dnsPage: null,
  parking: ['203.0.113.80'],
  forwarding: ['203.0.113.81'],
  isParking: false,
})

type Given = { probes: readonly Probe[]; records?: readonly string[]; by?: string }

const sceneWith = ({ probes, records = [], by = 'example' }: Given): Scene =>
  sceneOf(
    { wanted: wantedFor(HOST), evidence: evidenceOf({ hostname: HOST, records, probes }), known: nothingKnown },
    { provider: provider(by), registrable: 'example.com', now: 1_800_000_000_000 },
  )

const probe = (address: string, outcome: Probe['outcome'], hops: readonly string[] = [URL_ASKED]): Probe => ({
  address,
  url: URL_ASKED,
  outcome,
  hops,
  ms: 12,
})
const other = (changes: Partial<Extract<Probe['outcome'], { kind: 'other' }>> = {}): Probe['outcome'] => ({
  kind: 'other',
  status: 200,
  server: 'nginx',
  headers: {},
  body: '<h1>Welcome</h1>',
  ...changes,
})
const silence = (why: Extract<Probe['outcome'], { kind: 'silence' }>['why']): Probe['outcome'] => ({
  kind: 'silence',
  why,
})
const redirect = (location: string, refused: string | null = null): Probe['outcome'] => ({
  kind: 'redirect',
  status: 301,
  location,
  refused,
})
const ours: Probe['outcome'] = { kind: 'ours' }

const seen = (given: Given, how: Judgement['how'] = null) =>
  reachTroubles(sceneWith(given), { how }).map(({ code, severity, advice }) => ({ code, severity, advice }))

const PLAIN = '203.0.113.9'
const ORANGE = '104.16.1.1'

const cases: { title: string; given: Given; expected: [code: string, advice: string, severity?: string][] }[] = [
  {
    title: 'another server responds',
    given: { probes: [probe(PLAIN, other())] },
    expected: [
      [
        'http.not_us',
        '`203.0.113.9` answers for shop.example.com, but it is not our server (server: nginx). If it is your own proxy, set its origin to happy-paws.petstore.example and pass on the Host header; otherwise replace its record with the one shown below.',
      ],
    ],
  },
  {
    title: 'no server responds',
    given: { probes: [probe(PLAIN, silence('timeout'))] },
    expected: [
      [
        'http.timeout',
        '`203.0.113.9` does not answer on port 80. If it is not your own proxy, replace its record with the one shown below; otherwise allow port 80.',
      ],
    ],
  },
  {
    title: 'connections are refused',
    given: { probes: [probe(PLAIN, silence('refused'))] },
    expected: [
      [
        'http.refused',
        '`203.0.113.9` refuses connections on port 80. If it is not your own proxy, replace its record with the one shown below; otherwise allow port 80.',
      ],
    ],
  },
  {
    title: 'connections are reset',
    given: { probes: [probe(PLAIN, silence('reset'))] },
    expected: [
      [
        'http.reset',
        '`203.0.113.9` closes the connection on port 80; often this is a firewall. Allow port 80 for everyone, or replace its record with the one shown below.',
      ],
    ],
  },
  {
    title: 'IPv6 is dead while IPv4 is ours',
    given: { probes: [probe('2a00:1::9', silence('timeout'))], records: [`${HOST} A 192.0.2.10`] },
    expected: [['http.ipv6_broken', 'The IPv6 address `2a00:1::9` does not work. Delete the AAAA record.']],
  },
  {
    title: 'one address reaches us and another does not',
    given: { probes: [probe(PLAIN, ours), probe('203.0.113.10', other({ status: 404 }))] },
    expected: [
      [
        'http.not_us',
        '`203.0.113.10` answers for shop.example.com, but it is not our server (server: nginx). If it is your own proxy, set its origin to happy-paws.petstore.example and pass on the Host header; otherwise replace its record with the one shown below.',
      ],
      [
        'http.ip_discrepancy',
        'The addresses of shop.example.com answer differently: `203.0.113.9` reaches us and `203.0.113.10` answers with another site (status 404). Keep only the records shown below.',
        'warns',
      ],
    ],
  },
  {
    title: 'certificate checks are redirected elsewhere',
    given: { probes: [probe(PLAIN, redirect('https://other.example/'))] },
    expected: [
      [
        'http.bad_redirect',
        'shop.example.com redirects certificate checks to `https://other.example/`. Exclude `/.well-known/acme-challenge/`.',
      ],
    ],
  },
  {
    title: 'certificate checks are redirected to HTTPS, which does not work',
    given: { probes: [probe(PLAIN, silence('tls'), [URL_ASKED, `https://${HOST}/x`])] },
    expected: [
      [
        'http.bad_redirect',
        'shop.example.com redirects certificate checks to `https://shop.example.com/x`. Exclude `/.well-known/acme-challenge/`.',
      ],
    ],
  },
  {
    title: 'a login page intercepts requests',
    given: { probes: [probe(PLAIN, other({ status: 401 }))] },
    expected: [
      [
        'http.challenge_intercepted',
        'A firewall or login page blocks `/.well-known/acme-challenge/`. Allow it for everyone.',
      ],
    ],
  },
  {
    title: 'a browser check at Cloudflare intercepts requests',
    given: {
      probes: [probe(ORANGE, other({ status: 403, headers: { 'cf-mitigated': 'challenge' } }))],
      by: 'cloudflare',
    },
    expected: [
      [
        'proxy.cloudflare_blocks',
        'The orange cloud is on for shop. Set it to DNS only (grey), wait for Live, then switch it back if you like.',
      ],
      [
        'http.challenge_intercepted',
        'A firewall or login page blocks `/.well-known/acme-challenge/`. Allow it for everyone.',
      ],
    ],
  },
  {
    title: 'Cloudflare forwards to us',
    given: { probes: [probe(ORANGE, ours)] },
    expected: [
      [
        'proxy.cloudflare_ok',
        'Traffic reaches us through Cloudflare, which is fine. Keep the SSL/TLS mode at Full (strict).',
        'informs',
      ],
    ],
  },
  {
    title: 'the orange cloud hides the record',
    given: { probes: [probe(ORANGE, other({ status: 404, server: 'cloudflare' }))], by: 'cloudflare' },
    expected: [
      [
        'proxy.cloudflare_blocks',
        'The orange cloud is on for shop. Set it to DNS only (grey), wait for Live, then switch it back if you like.',
      ],
    ],
  },
  {
    title: 'an address of Cloudflare in a zone of another provider is another service',
    given: { probes: [probe(ORANGE, other({ server: 'cloudflare' }))] },
    expected: [
      [
        'http.not_us',
        '`104.16.1.1` answers for shop.example.com, but it is not our server (server: cloudflare). If it is your own proxy, set its origin to happy-paws.petstore.example and pass on the Host header; otherwise replace its record with the one shown below.',
      ],
    ],
  },
  {
    title: 'Flexible redirects in a loop',
    given: {
      probes: [probe(ORANGE, redirect(`https://${HOST}/x`, 'loop'), [URL_ASKED, `https://${HOST}/x`])],
      by: 'cloudflare',
    },
    expected: [
      [
        'proxy.cloudflare_flexible_loop',
        'In Cloudflare set SSL/TLS mode to Full (strict); Flexible causes an endless redirect.',
      ],
    ],
  },
  {
    title: 'two Cloudflare accounts are involved',
    given: { probes: [probe(ORANGE, other({ status: 403, body: 'error code: 1014' }))] },
    expected: [
      [
        'proxy.cloudflare_1014',
        'Cloudflare refuses this link between two accounts (error 1014). Set the record to DNS only.',
      ],
    ],
  },
  {
    title: 'an address belongs to Cloudflare itself',
    given: { probes: [probe(ORANGE, other({ status: 403, body: '<span>Error</span> error 1000 DNS points' }))] },
    expected: [
      ['proxy.cloudflare_1000', 'Cloudflare refuses an address that is its own (error 1000). Use the CNAME, DNS only.'],
    ],
  },
  {
    title: 'Cloudflare cannot reach us',
    given: { probes: [probe(ORANGE, other({ status: 526 }))], by: 'cloudflare' },
    expected: [
      [
        'proxy.cloudflare_52x',
        'Cloudflare cannot reach us (526). Set SSL/TLS mode to Full (strict), or the record to DNS only.',
      ],
    ],
  },
  {
    title: 'Always Use HTTPS is on too early',
    given: {
      probes: [probe(ORANGE, other({ status: 525 }), [URL_ASKED, `https://${HOST}/x`])],
      by: 'cloudflare',
    },
    expected: [
      [
        'proxy.cloudflare_52x',
        'Cloudflare cannot reach us (525). Set SSL/TLS mode to Full (strict), or the record to DNS only.',
      ],
      ['proxy.cloudflare_always_https', 'Turn off Always Use HTTPS until the certificate is installed.', 'warns'],
    ],
  },
  {
    title: 'another CDN is in front and does not forward to us',
    given: { probes: [probe('151.101.1.1', other({ status: 500 }))] },
    expected: [
      [
        'proxy.other_cdn',
        'Fastly is in front of shop.example.com. Set its origin to happy-paws.petstore.example and pass on the Host header.',
      ],
    ],
  },
  {
    title: 'another CDN is recognised by its headers',
    given: { probes: [probe(PLAIN, other({ headers: { via: '1.1 abc.cloudfront.net (CloudFront)' } }))] },
    expected: [
      [
        'proxy.other_cdn',
        'Amazon CloudFront is in front of shop.example.com. Set its origin to happy-paws.petstore.example and pass on the Host header.',
      ],
    ],
  },
  {
    title: 'another CDN is recognised by its error page',
    given: { probes: [probe(PLAIN, other({ status: 500, body: 'Fastly error: unknown domain' }))] },
    expected: [
      [
        'proxy.other_cdn',
        'Fastly is in front of shop.example.com. Set its origin to happy-paws.petstore.example and pass on the Host header.',
      ],
    ],
  },
  {
    title: 'Cloudflare is recognised by its headers, though the request failed',
    given: {
      probes: [
        {
          ...probe(PLAIN, silence('tls'), [URL_ASKED, `https://${HOST}/x`]),
          headers: { 'cf-ray': '8c1f0d2e3a4b5c6d-FRA' },
        },
      ],
      by: 'cloudflare',
    },
    expected: [
      [
        'proxy.cloudflare_blocks',
        'The orange cloud is on for shop. Set it to DNS only (grey), wait for Live, then switch it back if you like.',
      ],
      ['proxy.cloudflare_always_https', 'Turn off Always Use HTTPS until the certificate is installed.', 'warns'],
    ],
  },
  {
    title: 'another CDN is in front and forwards to us',
    given: { probes: [probe('151.101.1.1', ours)] },
    expected: [
      [
        'proxy.other_cdn',
        'Fastly is in front of shop.example.com. Traffic reaches us through it, so there is nothing to do.',
        'informs',
      ],
    ],
  },
  { title: 'an address reaches us without a proxy', given: { probes: [probe(PLAIN, ours)] }, expected: [] },
  {
    title: 'we could not probe, which is not a trouble',
    given: { probes: [probe(PLAIN, silence('skipped')), probe('10.0.0.1', silence('not_allowed'))] },
    expected: [],
  },
  { title: 'no address was probed', given: { probes: [] }, expected: [] },
]

test.each(cases)('the troubles are right if $title', ({ given, expected }) => {
  expect(seen(given)).toEqual(expected.map(([code, advice, severity = 'blocks']) => ({ code, advice, severity })))
})

test('a second address behind Cloudflare that does not reach us is reported separately', () => {
  const probes = [probe(ORANGE, ours), probe('104.16.1.2', silence('timeout'))]
  expect(seen({ probes, by: 'cloudflare' }, 'proxied').map(({ code }) => code)).toEqual([
    'proxy.cloudflare_ok',
    'http.timeout',
    'http.ip_discrepancy',
  ])
})

const outcomes = fc.oneof(
  fc.constant<Probe['outcome']>({ kind: 'ours' }),
  fc.record({
    kind: fc.constant('other' as const),
    status: fc.integer({ min: 0, max: 999 }),
    server: fc.string(),
    headers: fc.dictionary(fc.constantFrom('via', 'server', 'cf-ray', 'cf-mitigated', 'x-cache'), fc.string()),
    body: fc.oneof(fc.string(), fc.constant('error code: 1014')),
  }),
  fc.record({
    kind: fc.constant('redirect' as const),
    status: fc.integer({ min: 300, max: 399 }),
    location: fc.oneof(fc.string(), fc.webUrl()),
    refused: fc.constantFrom(null, 'loop', 'port', 'status'),
  }),
  fc.record({
    kind: fc.constant('silence' as const),
    why: fc.constantFrom('timeout', 'refused', 'reset', 'tls', 'not_allowed', 'skipped'),
  }),
)
const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom(ORANGE, '151.101.1.1', '2606:4700::1'), fc.string())

test('judging never throws on any response, reports each cause once, and leaves no placeholder unfilled', () => {
  const probes = fc.array(
    fc.tuple(addresses, outcomes).map(([address, outcome]) => probe(address, outcome)),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(probes, fc.constantFrom('cloudflare', 'example'), (list, by) => {
      const troubles = reachTroubles(sceneWith({ probes: list, by }), { how: null })
      expect(new Set(troubles.map(({ code }) => code)).size).toBe(troubles.length)
      for (const one of list) {
        isForwarding(one, provider(by))
        isParking(one, provider(by))
      }
    }),
    { numRuns: 500 },
  )
})

test('forwarding is distinguished from a redirect on the same name', () => {
  expect(isForwarding(probe(PLAIN, redirect('https://www.other.example/')))).toBe(true)
  expect(isForwarding(probe(PLAIN, redirect(`https://${HOST}/`, 'loop')))).toBe(false)
  expect(isForwarding(probe('203.0.113.81', redirect(`http://${HOST}/`)), provider('example'))).toBe(true)
  expect(isForwarding(probe(PLAIN, other()))).toBe(false)
})

test('parking is detected by the address, by the text of the page, or by the redirect target', () => {
  expect(isParking(probe('203.0.113.80', silence('timeout')), provider('example'))).toBe(true)
  expect(isParking(probe(PLAIN, other({ body: '<p>This domain is parked free, courtesy of' })))).toBe(true)
  expect(isParking(probe(PLAIN, redirect('https://www.hugedomains.com/domain_profile.cfm?d=x')))).toBe(true)
  expect(isParking(probe(PLAIN, other()))).toBe(false)
})

test('the text of a page is kept without markup, scripts and comments', () => {
  const page =
    '<!DOCTYPE html><!--[if IE]> x <![endif]--><title>Error\n 1014</title><script>var a="<b>"</script><p>Banned</p>'
  expect(wordsIn(page)).toBe('Error 1014 Banned')
  expect(wordsIn('error code: 1000')).toBe('error code: 1000')
  expect(wordsIn('<<<<'.repeat(1000)).length).toBeGreaterThan(0)
})
