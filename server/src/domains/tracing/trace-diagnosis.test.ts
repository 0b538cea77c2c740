import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultsOf, type SeenCertificate, type ServedCertificate } from './trace-certificate.ts'
import { parseResolveOverride } from './resolve-override.ts'
import {
  HOPS_MAX,
  diagnoseChain,
  leadsToOf,
  cachingOf,
  nextOf,
  readUrl,
  chainJson,
  chainText,
} from './trace-diagnosis.ts'
import type { FailureReason, Hop } from './hop.ts'

const OURS = '192.0.2.1'
const good: ServedCertificate = {
  issuer: 'Some Authority R1',
  names: ['shop.example.com'],
  validFrom: '2026-11-01T00:00:00.000Z',
  validUntil: '2027-01-30T00:00:00.000Z',
  faults: [],
  detail: null,
}

function hop(url: string, changes: Partial<Hop> = {}): Hop {
  return {
    number: 1,
    url,
    address: OURS,
    silentAddresses: [],
    status: 200,
    location: null,
    leadsTo: null,
    server: 'Caddy',
    cacheControl: null,
    hsts: null,
    setsCookie: false,
    certificate: url.startsWith('https:') ? good : null,
    failure: null,
    ms: 5,
    ...changes,
  }
}
const redirect = (url: string, to: string, changes: Partial<Hop> = {}): Hop =>
  hop(url, { status: 301, location: to, leadsTo: leadsToOf(url, 301, to), ...changes })
const failed = (url: string, why: FailureReason, changes: Partial<Hop> = {}): Hop =>
  hop(url, { status: null, server: null, certificate: null, failure: { why, detail: 'as it said' }, ...changes })
const refusedFor = (fault: ServedCertificate['faults'][number]): ServedCertificate => ({ ...good, faults: [fault] })

const judged = (...hops: readonly Hop[]) => diagnoseChain(hops, [OURS])
const codes = (...hops: readonly Hop[]) => {
  const { verdict, also, exitCode } = judged(...hops)
  return [exitCode, verdict.code, ...also.map(({ code }) => code)]
}

describe('the target of a redirect', () => {
  test.each([
    ['/cats?a=1', 'https://shop.example.com/cats?a=1'],
    ['//other.example/x', 'https://other.example/x'],
    ['http://other.example:8080/#part', 'http://other.example:8080/'],
    ['https://mia:secret@other.example/', 'https://other.example/'],
    ['', 'https://shop.example.com/'],
  ])('%j is %s', (location, to) => expect(leadsToOf('https://shop.example.com/', 302, location)).toBe(to))

  test.each([[null], ['javascript:alert(1)'], ['ftp://other.example/'], ['https://'], ['https://a b/']])(
    '%j leads nowhere',
    (location) => expect(leadsToOf('https://shop.example.com/', 301, location)).toBeNull(),
  )

  test('a response that is not a redirect leads nowhere, whatever its headers', () => {
    expect(leadsToOf('https://shop.example.com/', 200, '/cats')).toBeNull()
    expect(leadsToOf('https://shop.example.com/', 304, '/cats')).toBeNull()
  })

  test('typed input starts at the URL that a browser would request', () => {
    expect(readUrl(' Shop.Example.com/cats ')).toBe('http://shop.example.com/cats')
    expect(readUrl('https://tierhäuschen.example')).toBe('https://xn--tierhuschen-p8a.example/')
    for (const typed of ['', 'ftp://shop.example.com', 'http://', 'a b']) expect(readUrl(typed)).toBeNull()
  })
})

