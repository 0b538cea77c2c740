// The self-check before every order, on the test internet: hostnames lead to our own edge,
// to anything else that can listen at an address, or nowhere. It rejects what an authority
// would reject, with a cause that owners can act on, and never blames the owner for a fault
// of ours.

import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChallengeServer, type ChallengeServer } from '../../../testbed/internet/challenge-server.ts'
import { closeTcp, listen } from '../../../testbed/internet/ports.ts'
import { webRoles, type WebRoleName } from '../../../testbed/internet/web-roles.ts'
import { startWorld, type World } from '../../../testbed/internet/world.ts'
import { causes } from '../../src/domains/causes/causes.ts'
import { selfCheckAt } from '../../src/domains/observing/self-check.io.ts'
import { openDns } from '../../src/foundation/dns/client.io.ts'

const OURS = '127.0.80.200'
const TOKEN = 'token-of-this-test'
const KEY_AUTHORIZATION = `${TOKEN}.thumbprint`
const PATH = `/.well-known/acme-challenge/${TOKEN}`

const roles = Object.keys(webRoles) as WebRoleName[]
const records = [
  ...roles.map((role) => `${role} A ${webRoles[role].address}`),
  `right A ${OURS}`,
  'alias CNAME right.check.test.',
  `both A ${OURS}`,
  `both A ${webRoles.other.address}`,
  'private A 10.0.0.1',
  `half-private A ${OURS}`,
  'half-private A 10.0.0.1',
  'empty TXT "nothing to visit"',
  `six A ${OURS}`,
  'six AAAA ::1',
  'six-only AAAA ::1',
]

let world: World
let website: ChallengeServer
type Settings = Parameters<typeof selfCheckAt>[0]
let settings: Settings

beforeAll(async () => {
  world = await startWorld({
    webTls: true,
    zones: [
      { zone: 'check.test', records },
      { zone: 'bogus.test', records: [`shop A ${OURS}`], signing: 'expired' },
    ],
  })
  website = await startChallengeServer({ address: OURS, port: world.web.port })
  for (const name of ['right', 'alias', 'both', 'half-private', 'six', 'six-only'])
    website.put(`${name}.check.test`, TOKEN, KEY_AUTHORIZATION)
  settings = {
    dns: openDns({ ...world.dns, randomBytes }),
    port: world.web.port,
    tlsPort: world.web.tlsPort,
    allowedNetworks: [...world.web.allowedNetworks, '::1/128'],
    ownAddresses: [],
    deadlineMs: 2000,
  }
})
afterAll(async () => {
  await website?.close()
  await world?.close()
})

const check = (name: string, changes: Partial<Settings> = {}, keyAuthorization = KEY_AUTHORIZATION) =>
  selfCheckAt({ ...settings, ...changes }, name.includes('.') ? name : `${name}.check.test`, TOKEN, keyAuthorization)

describe('what an authority would accept', () => {
  test('is our own response, directly and through an alias', async () => {
    expect(await check('right')).toEqual({ ok: true })
    expect(await check('alias')).toEqual({ ok: true })
    expect(website.asked().map(({ path }) => path)).toEqual([PATH, PATH])
  })

  test('includes a second address inside a private network, which authorities skip', async () => {
    expect(await check('half-private')).toEqual({ ok: true })
  })

  test('includes a redirect to HTTPS of the same hostname, whatever certificate is there', async () => {
    await world.edit('check.test', { add: [`moved A ${webRoles.ours.address}`] })
    await world.web.serve('ours', (request, response, { scheme }) => {
      if (scheme === 'https') return void response.end(`${KEY_AUTHORIZATION}\r\n`)
      response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end()
    })
    expect(await check('moved')).toEqual({ ok: true })
  })
})

