// Redirect chains as real servers on loopback serve them, with real certificates that are
// wrong in one respect each; hostnames are resolved on the test internet.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDirectory, run } from '../../../testbed/internet/processes.ts'
import { startWorld, type World } from '../../../testbed/internet/world.ts'
import { diagnoseChain } from '../../src/domains/tracing/trace-diagnosis.ts'
import type { Hop } from '../../src/domains/tracing/hop.ts'
import { traceChain, type TraceDeps } from '../../src/domains/tracing/trace.io.ts'
import { makeFakeChain, type FakeChain, type FakeLeaf } from '../../../testbed/harness/fake-chain.ts'
import { openDns } from '../../src/foundation/dns/client.io.ts'
import { childEnv } from '../../../testbed/harness/child-env.ts'
import { HERE, listening } from './listening.ts'

const HOST = 'shop.trace.test'
const DAY_MS = 86_400_000

let world: World
let chain: FakeChain
const directory = makeDirectory()

beforeAll(async () => {
  const records = ['plain A 127.0.80.10', 'private A 10.0.0.1', 'text TXT hello', 'away CNAME nowhere.trace.test.']
  world = await startWorld({
    zones: [
      { zone: 'trace.test', records },
      { zone: 'dead.test', records: [], servers: [{ name: 'ns1.dead.test', role: 'silent' }] },
    ],
  })
  chain = await makeFakeChain({ hostnames: [HOST, 'www.trace.test'] })
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await world.close()
})

const plain = (listener: RequestListener) => listening(createHttp(listener))
const secure = (listener: RequestListener, { chainPem: cert, keyPem: key } = chain) =>
  listening(createHttps({ cert, key }, listener))

const page: RequestListener = (_, answer) => void answer.writeHead(200, { server: 'Testing' }).end('a page')
const to =
  (location: string, status = 301, headers: Record<string, string> = {}): RequestListener =>
  (_, answer) =>
    void answer.writeHead(status, { location, ...headers }).end()

/** Maps ports 80 and 443 of every hostname to these ports. */
const placed = (http: number, https: number): TraceDeps['places'] => [
  { host: '*', port: 80, address: HERE, toPort: http },
  { host: '*', port: 443, address: HERE, toPort: https },
]

async function trace(url: string, changes: Partial<TraceDeps> = {}): Promise<Hop[]> {
  const dns = openDns({ ...world.dns, randomBytes })
  const { allowedNetworks } = world.web
  return traceChain(
    { dns, allowedNetworks, places: [], roots: chain.rootPem, now: Date.now, deadlineMs: 1500, ...changes },
    url,
  )
}
const codesOf = (hops: readonly Hop[]) => {
  const { verdict, also, exitCode } = diagnoseChain(hops, [HERE])
  return [exitCode, verdict.code, ...also.map(({ code }) => code)]
}