describe('the diagnosis of a chain', () => {
  test('a secure page without a redirect is fine', () => {
    expect(codes(hop('https://shop.example.com/'))).toEqual([0, 'fine'])
    expect(judged(hop('https://shop.example.com/')).verdict.text).toContain('valid until 2027-01-30')
  })

  test('one hop is fine, and a 301 is explained as cached by browsers', () => {
    const hops = [redirect('http://example.com/a', 'https://www.example.com/a'), hop('https://www.example.com/a')]
    expect(codes(...hops)).toEqual([0, 'fine', 'remembered'])
    const { verdict, also } = judged(...hops)
    expect(verdict.text).toContain('arrive at https://www.example.com/a with one redirect')
    expect(also[0]?.text).toMatch(/Browsers remember a 301, and the response sets no limit.*private window/)
  })

  test('http, https and www one after the other work, and one hop is advised', () => {
    const hops = [
      redirect('http://example.com/', 'https://example.com/'),
      redirect('https://example.com/', 'https://www.example.com/', { address: '198.51.100.9', server: 'nginx' }),
      hop('https://www.example.com/'),
    ]
    expect(codes(...hops)).toEqual([0, 'several_hops', 'remembered'])
    const { text } = judged(...hops).verdict
    expect(text).toContain('http://example.com/ → https://example.com/ → https://www.example.com/')
    expect(text).toContain('Redirect http://example.com/ directly to https://www.example.com/.')
    expect(text).toContain('The one at https://example.com/ is not ours: 198.51.100.9 (nginx)')
  })

  test('a hop to another page of the same site does not count as one between domains', () => {
    const hops = [
      redirect('http://example.com/', 'https://example.com/'),
      redirect('https://example.com/', '/en/', { status: 302 }),
      hop('https://example.com/en/'),
    ]
    expect(codes(...hops)).toEqual([0, 'fine', 'remembered'])
  })

  test('a loop is shown whole, from its first page', () => {
    const hops = [
      redirect('http://example.com/', 'https://example.com/'),
      redirect('https://example.com/', 'https://www.example.com/'),
      redirect('https://www.example.com/', 'https://example.com/', { setsCookie: true }),
    ]
    expect(codes(...hops)).toEqual([1, 'loop', 'remembered'])
    expect(judged(...hops).verdict.text).toContain(
      'loop: https://example.com/ → https://www.example.com/ → https://example.com/.',
    )
    expect(judged(...hops).verdict.text).toContain('sets a cookie')
  })

  test('a loop of one page behind Cloudflare is attributed to its Flexible mode', () => {
    const hops = [redirect('https://example.com/', 'https://example.com/', { server: 'cloudflare' })]
    expect(codes(...hops)).toEqual([1, 'loop', 'remembered'])
    expect(judged(...hops).verdict.text).toContain('Full (strict)')
  })

  test('a loop between https and http is reported as a loop and as insecure', () => {
    const hops = [
      redirect('https://example.com/', 'http://example.com/', { status: 302 }),
      redirect('http://example.com/', 'https://example.com/', { status: 302 }),
    ]
    expect(codes(...hops)).toEqual([1, 'loop', 'downgrade'])
  })

  test('a redirect from secure to insecure is reported once, where it happens', () => {
    const hops = [redirect('https://example.com/', 'http://shop.example.com/'), hop('http://shop.example.com/')]
    expect(codes(...hops)).toEqual([1, 'downgrade', 'remembered'])
  })

  test('a page over plain HTTP is reported: on our servers HTTPS is on its way, on others it must be turned on', () => {
    expect(codes(hop('http://example.com/'))).toEqual([1, 'plain_http'])
    expect(judged(hop('http://example.com/')).verdict.text).toContain('usually a couple of minutes')
    expect(judged(hop('http://example.com/', { address: '198.51.100.9' })).verdict.text).toContain('Turn on HTTPS')
  })

  test('a 421 from our servers means that the hostname is not attached to a project', () => {
    const text = (address: string) => judged(hop('https://example.com/', { status: 421, address })).verdict.text
    expect(codes(hop('https://example.com/', { status: 421 }))).toEqual([1, 'not_attached'])
    expect(text(OURS)).toContain('this name is not attached to a project')
    expect(text('198.51.100.9')).toContain('If that is us, this name is not attached to a project')
  })

  test.each([
    [404, 'Caddy', 'check the path'],
    [403, 'Caddy', 'requires a login or permission'],
    [503, 'Caddy', 'its site does not work'],
    [525, 'cloudflare', 'Full (strict)'],
    [400, 'Caddy', 'does not accept'],
  ])('%i at the end is reported, with the server that responded', (status, server, words) => {
    const end = hop('https://example.com/', { status, server })
    expect(codes(end)).toEqual([1, 'error_status'])
    expect(judged(end).verdict.text).toContain(words)
    expect(judged(end).verdict.text).toContain(`${OURS} (${server})`)
  })

  test.each([
    [null, 'names no destination'],
    ['javascript:alert(1)', "names 'javascript:alert(1)', which is not a web address"],
  ])('a redirect to %j leads nowhere', (location, words) => {
    const end = hop('https://example.com/', { status: 302, location })
    expect(codes(end)).toEqual([1, 'bad_redirect'])
    expect(judged(end).verdict.text).toContain(words)
  })

  test('an address that does not respond is reported, even if another one does', () => {
    expect(codes(hop('https://example.com/', { silentAddresses: ['2001:db8::1'] }))).toEqual([0, 'address_dead'])
    const { text } = judged(hop('https://example.com/', { silentAddresses: ['2001:db8::1'] })).verdict
    expect(text).toContain('Delete that AAAA record')
  })

  test.each<[FailureReason, 1 | 3]>([
    ['no_such_name', 1],
    ['no_address', 1],
    ['not_allowed', 1],
    ['timeout', 1],
    ['refused', 1],
    ['reset', 1],
    ['tls', 1],
    ['not_http', 1],
    ['dns_silent', 3],
    ['unreachable', 3],
  ])('%s ends with %i', (why, exitCode) => {
    const hops = [redirect('http://example.com/', 'https://example.com/'), failed('https://example.com/', why)]
    expect(codes(...hops)).toEqual([exitCode, why, 'remembered'])
  })

  test('a missing certificate on our servers is on its way, or was removed', () => {
    expect(judged(failed('https://example.com/', 'tls')).verdict.text).toMatch(/on its way.*If the domain was removed/)
    const elsewhere = failed('https://example.com/', 'tls', { address: '198.51.100.9' })
    expect(judged(elsewhere).verdict.text).toContain('compare the DNS record')
  })

  test.each([
    ['wrong_name', /get a certificate for shop\.example\.com\./],
    ['expired', / expired on 2027-01-30/],
    ['not_yet_valid', /not valid before 2026-11-01/],
    ['self_signed', /is self-signed/],
    ['incomplete_chain', /without the certificate of its issuer \(Some Authority R1\).*fullchain/],
    ['unknown_authority', /signed by Some Authority R1, which browsers do not know/],
    ['unusable', /is rejected/],
  ] as const)('a certificate with the fault %s must be mended, and says how', (fault, words) => {
    for (const address of [OURS, '198.51.100.9']) {
      const end = hop('https://example.com/', { certificate: refusedFor(fault), address })
      expect(codes(end)).toEqual([1, `certificate_${fault}`])
      expect(judged(end).verdict.text).toMatch(words)
      expect(judged(end).verdict.text).toContain('not private')
    }
  })

  test('the first obstacle for a visitor is the verdict, and the others are reported as well', () => {
    const hops = [
      redirect('https://example.com/', 'https://www.example.com/', { certificate: refusedFor('expired') }),
      hop('https://www.example.com/', { status: 404, certificate: refusedFor('self_signed') }),
    ]
    expect(codes(...hops)).toEqual([1, 'certificate_expired', 'certificate_self_signed', 'error_status', 'remembered'])
  })

  test('an unreachable server is not wrong, unless something else is', () => {
    expect(codes(failed('https://example.com/', 'dns_silent'))).toEqual([3, 'dns_silent'])
    const hops = [
      redirect('https://a.example.com/', 'https://b.example.com/', { certificate: refusedFor('expired'), status: 302 }),
      failed('https://b.example.com/', 'unreachable'),
    ]
    expect(codes(...hops)).toEqual([1, 'certificate_expired', 'unreachable'])
  })
})