describe('what an authority would reject', () => {
  test.each<[role: WebRoleName, code: string, detail: RegExp]>([
    [
      'other',
      'http.not_us',
      /^127\.0\.80\.10 answers for other\.check\.test with status 200 \(server: nginx\/1\.24\.0\)/,
    ],
    ['parking', 'http.not_us', /server: openresty/],
    ['catch-all', 'http.not_us', /server: Vercel/],
    ['missing', 'http.not_us', /status 404/],
    ['noise', 'http.not_us', /status 0/],
    ['endless', 'http.not_us', /status 200/],
    ['drip', 'http.not_us', /status 200/],
    ['refusing', 'http.refused', /^127\.0\.80\.13 refuses connections on port 80\.$/],
    ['silent', 'http.timeout', /does not answer/],
    ['resetting', 'http.reset', /cuts the connection/],
    ['login', 'http.challenge_intercepted', /does not let/],
    ['browser-check', 'http.challenge_intercepted', /does not let/],
    ['forwarding', 'http.bad_redirect', /to https:\/\/www\.elsewhere\.test\/\.$/],
    ['cloudflare-flexible', 'http.bad_redirect', /\.well-known\/…\.$/],
  ])('%s: %s', async (role, code, detail) => {
    expect(await check(role)).toEqual({ ok: false, code, detail: expect.stringMatching(detail) as string })
  })

  test('always has a cause of the list and a sentence, whatever listens at the address', async () => {
    for (const role of roles) {
      const checked = await check(role)
      if (checked.ok) continue
      expect(Object.keys(causes)).toContain(checked.code)
      expect(checked.detail).toMatch(/^[^\n]{10,}\.$/)
      expect(checked.detail).not.toContain(TOKEN)
    }
  })

  test('includes our own server with another response, or with part of the right one', async () => {
    expect(await check('right', {}, `${TOKEN}.another`)).toMatchObject({ ok: false, code: 'http.not_us' })
    expect(await check('right', {}, KEY_AUTHORIZATION.slice(0, -1))).toMatchObject({ ok: false, code: 'http.not_us' })
  })

  test('includes one wrong address of two: half of the authority’s perspectives would reach it', async () => {
    const wrong = { ok: false, code: 'http.not_us', detail: expect.stringContaining('127.0.80.10') as string }
    for (let time = 0; time < 5; time++) expect(await check('both')).toEqual(wrong)
  })

  test.each([
    ['private', 'dns.reserved_ip'],
    ['empty', 'dns.no_record'],
    ['missing-name', 'dns.no_record'],
    ['shop.bogus.test', 'ca.dns'],
  ])('includes a hostname that leads nowhere: %s is %s', async (name, code) => {
    expect(await check(name)).toMatchObject({ ok: false, code })
  })
})

describe('what is not the owner’s mistake', () => {
  test('is our own servers being down or responding wrongly', async () => {
    const own = (address: string) => ({ ownAddresses: [address] })
    const dead = await check('refusing', own(webRoles.refusing.address))
    expect(dead).toMatchObject({ code: 'ca.malformed', detail: expect.stringContaining('Our own server') as string })
    expect(await check('other', own(webRoles.other.address))).toMatchObject({ code: 'ca.malformed' })
    expect(await check('other', own(OURS))).toMatchObject({ code: 'http.not_us' })
  })

  test('is having no resolver that can be queried', async () => {
    const dns = openDns({ ...world.dns, resolvers: [{ name: 'gone', address: '127.0.53.250', port: 9 }], randomBytes })
    expect(await check('right', { dns })).toMatchObject({ ok: false, code: 'ca.malformed' })
  })
})

describe('IPv6', () => {
  test('a refused connection falls back to IPv4', async () => {
    if (!world.hasIpv6) return
    expect(await check('six')).toEqual({ ok: true })
    expect(await check('six-only')).toMatchObject({ ok: false, code: 'http.refused' })
  })

  test('a response over IPv6 is final, and IPv4 is not tried', async () => {
    if (!world.hasIpv6) return
    let body = KEY_AUTHORIZATION
    const server: Server = createServer((_, response) => void response.end(body))
    await listen(server, world.web.port, '::1')
    try {
      const before = website.asked().length
      expect(await check('six')).toEqual({ ok: true })
      expect(await check('six-only')).toEqual({ ok: true })
      body = 'another website'
      expect(await check('six')).toMatchObject({ ok: false, code: 'http.not_us' })
      expect(website.asked()).toHaveLength(before)
    } finally {
      await closeTcp(server)
    }
  })
})
