// Requests of visitors to an edge: which hostnames are served and how, and what is never
// served.

import { describe, expect, test } from 'vitest'
import { probeProof } from '../../src/fleet/probe-proof.ts'
import { makeFakeChain } from '../../../testbed/harness/fake-chain.ts'
import { PROBE_SECRET, htmlPage, https, place, siteOf, targetHeader, until } from './environment.ts'

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const CHALLENGE = `/.well-known/acme-challenge/${TOKEN}`

describe('a hostname', () => {
  test('that is attached is the site, in any spelling, and no other', async () => {
    const { edge, control } = await place()
    for (const host of ['shop.example', 'SHOP.Example', 'shop.example:443']) {
      const { status, text } = await edge.visit({ host, serverName: 'shop.example', path: '/a/1' })
      expect([host, status, text]).toEqual([host, 200, 'The site north at /a/1'])
    }
    expect((await edge.visit(https('other.example'))).text).toBe('The site south at /')
    expect(control.surprises).toEqual([])
  })

  test.each([
    ['a name in the handshake that is another one', { host: 'shop.example', serverName: 'other.example' }],
    ['a name in the handshake that is empty', { host: 'shop.example', serverName: '' }],
    ['a name that is not attached', { host: 'nobody.example', serverName: 'nobody.example' }],
    ['a name that is not attached, without TLS', { host: 'nobody.example' }],
    ['a dot at the end', { host: 'shop.example.', serverName: 'shop.example.' }],
    ['an address', { host: '127.0.0.1' }],
    ['an address of version 6', { host: '[::1]:80' }],
    ['no name at all', { host: '' }],
    ['a label below an attached name', { host: 'a.shop.example' }],
    ['the platform itself', { host: 'petstore.test' }],
  ])('is misdirected for a request with %s, and the connection ends', async (_, visit) => {
    const { edge, control } = await place()
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
      const { status, headers, text } = await edge.visit({ ...visit, method })
      expect([method, status, headers['cache-control'], headers.connection]).toEqual([method, 421, 'no-store', 'close'])
      expect(text).not.toContain('The site')
      expect(headers['strict-transport-security']).toBeUndefined()
    }
    expect(control.asked).toEqual([])
  })

  test('given twice or not at all is a bad request, and a target that names another host is misdirected', async () => {
    const { edge, control } = await place()
    const answer = (target: string, hosts: string) =>
      edge.raw(`GET ${target} HTTP/1.1\r\n${hosts}X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n`)
    expect(await answer('/', 'Host: shop.example\r\nHost: other.example\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await answer('/', '')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await answer('https://other.example/', 'Host: shop.example\r\n')).toMatch(/^HTTP\/1\.1 421 /)
    expect(await answer('*', 'Host: shop.example\r\n')).toMatch(/^HTTP\/1\.1 421 /)
    expect(control.asked).toEqual([])
    expect(await answer('https://shop.example/', 'Host: shop.example\r\n')).toMatch(
      /^HTTP\/1\.1 200 [^]*The site north/,
    )
  })

  test('that is removed is misdirected as soon as the edge knows, also on open connections', async () => {
    const { edge, control } = await place()
    expect((await edge.visit(https('shop.example'))).status).toBe(200)
    control.put('shop.example', { kind: 'gone' })
    await control.known()
    expect((await edge.visit(https('shop.example'))).status).toBe(421)
    expect((await edge.visit({ host: 'shop.example' })).status).toBe(421)
  })

  test('that is a default address is the site, over http as long as there is no certificate for it', async () => {
    const { edge } = await place()
    const { status, text, headers } = await edge.visit({ host: 'east.petstore.test:3080', path: '/x' })
    expect([status, text]).toEqual([200, 'The site east at /x'])
    expect(headers['strict-transport-security']).toBeUndefined()
    const { chainPem, keyPem } = await makeFakeChain({ hostnames: ['*.petstore.test'] })
    const { edge: other } = await place({ env: { PLATFORM_TLS: 'file', PLATFORM_CERTIFICATE: chainPem + keyPem } })
    const sent = await other.visit({ host: 'east.petstore.test', path: '/x?y' })
    expect([sent.status, sent.headers.location]).toEqual([301, 'https://east.petstore.test/x?y'])
    const tls = await other.visit(https('east.petstore.test'))
    expect([tls.status, tls.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
  })
})

describe('a default address that redirects to the primary domain', () => {
  const toShop = { status: 307, headers: { location: 'https://shop.example/x', 'cache-control': 'no-store' } }
  const visit = { host: 'north.petstore.test:3080', path: '/x' }

  test('does so while this edge serves that one, and requests the page again when it has left the table', async () => {
    const { edge, control } = await place()
    control.serve(() => toShop)
    for (const _ of [1, 2]) expect((await edge.visit(visit)).headers.location).toBe('https://shop.example/x')
    expect(control.asked).toHaveLength(1)
    control.put('shop.example', { kind: 'gone' })
    await control.known()
    // The cached response is a moment old, and would still redirect there.
    control.serve(siteOf)
    expect((await edge.visit(visit)).text).toBe('The site north at /x')
    expect(control.asked).toHaveLength(2)
  })

  test('does not send visitors to a removed domain by a redirect that was requested before the removal', async () => {
    const { edge, control } = await place()
    const requested = Promise.withResolvers<void>()
    const removed = Promise.withResolvers<void>()
    let count = 0
    control.serve((question) => {
      count += 1
      if (count > 1) return siteOf(question)
      requested.resolve()
      return removed.promise.then(() => toShop)
    })
    const early = edge.visit(visit)
    await requested.promise
    control.put('shop.example', { kind: 'gone' })
    await control.known()
    removed.resolve()
    expect((await early).text).toBe('The site north at /x')
  })

  test('redirects when the control plane confirms it a second time: another edge may know more', async () => {
    const { edge, control } = await place()
    control.serve(() => ({ ...toShop, headers: { location: 'https://new.example/x' } }))
    expect((await edge.visit(visit)).headers.location).toBe('https://new.example/x')
    expect(control.asked).toHaveLength(2)
  })
})

describe('a redirect', () => {
  const oddTargets = [
    '/',
    '/a/1?x=y&x=z&&=',
    '//evil.example/..//x',
    '/\\evil.example',
    '/%0d%0aSet-Cookie:x',
    '/%2e%2e/%2F%zz%',
    '/"<>{}|^`',
    '/a;b=c:d@e,f?#g',
  ]

  test.each(oddTargets)('leads on in one response with %s byte for byte', async (target) => {
    const { edge } = await place()
    for (const [host, scheme, status] of [
      ['www.shop.example', 'http', 308],
      ['WWW.shop.example:80', 'https', 308],
      ['shop.example', 'http', 301],
    ] as const) {
      const answer = await edge.raw(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Proto: ${scheme}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `)
      expect(answer).toContain(`\r\nLocation: https://shop.example${target}\r\n`)
      expect(answer).toContain('\r\nCache-Control: max-age=300\r\n')
    }
  })

  test.each([
    ['odd', '//%61"?q'],
    ['not ASCII', '/\u00e9\u00ff?\u00e4'],
    ['UTF-8', '/caf\u00c3\u00a9'],
    ['long', `/long/${'x'.repeat(8000)}`],
  ])('keeps a target that is %s as the server in front reports it', async (_, target) => {
    const { edge, control } = await place()
    const rewritten = { path: '/', headers: targetHeader(target) }
    const { headers } = await edge.visit({ host: 'shop.example', ...rewritten })
    expect(headers.location).toBe(`https://shop.example${target}`)
    expect((await edge.visit({ ...https('shop.example'), ...rewritten })).status).toBe(200)
    const percent = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
    expect(control.asked[0]?.target).toBe(target.replace(/[\u0080-\u00FF]/g, percent))
  })

  test.each([
    ['GET', 301],
    ['HEAD', 301],
    ['POST', 308],
    ['DELETE', 308],
  ])('to https answers %s with %d, whatever it carries', async (method, status) => {
    const { edge, control } = await place()
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '4' }
    const answer = await edge.visit({ host: 'shop.example', method, headers, body: '"{}"' })
    expect([answer.status, answer.text]).toEqual([status, ''])
    expect(control.asked).toEqual([])
  })

  test('never contains bytes that end a line', async () => {
    const { edge } = await place()
    for (const target of ['/a\rb', '/a\nb', '/a\0b', '/a b', '/a\tb', '/\x7f']) {
      const answer = await edge.raw(`GET ${target} HTTP/1.1\r\nHost: www.shop.example\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (400|505) /)
      expect(answer).not.toContain('ocation')
    }
    const { status } = await edge.visit({ host: 'www.shop.example', headers: targetHeader('/a b') })
    expect(status).toBe(400)
  })
})

test('carries HSTS for a year, only over TLS, and only for names whose certificate the edge has', async () => {
  const { edge, control } = await place()
  control.put('app.example', { kind: 'service' })
  await control.known()
  const hstsOf = async (visit: Parameters<typeof edge.visit>[0]) =>
    (await edge.visit(visit)).headers['strict-transport-security']
  expect(await hstsOf(https('shop.example'))).toBe('max-age=31536000')
  expect(await hstsOf({ ...https('shop.example'), method: 'PUT' })).toBe('max-age=31536000')
  expect(await hstsOf(https('www.shop.example'))).toBe('max-age=31536000')
  const misdirected = await edge.visit(https('app.example'))
  expect([misdirected.status, misdirected.headers['strict-transport-security']]).toEqual([421, 'max-age=31536000'])
  for (const visit of [
    { host: 'shop.example' },
    { host: 'www.shop.example' },
    https('east.petstore.test'),
    https('nobody.example'),
    https('shop.example', CHALLENGE),
  ]) {
    expect([visit.host, await hstsOf(visit)]).toEqual([visit.host, undefined])
  }
})

describe('a challenge', () => {
  test('is answered for every hostname with an open order, attached or not, and exactly', async () => {
    const { edge, control } = await place()
    for (const host of ['shop.example', 'www.shop.example', 'new.example']) {
      control.challenges.set(`${host}/${TOKEN}`, `${TOKEN}.thumb`)
      const { status, text, headers } = await edge.visit({ host, path: CHALLENGE })
      expect([host, status, text, headers['content-type'], headers['cache-control']]).toEqual([
        host,
        200,
        `${TOKEN}.thumb`,
        'text/plain; charset=utf-8',
        'no-store',
      ])
    }
    control.challenges.clear()
    expect((await edge.visit({ host: 'shop.example', path: CHALLENGE })).status).toBe(404)
    expect(control.asked).toEqual([])
  })

  test.each([
    ['of another hostname', 'other.example', CHALLENGE],
    ['without an open order', 'shop.example', `${CHALLENGE}x`],
    ['with a query', 'shop.example', `${CHALLENGE}?`],
    ['with more behind it', 'shop.example', `${CHALLENGE}/x`],
    ['without a token', 'shop.example', '/.well-known/acme-challenge/'],
    ['with another spelling', 'shop.example', CHALLENGE.replace('evaG', '%65vaG')],
    ['for an address', '127.0.0.1', CHALLENGE],
    ['at a hostname that redirects', 'www.shop.example', CHALLENGE],
  ])('is not found %s: neither a redirect nor a page', async (_, host, path) => {
    const { edge, control } = await place()
    control.challenges.set(`shop.example/${TOKEN}`, `${TOKEN}.thumb`)
    for (const scheme of ['http', 'https'] as const) {
      const { status, text, headers } = await edge.visit({ host, path, scheme })
      expect([status, text, headers.location]).toEqual([404, 'Not found.\n', undefined])
    }
    expect(control.asked).toEqual([])
  })

  test('is requested once for many concurrent requests, and never cached', async () => {
    const { edge, control } = await place()
    control.challenges.set(`shop.example/${TOKEN}`, `${TOKEN}.thumb`)
    const ask = () => edge.visit({ host: 'shop.example', path: CHALLENGE })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([`${TOKEN}.thumb`]))
    const before = control.askedChallenges.length
    expect(before).toBeLessThan(20)
    await ask()
    expect(control.askedChallenges.length).toBe(before + 1)
  })

  test('is not found while the control plane cannot be reached', async () => {
    const { edge, control } = await place()
    await control.shut()
    expect((await edge.visit({ host: 'shop.example', path: CHALLENGE })).status).toBe(404)
  })
})

test('a probe is answered for every hostname and redirected for none', async () => {
  const { edge } = await place()
  for (const host of ['shop.example', 'www.shop.example', 'new.example']) {
    const { status, text } = await edge.visit({ host, path: '/.well-known/petstore-probe/nonce-nonce-nonce' })
    expect([status, text]).toEqual([200, probeProof(PROBE_SECRET, 'nonce-nonce-nonce', host)])
  }
})

describe('a page', () => {
  test('is requested with the visitor’s headers that matter, and comes without headers that are not for visitors', async () => {
    const { edge, control } = await place()
    control.serve(() => ({
      ...htmlPage('A page'),
      headers: {
        ...htmlPage('A page').headers,
        connection: 'keep-alive',
        'keep-alive': 'timeout=5',
        'set-cookie': 'a=b',
        server: 'x',
        'petstore-secret': 'x',
        vary: 'Accept-Encoding',
      },
    }))
    const { headers, status } = await edge.visit({
      ...https('shop.example', '//a//%2e?x="y'),
      headers: { Cookie: 'a=b', Authorization: 'Basic x', 'Accept-Encoding': 'gzip, br', 'petstore-site': 'south' },
    })
    expect(status).toBe(200)
    expect(Object.keys(headers).toSorted()).toEqual(
      [
        'cache-control',
        'connection',
        'content-length',
        'content-security-policy',
        'content-type',
        'date',
        'etag',
        'request-id',
        'strict-transport-security',
        'vary',
      ].toSorted(),
    )
    const [requested] = control.asked
    expect(requested?.target).toBe('//a//%2e?x="y')
    expect(requested?.headers).toMatchObject({
      'petstore-site': 'north',
      'petstore-host': 'shop.example',
      'accept-encoding': 'br',
      'petstore-request-id': headers['request-id'],
    })
    expect(requested?.headers.cookie).toBeUndefined()
  })

  test('is requested once for many concurrent visitors, and again only after a while', async () => {
    const { edge, control } = await place()
    const startedAt = performance.now()
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => edge.visit(https('shop.example', '/many'))))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    }
    const requested = control.asked.filter(({ target }) => target === '/many').length
    expect(requested).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedAt) / 450))
  })

  test('is not sent again to a client that has it, and is revalidated with the control plane', async () => {
    const { edge, control } = await place()
    const { headers } = await edge.visit(https('shop.example', '/held'))
    const again = await edge.visit({
      ...https('shop.example', '/held'),
      headers: { 'If-None-Match': headers.etag ?? 'none' },
    })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
    expect(again.headers['strict-transport-security']).toBe('max-age=31536000')
    const requested = () => control.asked.filter(({ target }) => target === '/held')
    await until(
      () => edge.visit(https('shop.example', '/held')),
      () => requested().length > 1,
    )
    expect(requested()[1]?.headers['if-none-match']).toBe(headers.etag)
    expect((await edge.visit(https('shop.example', '/held'))).text).toBe('The site north at /held')
  })

  test('that changes is seen within a second', async () => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example'))
    control.serve(() => htmlPage('Something new', 'W/"new"'))
    const startedAt = performance.now()
    await until(
      () => edge.visit(https('shop.example')),
      ({ text }) => text === 'Something new',
    )
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })

  test.each([404, 421])('that is not there is passed on with %d', async (status) => {
    const { edge, control } = await place()
    control.serve(() => ({ ...htmlPage('Not here'), status }))
    const answer = await edge.visit(https('shop.example'))
    expect([answer.status, answer.text]).toEqual([status, 'Not here'])
    control.serve(siteOf)
    const later = await until(
      () => edge.visit(https('shop.example')),
      (found) => found.status === 200,
    )
    expect(later.status).toBe(200)
  })

  test('can be read and posted to, and nothing else', async () => {
    const { edge, control } = await place()
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      const { status, headers } = await edge.visit({ ...https('shop.example'), method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST'])
    }
    expect(control.asked).toEqual([])
    const requested = await edge.visit({ ...https('shop.example', '/head'), method: 'HEAD' })
    expect([requested.status, requested.text, requested.headers['content-length']]).toEqual([200, '', '23'])
  })
})

describe('a form', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  test('is forwarded with the address of the visitor and its origin', async () => {
    const { edge, control } = await place()
    control.serve(() => ({ status: 303, headers: { location: '/thanks?animal=1', 'cache-control': 'no-store' } }))
    const { status, headers } = await edge.visit({
      ...https('shop.example', '/a/1'),
      host: 'shop.example:8443',
      method: 'POST',
      headers: {
        ...form,
        Origin: 'https://shop.example:8443',
        'Sec-Fetch-Site': 'same-origin',
        'X-Forwarded-For': '203.0.113.9',
      },
      body: 'name=Ann',
    })
    expect([status, headers.location]).toEqual([303, '/thanks?animal=1'])
    expect(control.asked[0]).toMatchObject({ method: 'POST', target: '/a/1', body: 'name=Ann' })
    expect(control.asked[0]?.headers).toMatchObject({
      'petstore-site': 'north',
      'petstore-host': 'shop.example:8443',
      'petstore-visitor': '203.0.113.9',
      origin: 'https://shop.example:8443',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    })
  })

  test('is forwarded also where the address cannot be decoded', async () => {
    const { edge, control } = await place()
    const headers = { ...form, 'X-Forwarded-For': '203.0.113.9' }
    const { status } = await edge.visit({ ...https('shop.example', '/a/%zz'), method: 'POST', headers, body: 'x=1' })
    expect(status).toBe(200)
    expect(control.asked[0]).toMatchObject({ method: 'POST', target: '/a/%zz', body: 'x=1' })
    expect(control.asked[0]?.headers['petstore-visitor']).toBe('203.0.113.9')
  })

  test('is forwarded once, and its effect is visible at once', async () => {
    const { edge, control } = await place()
    await edge.visit(https('shop.example', '/a/1'))
    control.serve(({ method }) => (method === 'POST' ? htmlPage('Done') : htmlPage('Taken', 'W/"taken"')))
    const sent = { ...https('shop.example', '/a/1'), method: 'POST', headers: form, body: 'x=1' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => edge.visit(sent)))
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'Done'))
    expect(control.asked.filter(({ method }) => method === 'POST').length).toBe(5)
    expect((await edge.visit(https('shop.example', '/a/1'))).text).toBe('Taken')
  })

  test('that is too large or not a form is rejected at the edge', async () => {
    const { edge, control } = await place()
    const post = (headers: Record<string, string>, body: string) =>
      edge.visit({ ...https('shop.example', '/a/1'), method: 'POST', headers, body })
    expect((await post(form, 'x'.repeat(32_769))).status).toBe(413)
    expect((await post({ ...form, 'Transfer-Encoding': 'chunked' }, 'x'.repeat(33_000))).status).toBe(413)
    expect((await post({ 'Content-Type': 'application/json' }, '{}')).status).toBe(415)
    expect((await post({}, 'a=b')).status).toBe(415)
    expect(control.asked).toEqual([])
    expect((await post(form, 'x'.repeat(32_768))).status).toBe(200)
  })

  test.each(['shut', 'reset'] as const)(
    'is not forwarded while the control plane is %s, and the visitor gets an error page',
    async (how) => {
      const { edge, control } = await place()
      const sent = { ...https('shop.example', '/a/1'), method: 'POST', headers: form, body: 'x=1' }
      await edge.visit(sent)
      control.serve(() => 'reset')
      if (how === 'shut') await control.shut()
      const before = control.asked.length
      const { status, text, headers } = await edge.visit(sent)
      expect([status, headers['cache-control']]).toEqual([503, 'no-store'])
      expect(text).toContain('Your form was not sent')
      expect(control.asked.length - before, 'never sent twice').toBeLessThanOrEqual(1)
    },
  )
})

test('the log of an edge has no token, no visitor and nothing that was typed', async () => {
  const { edge, control } = await place()
  await edge.visit({ ...https('shop.example', '/a/1?secret=typed'), headers: { 'X-Forwarded-For': '203.0.113.77' } })
  await control.shut()
  await edge.visit(https('shop.example', '/a/2?secret=typed'))
  const log = edge.logs.join('')
  expect(log).toContain('shop.example')
  expect(log).not.toMatch(/typed|203\.0\.113\.77|edge_of-this-test/)
})