describe('the browser cache', () => {
  test.each([
    [301, null, null],
    [308, 'public', null],
    [302, null, 0],
    [307, 'private', 0],
    [301, 'no-store', 0],
    [301, 'max-age=300', 300],
    [302, 'public, Max-Age=60', 60],
    [301, 'no-cache, max-age=300', 0],
  ])('keeps %i with Cache-Control %j for %j seconds', (status, cacheControl, seconds) =>
    expect(cachingOf({ status, cacheControl })).toBe(seconds),
  )

  test('is described with the time in plain words', () => {
    const told = (cacheControl: string) =>
      judged(redirect('http://e.example/', '/a', { cacheControl }), hop('https://e.example/a')).also[0]?.text
    expect(told('max-age=300')).toContain('here for 5 minutes')
    expect(told('max-age=31536000')).toContain('here for 365 days')
    expect(told('max-age=1')).toContain('here for one second')
    expect(told('max-age=0')).toBeUndefined()
  })
})

describe('the faults of a certificate', () => {
  const now = Date.parse('2026-11-15')
  const seen: SeenCertificate = {
    isForHostname: true,
    validFrom: now - 1000,
    validUntil: now + 1000,
    isSelfIssued: false,
    length: 2,
    chainError: null,
  }
  test.each<[what: string, Partial<SeenCertificate>, readonly string[]]>([
    ['nothing', {}, []],
    ['another name', { isForHostname: false }, ['wrong_name']],
    ['its end', { validUntil: now - 1, chainError: 'CERT_HAS_EXPIRED' }, ['expired']],
    ['its beginning', { validFrom: now + 1, chainError: 'CERT_NOT_YET_VALID' }, ['not_yet_valid']],
    ['the end of its issuer', { chainError: 'CERT_HAS_EXPIRED' }, ['unusable']],
    [
      'its own signature',
      { isSelfIssued: true, length: 1, chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      ['self_signed'],
    ],
    ['a missing issuer', { length: 1, chainError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, ['incomplete_chain']],
    ['an unknown issuer', { chainError: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, ['unknown_authority']],
    ['an unknown root', { length: 3, chainError: 'SELF_SIGNED_CERT_IN_CHAIN' }, ['unknown_authority']],
    ['a false signature', { chainError: 'CERT_SIGNATURE_FAILURE' }, ['unusable']],
    [
      'everything',
      { isForHostname: false, validUntil: now - 1, isSelfIssued: true, chainError: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      ['wrong_name', 'expired', 'self_signed'],
    ],
  ])('%s', (_, changes, faults) => expect(faultsOf({ ...seen, ...changes }, now)).toEqual(faults))
})

describe('an address override', () => {
  test.each([
    ['shop.example.com:443:192.0.2.1', { host: 'shop.example.com', port: 443, address: '192.0.2.1', toPort: 443 }],
    ['*:443:192.0.2.1:8443', { host: '*', port: 443, address: '192.0.2.1', toPort: 8443 }],
    ['A.example:80:[2001:DB8::1]:81', { host: 'a.example', port: 80, address: '2001:db8::1', toPort: 81 }],
  ])('%s', (text, place) => expect(parseResolveOverride(text)).toEqual(place))

  test.each(['', 'a:b:c', 'a:443', 'a:443:name', 'a:0:192.0.2.1', 'a:443:192.0.2.1:99999', 'a:443:127.1', 'a:443:::1'])(
    '%j is none',
    (text) => expect(parseResolveOverride(text)).toBeNull(),
  )
})

// Pages that redirect to one another, followed as `trace.io.ts` follows them.
const pages = ['a', 'b', 'c', 'd'].flatMap((name) => [`http://${name}.example/`, `https://${name}.example/`])
const anyWeb = fc.record({
  start: fc.constantFrom(...pages),
  leads: fc.array(fc.option(fc.constantFrom(...pages, 'mailto:x', '/more'), { nil: null }), {
    minLength: pages.length + 1,
    maxLength: pages.length + 1,
  }),
  status: fc.constantFrom(200, 301, 302, 307, 404, 421, 500),
})

type Web = { start: string; leads: readonly (string | null)[]; status: number }

function walk({ start, leads, status }: Web, onward = nextOf): Hop[] {
  const hops: Hop[] = []
  for (let next: string | null = start; next !== null; next = onward(hops)) {
    const to = leads[pages.indexOf(next) + 1] ?? null
    hops.push({ ...(to === null ? hop(next, { status }) : redirect(next, to)), number: hops.length + 1 })
    if (hops.length > 100) throw new Error('without end')
  }
  return hops
}

describe('a trace of random redirects', () => {
  test('ends, requests no page twice, and always has a verdict with a text', () => {
    fc.assert(
      fc.property(anyWeb, (web) => {
        const hops = walk(web)
        expect(hops.length).toBeLessThanOrEqual(HOPS_MAX)
        expect(new Set(hops.map(({ url }) => url)).size).toBe(hops.length)
        const { verdict, also, exitCode } = judged(...hops)
        for (const { text } of [verdict, ...also]) expect(text).toMatch(/\.$/)
        expect(`${verdict.text} ${chainText(hops, judged(...hops))}`).not.toMatch(/undefined|null|NaN/)
        // Visitors arrive exactly if the last hop is a secure page.
        const last = hops.at(-1)
        const isThere = last?.leadsTo === null && last.status === 200 && last.url.startsWith('https:')
        const isDowngraded = hops.some(({ url, leadsTo }) => url.startsWith('https:') && leadsTo?.startsWith('http:'))
        expect(exitCode).toBe(isThere && !isDowngraded ? 0 : 1)
      }),
      { numRuns: 2000 },
    )
  })

  test('that does not detect repeated pages is reported (negative control)', () => {
    const blind = (hops: readonly Hop[]) => hops.at(-1)?.leadsTo ?? null
    const once = fc.check(fc.property(anyWeb, (web) => walk(web, blind).length <= HOPS_MAX))
    expect(once.failed).toBe(true)
  })

  test('follows at most ten hops', () => {
    const hops: Hop[] = []
    for (let next: string | null = 'https://a.example/0'; next !== null; next = nextOf(hops)) {
      hops.push(redirect(next, `/${hops.length + 1}`))
    }
    expect(hops).toHaveLength(HOPS_MAX)
    expect(codes(...hops)).toEqual([1, 'too_many', 'remembered'])
  })
})

test('the text report and the JSON report contain the same findings', () => {
  const hops = [
    redirect('http://example.com/', 'https://example.com/', { cacheControl: 'max-age=300' }),
    { ...hop('https://example.com/', { certificate: refusedFor('expired') }), number: 2 },
  ]
  expect(JSON.parse(chainJson('http://example.com/', hops, judged(...hops)))).toMatchObject({
    url: 'http://example.com/',
    hops: [
      { number: 1, status: 301, leadsTo: 'https://example.com/' },
      { number: 2, status: 200 },
    ],
    verdict: { code: 'certificate_expired' },
    also: [{ code: 'remembered' }],
  })
  expect(
    chainText(hops, judged(...hops))
      .split('\n\n')
      .slice(0, 2),
  ).toEqual([
    `1. 301 http://example.com/
   redirects to   https://example.com/
   response from  192.0.2.1, Caddy
   cache-control  max-age=300
   time           5 ms`,
    `2. 200 https://example.com/
   response from  192.0.2.1, Caddy
   certificate    issued by Some Authority R1, valid until 2027-01-30, REJECTED: expired
   time           5 ms`,
  ])
})