describe('the chain as it is served', () => {
  test('shows one redirect to a secure page: status, address, server, certificate and time of each response', async () => {
    const http = await plain(to(`https://${HOST}/cats?a=1`, 301, { 'cache-control': 'max-age=300', server: 'Front' }))
    const https = await secure(page)
    const hops = await trace(`http://${HOST}/cats?a=1`, { places: placed(http, https) })
    expect(hops).toMatchObject([
      {
        number: 1,
        url: `http://${HOST}/cats?a=1`,
        address: HERE,
        status: 301,
        leadsTo: `https://${HOST}/cats?a=1`,
        server: 'Front',
        cacheControl: 'max-age=300',
        certificate: null,
      },
      {
        number: 2,
        status: 200,
        leadsTo: null,
        server: 'Testing',
        certificate: { issuer: 'Fake Intermediate', names: [HOST, 'www.trace.test'], faults: [], detail: null },
      },
    ])
    expect(codesOf(hops)).toEqual([0, 'fine', 'remembered'])
    for (const { ms } of hops) expect(ms).toBeLessThan(1500)
  })

  test('is requested as a browser would: host, path, server name in the handshake, no cookie', async () => {
    const requests: object[] = []
    const https = await listening(
      createHttps({ cert: chain.chainPem, key: chain.keyPem }, ({ headers, url, socket }, answer) => {
        const { host, cookie } = headers
        requests.push({ host, cookie, url, name: (socket as unknown as { servername: string }).servername })
        if (requests.length < 2) answer.writeHead(302, { location: '/b%0d?x=%20', 'set-cookie': 'a=b' })
        answer.end()
      }),
    )
    await trace(`https://${HOST}/a`, { places: placed(1, https) })
    expect(requests).toEqual([
      { host: HOST, cookie: undefined, url: '/a', name: HOST },
      { host: HOST, cookie: undefined, url: '/b%0d?x=%20', name: HOST },
    ])
  })

  test('covers http, https and www, one after the other', async () => {
    const http = await plain(to(`https://${HOST}/`))
    const https = await secure((requests, answer) =>
      (requests.headers.host === HOST ? to('https://www.trace.test/') : page)(requests, answer),
    )
    expect(codesOf(await trace(`http://${HOST}/`, { places: placed(http, https) }))).toEqual([
      0,
      'several_hops',
      'remembered',
    ])
  })

  test('ends a loop where it closes, and an endless chain after ten redirects', async () => {
    let visits = 0
    const https = await secure((requests, answer) => {
      visits += 1
      if (requests.url?.startsWith('/circle'))
        return to('/circle?again', 302, { 'set-cookie': 'a=b' })(requests, answer)
      to(`/${visits}`, 302)(requests, answer)
    })
    const circle = await trace(`https://${HOST}/circle`, { places: placed(1, https) })
    expect(circle).toHaveLength(2)
    expect(codesOf(circle)).toEqual([1, 'loop'])
    visits = 0
    expect(codesOf(await trace(`https://${HOST}/way`, { places: placed(1, https) }))).toEqual([1, 'too_many'])
    expect(visits).toBe(10)
  })

  test.each<[what: string, listener: RequestListener, codes: readonly unknown[]]>([
    ['leads back to http', to(`http://www.trace.test/`, 302), [1, 'downgrade']],
    ['leads nowhere', to('mailto:mia@trace.test', 302), [1, 'bad_redirect']],
    ['names no destination', (_, answer) => void answer.writeHead(302).end(), [1, 'bad_redirect']],
    ['is ours and knows no such name', (_, answer) => void answer.writeHead(421).end(), [1, 'not_attached']],
    ['has no such page', (_, answer) => void answer.writeHead(404).end(), [1, 'error_status']],
  ])('covers a server that %s', async (_, listener, codes) => {
    const places = placed(await plain(page), await secure(listener))
    expect(codesOf(await trace(`https://${HOST}/`, { places }))).toEqual(codes)
  })

  test('covers a page without encryption', async () => {
    const places = placed(await plain(page), 1)
    expect(codesOf(await trace(`http://${HOST}/`, { places }))).toEqual([1, 'plain_http'])
  })

  test('uses the first of several addresses that responds, and reports the dead ones', async () => {
    const closed = createTcp()
    const dead = await listening(closed)
    closed.close()
    const at = (toPort: number) => ({ host: HOST, port: 443, address: HERE, toPort })
    const hops = await trace(`https://${HOST}/`, { places: [at(dead), at(await secure(page))] })
    expect(hops[0]).toMatchObject({ status: 200, silentAddresses: [HERE] })
    expect(codesOf(hops)).toEqual([0, 'address_dead'])
  })

  test('shows the text of other servers escaped', async () => {
    const rude = `HTTP/1.1 302 Found\r\nServer: a\u001b[31mb\r\nLocation: /\u00e9\u0007\r\nContent-Length: 0\r\n\r\n`
    const http = await listening(createTcp((socket) => void socket.end(rude, 'latin1')))
    const [first] = await trace(`http://${HOST}/`, { places: placed(http, 1) })
    // Node's parser does not let control characters pass at all; if it ever does, they are escaped.
    expect(JSON.stringify(first)).not.toMatch(/\\u00(1b|07|e9)/)
    const latin = `HTTP/1.1 200 OK\r\nServer: caf\u00e9\r\nContent-Length: 0\r\n\r\n`
    const polite = await listening(createTcp((socket) => void socket.end(latin, 'latin1')))
    expect((await trace(`http://${HOST}/`, { places: placed(polite, 1) }))[0]?.server).toBe('caf\\233')
  })
})

describe('a certificate in the chain', () => {
  const faulty: readonly [fault: string, leaf: Partial<FakeLeaf>, change?: (made: FakeChain) => Partial<FakeChain>][] =
    [
      ['wrong_name', { hostnames: ['other.trace.test'] }],
      ['expired', { notBefore: Date.now() - 9 * DAY_MS, notAfter: Date.now() - DAY_MS }],
      ['not_yet_valid', { notBefore: Date.now() + DAY_MS, notAfter: Date.now() + 9 * DAY_MS }],
      ['incomplete_chain', {}, ({ leafPem }) => ({ chainPem: leafPem })],
      ['unknown_authority', {}, () => ({ rootPem: chain.rootPem })],
      ['unusable', { issuerNotAfter: Date.now() - 1000 }],
    ]
  test.each(faulty)(
    'with the fault %s is reported as such, and the response behind it is shown all the same',
    async (fault, leaf, change) => {
      const made = await makeFakeChain({ hostnames: [HOST], ...leaf })
      const served = { ...made, ...change?.(made) }
      const bad = await secure(to(`https://www.trace.test/`, 302), served)
      const places = [
        { host: HOST, port: 443, address: HERE, toPort: bad },
        { host: 'www.trace.test', port: 443, address: HERE, toPort: await secure(page) },
      ]
      const hops = await trace(`https://${HOST}/`, { places, roots: `${served.rootPem}${chain.rootPem}` })
      expect(hops.map(({ status, certificate }) => [status, certificate?.faults])).toEqual([
        [302, [fault]],
        [200, []],
      ])
      expect(codesOf(hops)).toEqual([1, `certificate_${fault}`])
    },
  )

  test('can be both self-signed and for another hostname', async () => {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=x']
    const names = ['-addext', `subjectAltName=DNS:${HOST}`]
    await run('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert])
    const own = { ...chain, chainPem: readFileSync(cert, 'utf8'), keyPem: readFileSync(key, 'utf8') }
    const places = placed(1, await secure(page, own))
    expect((await trace(`https://${HOST}/`, { places }))[0]?.certificate?.faults).toEqual(['self_signed'])
    const elsewhere = await trace('https://www.trace.test/', { places })
    expect(elsewhere[0]?.certificate?.faults).toEqual(['wrong_name', 'self_signed'])
    expect(codesOf(elsewhere)).toEqual([1, 'certificate_wrong_name'])
  })

  test('of the tests is rejected without our own roots: nothing is trusted by accident', async () => {
    const places = placed(1, await secure(page))
    const [first] = await trace(`https://${HOST}/`, { places, roots: undefined })
    expect(first?.certificate?.faults).toEqual(['unknown_authority'])
  })
})

describe('a request without a response', () => {
  test.each<[what: string, why: string, url: string]>([
    ['a name that does not exist', 'no_such_name', 'http://nobody.trace.test/'],
    ['a name without an address', 'no_address', 'http://text.trace.test/'],
    ['a name that leads to none', 'no_address', 'http://away.trace.test/'],
    ['a name whose servers are silent', 'dns_silent', 'http://shop.dead.test/'],
    ['a name that leads to a private address', 'not_allowed', 'http://private.trace.test/'],
    ['a private address itself', 'not_allowed', 'http://127.0.0.1/'],
    ['a private address in another spelling', 'not_allowed', 'http://[::ffff:7f00:1]/'],
  ])('has its own cause: %s', async (_, why, url) => {
    const hops = await trace(url)
    expect(hops).toMatchObject([{ status: null, failure: { why } }])
    expect(codesOf(hops)).toEqual([why === 'dns_silent' ? 3 : 1, why])
  })

  test('is made to no address inside our own network: the redirect is shown and not followed', async () => {
    let visits = 0
    const inside = await plain((_, answer) => {
      visits += 1
      answer.end('secret')
    })
    const places = placed(await plain(to(`http://127.0.0.1:${inside}/latest/meta-data`, 302)), 1)
    const hops = await trace(`http://${HOST}/`, { places })
    expect(hops).toMatchObject([{ status: 302 }, { status: null, failure: { why: 'not_allowed' } }])
    expect(visits).toBe(0)
  })

  test.each<[what: string, scheme: string, serve: () => Server, why: string]>([
    ['sends nothing', 'http', () => createTcp(() => {}), 'timeout'],
    ['does not respond to a handshake', 'https', () => createTcp(() => {}), 'timeout'],
    ['cuts the connection', 'http', () => createTcp((socket) => void socket.resetAndDestroy()), 'reset'],
    ['cuts the handshake', 'https', () => createTcp((socket) => void socket.resetAndDestroy()), 'tls'],
    ['does not use TLS', 'https', () => createHttp(page), 'tls'],
    ['has no certificate', 'https', () => createHttps({}, page), 'tls'],
    ['does not use HTTP', 'http', () => createTcp((socket) => void socket.end('SSH-2.0-x\r\n')), 'not_http'],
    [
      'sends a head without end',
      'http',
      () =>
        createTcp((socket) => {
          const drip = setInterval(() => socket.write(`x: ${'y'.repeat(100)}\r\n`), 20)
          socket.write('HTTP/1.1 200 OK\r\n')
          socket.on('error', () => {})
          socket.on('close', () => clearInterval(drip))
        }),
      'timeout',
    ],
  ])('to a server that %s over %s is settled within the deadline', async (_, scheme, serve, why) => {
    const port = await listening(serve())
    const [hop] = await trace(`${scheme}://${HOST}/`, { places: placed(port, port), deadlineMs: 400 })
    expect(hop).toMatchObject({ status: null, failure: { why } })
    expect(hop?.ms).toBeLessThan(3000)
  })

  test('differs from an endless page, which is not read', async () => {
    let sent = 0
    const places = placed(
      await plain((_, answer) => {
        const more = () => {
          while (!answer.destroyed && answer.write('x'.repeat(65_536))) sent += 65_536
        }
        answer.on('drain', more)
        more()
      }),
      1,
    )
    const [hop] = await trace(`http://${HOST}/`, { places })
    expect(hop).toMatchObject({ status: 200 })
    expect(sent).toBeLessThan(8_000_000)
  })
})

describe('petstore domains trace', () => {
  const main = join(import.meta.dirname, '../../src/main.ts')

  function command(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const { resolvers, authoritativePort, allowedNetworks } = world.dns
    const env = {
      ...childEnv,
      ENVIRONMENT: 'staging',
      DNS_RESOLVERS: resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
      DNS_AUTHORITATIVE_PORT: String(authoritativePort),
      DNS_TEST_NETWORKS: [...allowedNetworks, ...world.web.allowedNetworks].join(','),
      EDGE_ADDRESSES: HERE,
    }
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [main, 'domains', 'trace', ...args], { env }, (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      )
    })
  }

  test('exits with 0 where visitors arrive, with addresses and roots given as options', async () => {
    const [http, https] = [await plain(to(`https://${HOST}/`)), await secure(page)]
    const ca = join(directory, 'root.pem')
    writeFileSync(ca, chain.rootPem)
    const places = ['--resolve', `${HOST}:80:${HERE}:${http}`, '--resolve', `*:443:${HERE}:${https}`]
    const { code, out } = await command(HOST, ...places, '--ca', ca)
    expect(code).toBe(0)
    expect(out).toMatch(/^1\. 301 http:\/\/shop\.trace\.test\/\n {3}redirects to +https:\/\/shop\.trace\.test\/\n/)
    expect(out).toMatch(/certificate +issued by Fake Intermediate, valid until \d{4}-\d\d-\d\d, accepted/)
    expect(out).toContain(
      '\nfine: Visitors to http://shop.trace.test/ arrive at https://shop.trace.test/ with one redirect',
    )
    const refused = await command(HOST, ...places, '--json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({
      url: `http://${HOST}/`,
      hops: [{ number: 1 }, { number: 2, certificate: { faults: ['unknown_authority'] } }],
      verdict: { code: 'certificate_unknown_authority', text: expect.stringContaining('not private') },
    })
  })

  test('queries DNS through the resolvers of the configuration, not the system', async () => {
    const { code, out } = await command(`http://plain.trace.test:${world.web.port}/`)
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('response from  127.0.80.10, nginx') })
    expect(out).toContain('plain_http: ')
  })

  test('exits with 3 where the result is undetermined', async () => {
    expect(await command('https://shop.dead.test/')).toMatchObject({
      code: 3,
      out: expect.stringContaining('dns_silent: DNS gave no answer for shop.dead.test'),
    })
  })

  test('rejects invalid arguments, with a sentence', async () => {
    const sentences = [
      [['ftp://shop.trace.test/'], '<url> takes an address'],
      [[HOST, '--resolve', 'nonsense'], '--resolve takes host:port:address'],
      [[HOST, '--ca', join(directory, 'none.pem')], '--ca cannot be read'],
    ] as const
    for (const [args, sentence] of sentences) {
      expect(await command(...args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) })
    }
  })
})
