// The server's behaviour down to the socket: every refusal carries the Error body, every
// request gets exactly one response and one log line, and the next client is served,
// whatever was sent.

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { RawConnection, faultsOf, headerOf, type RawAnswer } from './raw.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const { service, north, logs } = await startTestService()
const { server } = service.app
const targets: string[] = []
server.on('request', ({ url = '' }) => void targets.push(url))

const host = 'Host: petstore\r\n'
const key = `Authorization: Bearer ${north.key}\r\n`
const json = 'Content-Type: application/json\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'
const rex = '{"name":"Rex","categoryId":1}'
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`
const list = get('/v1/pets', key)
const live = get('/livez')
const head = `POST /v1/pets HTTP/1.1\r\n${host}${key}${json}`
const post = (headers: string, body = '') => `${head}${headers}\r\n${body}`
const inChunks = (headers: string) => post(headers, `1d\r\n${rex}\r\n0\r\n\r\n`)
/** What a server would take for a separate request if it lost count of the bytes before it. */
const canary = `0\r\n\r\n${get('/v1/pets?canary', key)}`
const times = (count: number, line: string) => line.repeat(count)
const drip = (text: string, size = 1000) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

type Case = [what: string, sent: string | readonly (string | Uint8Array)[], ...answers: string[]]

/** After the last of these responses the connection ends. */
const ending: Record<string, Case[]> = {
  'a request line': [
    ['without sense', 'garbage\r\n\r\n', '400 malformed_request'],
    ['of two words', 'hello world\r\n\r\n', '400 malformed_request'],
    ['that is the start of TLS', [Buffer.from('160301020001fc0303000d0a0d0a', 'hex')], '400 malformed_request'],
    ['of zero bytes', [new Uint8Array(100)], '400 malformed_request'],
    ['that is the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 malformed_request'],
    ['without version', 'GET /v1/pets\r\n\r\n', '400 malformed_request'],
    ['without version, with headers', `GET /v1/pets\r\n${host}${key}\r\n`, '400 malformed_request'],
    ['of HTTP/9.9', `GET /livez HTTP/9.9\r\n${host}\r\n`, '400 malformed_request'],
    ['of HTTP/2.0', `GET /v1/pets HTTP/2.0\r\n${host}${key}\r\n`, '400 malformed_request'],
    ['of HTTP/1.2', `GET /livez HTTP/1.2\r\n${host}\r\n`, '400 malformed_request'],
    ['with spaces before it', `  ${live}`, '400 malformed_request'],
    ['with a space behind it', `GET /livez HTTP/1.1 \r\n${host}\r\n`, '400 malformed_request'],
    ['with a tab in it', `GET\t/livez HTTP/1.1\r\n${host}\r\n`, '400 malformed_request'],
    ['with a method in lower case', `get /livez HTTP/1.1\r\n${host}\r\n`, '501 method_not_implemented'],
    ['with an unknown method', `BREW /v1/pets HTTP/1.1\r\n${host}\r\n`, '501 method_not_implemented'],
    ['with an unknown method, in pieces', drip(`BREW / HTTP/1.1\r\n${host}\r\n`, 2), '501 method_not_implemented'],
    ['with a target that has no slash', get('livez'), '400 malformed_request'],
    ['with NUL in its target', get('/li\0vez'), '400 malformed_request'],
    ['with a control character in its target', get('/li\x1bvez'), '400 malformed_request'],
    ['with raw bytes above ASCII in its target', get('/v1/p\xc3\xa4ts'), '400 malformed_request'],
    ['for CONNECT', `CONNECT evil:443 HTTP/1.1\r\n${host}\r\n`, '405 method_not_allowed'],
    [
      'for CONNECT with half a body',
      `CONNECT a:1 HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\nab`,
      '405 method_not_allowed',
    ],
  ],
  'a size': [
    ['of 30,000 bytes of one header', get('/livez', `X: ${times(30_000, 'a')}\r\n`), '431 headers_too_large'],
    ['of 20,000 bytes of one header', get('/livez', `X: ${times(20_000, 'a')}\r\n`), '431 headers_too_large'],
    ['of 17 KiB in small headers', get('/livez', times(850, 'X-Small: 0123456789\r\n')), '431 headers_too_large'],
    [
      'of 23 KiB in small headers',
      drip(get('/livez', times(950, 'X-Small: 012345678901234\r\n'))),
      '431 headers_too_large',
    ],
    [
      'of 40 KiB in small headers',
      get('/livez', times(900, `X-Small: ${times(34, 'a')}\r\n`)),
      '431 headers_too_large',
    ],
    [
      'of 40 KiB in dripping headers',
      drip(get('/livez', times(900, `X: a ${times(34, 'a')}\r\n`))),
      '431 headers_too_large',
    ],
    ['of 5,000 headers', get('/livez', times(5000, 'a:\r\n')), '431 headers_too_large'],
    ['of 16,385 bytes of headers', get('/livez', `X: ${times(16_385 - 16 - 5, 'a')}\r\n`), '431 headers_too_large'],
    [
      'of 30,000 bytes of trailers',
      post(chunked, `1d\r\n${rex}\r\n0\r\nX: ${times(30_000, 'a')}\r\n\r\n`),
      '431 headers_too_large',
    ],
    ...[8193, 20_000, 100_000].flatMap((bytes): Case[] => [
      [`of ${bytes} bytes of target`, get(`/${times(bytes - 1, 'a')}`), '414 uri_too_long'],
      [`of ${bytes} bytes of target, dripping`, drip(get(`/${times(bytes - 1, 'a')}`)), '414 uri_too_long'],
    ]),
    ['of a long target behind a good request', live + get(`/${times(30_000, 'a')}`), '200', '414 uri_too_long'],
    ['of 16,385 bytes of body', post('Content-Length: 16385\r\n'), '413 body_too_large'],
    ['of 2^53 + 1 bytes of body', post('Content-Length: 9007199254740993\r\n'), '413 body_too_large'],
    ['of 16,385 bytes in chunks', post(chunked, `4001\r\n${times(16_385, ' ')}\r\n`), '413 body_too_large'],
  ],
  'a body': [
    ['with a chunk size that is no number', post(chunked, 'zz\r\nhello\r\n0\r\n\r\n'), '400 malformed_request'],
    ['with a negative chunk size', post(chunked, '-5\r\nhello\r\n0\r\n\r\n'), '400 malformed_request'],
    ['with a chunk size above 2^64', post(chunked, `${times(17, 'f')}\r\nhello`), '400 malformed_request'],
    ['with a chunk longer than its size', post(chunked, '5\r\nhelloXX\r\n0\r\n\r\n'), '400 malformed_request'],
    ['with a bare LF behind a chunk size', post(chunked, `1d\n${rex}\r\n0\r\n\r\n`), '400 malformed_request'],
    [
      'with 20,000 bytes of chunk extension',
      post(chunked, `1d;${times(20_000, 'x')}\r\n${rex}\r\n0\r\n\r\n`),
      '400 malformed_request',
    ],
    [
      'with Content-Length among its trailers',
      post(chunked, `1d\r\n${rex}\r\n0\r\nContent-Length: 5\r\n\r\n`),
      '400 malformed_request',
    ],
    ['with both lengths', post(`Content-Length: 5\r\n${chunked}`, canary), '400 malformed_request'],
    [
      'with both lengths, the other way round',
      post(`${chunked}Content-Length: 5\r\n`, canary),
      '400 malformed_request',
    ],
    ['in gzip transfer coding', post('Transfer-Encoding: gzip\r\n', 'hello'), '400 malformed_request'],
    ['in gzip and chunked transfer coding', inChunks('Transfer-Encoding: gzip, chunked\r\n'), '400 malformed_request'],
    ['in chunked and gzip transfer coding', inChunks('Transfer-Encoding: chunked, gzip\r\n'), '400 malformed_request'],
    ['that is chunked twice', inChunks(chunked + chunked), '400 malformed_request'],
    ['in identity transfer coding', post('Transfer-Encoding: identity\r\n', rex), '400 malformed_request'],
    ['in an unknown transfer coding', inChunks('Transfer-Encoding: xchunked\r\n'), '400 malformed_request'],
    ['in chunks under HTTP/1.0', inChunks(chunked).replace('HTTP/1.1', 'HTTP/1.0'), '400 malformed_request'],
    ['with a space before the colon', inChunks('Transfer-Encoding : chunked\r\n'), '400 malformed_request'],
    ['with a folded transfer coding', inChunks('Transfer-Encoding:\r\n chunked\r\n'), '400 malformed_request'],
    ['with two lengths that differ', post('Content-Length: 29\r\nContent-Length: 5\r\n', rex), '400 malformed_request'],
    ['with the same length twice', post('Content-Length: 29\r\nContent-Length: 29\r\n', rex), '400 malformed_request'],
    ...['-1', '+29', '0x1d', '2 9', '29, 29', '', '99999999999999999999999'].map((length): Case => [
      `of length '${length}'`,
      post(`Content-Length: ${length}\r\n`, rex),
      '400 malformed_request',
    ]),
    ['longer than its length', post('Content-Length: 29\r\n', `${rex}excess\r\n\r\n`), '201', '400 malformed_request'],
  ],
  'a header': [
    ['that is folded', get('/livez', 'X: a\r\n b\r\n'), '400 malformed_request'],
    ['that begins with a space', `GET /livez HTTP/1.1\r\n ${host}\r\n`, '400 malformed_request'],
    ['that ends in a bare LF', get('/livez', 'X: a\nY: b\r\n'), '400 malformed_request'],
    ['like all others ends in a bare LF', live.replaceAll('\r', ''), '400 malformed_request'],
    ['with a bare CR', get('/livez', 'X: a\rY: b\r\n'), '400 malformed_request'],
    ['with NUL in its value', get('/livez', 'X: a\0b\r\n'), '400 malformed_request'],
    ['with NUL in its name', get('/livez', 'X\0: a\r\n'), '400 malformed_request'],
    ['with ESC in its value', get('/livez', 'X: \x1b[31m\r\n'), '400 malformed_request'],
    ['without colon', get('/livez', 'nonsense\r\n'), '400 malformed_request'],
    ['without name', get('/livez', ': x\r\n'), '400 malformed_request'],
    ['with a space in its name', get('/livez', 'X Y: x\r\n'), '400 malformed_request'],
    ['Host with a space before its colon', 'GET /livez HTTP/1.1\r\nHost : a\r\n\r\n', '400 malformed_request'],
    ['Expect that asks for nonsense', post('Expect: nonsense\r\nContent-Length: 29\r\n'), '417 expectation_failed'],
    [
      'Expect that asks for more than 100',
      post('Expect: 100-continue, x\r\nContent-Length: 29\r\n'),
      '417 expectation_failed',
    ],
    [
      'Expect with a bad key',
      post('Expect: 100-continue\r\nContent-Length: 29\r\n').replace(north.key, 'x'),
      '401 invalid_api_key',
    ],
    ['Expect with too large a body', post('Expect: 100-continue\r\nContent-Length: 16385\r\n'), '413 body_too_large'],
    [
      'Expect with a body of another type',
      post('Expect: 100-continue\r\nContent-Length: 29\r\n').replace(json, ''),
      '415 unsupported_media_type',
    ],
    ['Connection that says close', get('/livez', 'Connection: close\r\n') + live, '200'],
    [
      'Upgrade to websocket',
      get('/livez', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'),
      '200',
    ],
    [
      'Upgrade to h2c',
      get('/livez', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n'),
      '200',
    ],
  ],
  'a pipeline of requests': [
    ['that ends in junk', `${list}${live}\x01\x02junk\r\n\r\n`, '200', '200', '400 malformed_request'],
    ['that ends in junk of a later packet', [list + live, 'junk\r\n\r\n'], '200', '200', '400 malformed_request'],
    ['that ends in an unknown method', `${list}BREW / HTTP/1.1\r\n${host}\r\n`, '200', '501 method_not_implemented'],
    ['that ends in CONNECT', `${list}CONNECT evil:443 HTTP/1.1\r\n${host}\r\n`, '200', '405 method_not_allowed'],
    ['that ends in a bad chunk', `${list}${post(chunked, 'zz\r\n')}`, '200', '400 malformed_request'],
    ['that ends in an expectation', `${list}${get('/livez', 'Expect: x\r\n')}`, '200', '417 expectation_failed'],
  ],
  'HTTP/1.0': [
    ['without Host', 'GET /livez HTTP/1.0\r\n\r\n', '200'],
    ['with a key', `GET /v1/pets HTTP/1.0\r\n${key}\r\n`, '200'],
    ['with two Hosts', `GET /livez HTTP/1.0\r\n${host}Host: b\r\n\r\n`, '400 malformed_request'],
    [
      'with an expectation, which it has not',
      post('Expect: 100-continue\r\nContent-Length: 29\r\n', rex).replace('HTTP/1.1', 'HTTP/1.0'),
      '201',
    ],
  ],
}

/** After the last of these responses the connection accepts the next request. */
const staying: Record<string, Case[]> = {
  Host: [
    ['that is missing', 'GET /livez HTTP/1.1\r\n\r\n', '400 malformed_request'],
    ['that is there twice', get('/livez', 'Host: b\r\n'), '400 malformed_request'],
    ['that is there twice, the same', get('/livez', host), '400 malformed_request'],
    ['that names no host', 'GET /livez HTTP/1.1\r\nHost: a b/c\r\n\r\n', '400 malformed_request'],
    ['of an IPv6 address with a port', 'GET /livez HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n', '200'],
    ['that is empty', 'GET /livez HTTP/1.1\r\nHost:\r\n\r\n', '200'],
  ],
  'a size': [
    ['of 8,192 bytes of target', get(`/livez?${times(8192 - 7, 'a')}`), '200'],
    [
      'of target and headers at their limits',
      get(`/livez?${times(8192 - 7, 'a')}`, `X: ${times(16_384 - 16 - 5, 'a')}\r\n`),
      '200',
    ],
    ['of 16,384 bytes of body', post('Content-Length: 16384\r\n', rex.padEnd(16_384)), '201'],
    ['of 16,384 bytes in chunks', post(chunked, `4000\r\n${rex.padEnd(16_384)}\r\n0\r\n\r\n`), '201'],
  ],
  'a body': [
    ['in chunks', inChunks(chunked), '201'],
    ['in Chunks', inChunks('Transfer-Encoding: Chunked\r\n'), '201'],
    [
      'in chunks of one byte in packets of one byte',
      drip(post(chunked, `${rex.replaceAll(/./g, '1\r\n$&\r\n')}0\r\n\r\n`), 1),
      '201',
    ],
    ['with a small chunk extension', post(chunked, `1d;a=b\r\n${rex}\r\n0\r\n\r\n`), '201'],
    ['with a length that begins with zeros', post('Content-Length: 0029\r\n', rex), '201'],
    ['of a GET, unread', get('/v1/pets', `${key}${chunked}`) + '5\r\nhello\r\n0\r\n\r\n', '200'],
    [
      'of a refused request, unread',
      `POST /nowhere HTTP/1.1\r\n${host}Content-Length: 29\r\n\r\n${rex}`,
      '404 not_found',
    ],
    [
      'that is a gzip bomb',
      [post('Content-Encoding: gzip\r\nContent-Length: 9000\r\n'), bomb()],
      '415 unsupported_media_type',
    ],
    ['asked for with 100', [post('Expect: 100-continue\r\nContent-Length: 29\r\n'), rex], '100', '201'],
    ['asked for with 100 in capitals', [post('Expect: 100-Continue\r\nContent-Length: 29\r\n'), rex], '100', '201'],
  ],
  'a target': [
    ['with an encoded line end', get('/v1/pets/%0d%0aSet-Cookie:%20a=b', key), '404 not_found'],
    [
      'with an encoded line end in its query',
      get('/v1/pets?limit=%0d%0aSet-Cookie:%20a=b', key),
      '400 invalid_parameter',
    ],
    ['with encoded NUL', get('/v1/pets/%00', key), '404 not_found'],
    ['that cannot be decoded', get('/v1/pets/%zz', key), '404 not_found'],
    ['that cannot be decoded, without key', get('/v1/pets/%zz'), '401 missing_api_key'],
    ['that cannot be decoded, without Host', 'GET /v1/pets/%zz HTTP/1.1\r\n\r\n', '400 malformed_request'],
    ['in absolute form', get('http://evil/v1/pets', key), '200'],
    ['in absolute form, without key', get('http://evil/v1/pets'), '401 missing_api_key'],
    ['in absolute form of another scheme', get('ftp://evil/v1/pets', key), '404 not_found'],
    ['in absolute form without path', get('http://evil'), '404 not_found'],
    ['in absolute form for OPTIONS', `OPTIONS http://evil/v1/pets HTTP/1.1\r\n${host}\r\n`, '204'],
    ['of a star for OPTIONS', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, '404 not_found'],
    ['of a star for GET', get('*'), '404 not_found'],
    ['with two slashes', get('//v1/pets', key), '404 not_found'],
    ['behind two empty lines', `\r\n\r\n${live}`, '200'],
  ],
  'a header': [
    ['Connection that names Authorization', get('/v1/pets', `${key}Connection: Authorization\r\n`), '200'],
    ['with bytes above ASCII', get('/livez', 'X: \xff\xfe\r\n'), '200'],
    ['X-Method-Override', get('/v1/pets', `${key}X-HTTP-Method-Override: DELETE\r\n`), '200'],
    ['X-Original-URL', get('/livez', 'X-Original-URL: /v1/pets?canary\r\nX-Rewrite-URL: /v1/pets?canary\r\n'), '200'],
    [
      'Request-Id of the client, which is not taken',
      get('/livez', 'Request-Id: mine\r\nX-Request-Id: mine\r\n'),
      '200',
    ],
  ],
  'a method': [
    ['TRACE', `TRACE /v1/pets HTTP/1.1\r\n${host}${key}\r\n`, '405 method_not_allowed'],
    ['QUERY', `QUERY /v1/pets HTTP/1.1\r\n${host}${key}\r\n`, '405 method_not_allowed'],
    ['PURGE', `PURGE /v1/pets HTTP/1.1\r\n${host}\r\n`, '401 missing_api_key'],
  ],
  'a pipeline of requests': [
    [
      'of different speed, in order',
      list + live + get('/v1/pets/0', key) + get('/nowhere'),
      '200',
      '200',
      '404 not_found',
      '404 not_found',
    ],
    ['byte by byte', drip(live + get('/nowhere'), 1), '200', '404 not_found'],
    ['a hundred long', times(100, live), ...Array<string>(100).fill('200')],
  ],
}

const titled = (groups: Record<string, Case[]>) =>
  Object.entries(groups).flatMap(([group, cases]) =>
    cases.map(([what, sent, ...answers]) => {
      const title = `${group} ${what} gets ${answers.length > 5 ? `${answers.length} answers` : answers.join(', then ')}`
      return { title, sent: typeof sent === 'string' ? [sent] : sent, answers }
    }),
  )

describe('the connection ends:', () => {
  for (const { title, sent, answers } of titled(ending)) {
    test(title, () =>
      converse(sent, answers, async (connection) => expect(await connection.answersToEnd()).toEqual([])),
    )
  }
})

describe('the connection stays open:', () => {
  for (const { title, sent, answers } of titled(staying)) {
    test(title, () => converse(sent, [...answers, '200'], undefined, live))
  }
})

test('the table has at least sixty distinct cases', () => {
  const titles = [...titled(ending), ...titled(staying)].map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles.length).toBeGreaterThan(60)
})

describe('a client that', () => {
  test('closes its side after the request still gets the response', async () => {
    const connection = await RawConnection.open(server)
    await connection.send(list)
    connection.halfClose()
    expect((await connection.answersToEnd()).map(({ status }) => status)).toEqual([200])
  })

  test('closes its side within a body, or within its chunks, gets a refusal', async () => {
    for (const begun of [post('Content-Length: 29\r\n', '{"name"'), post(chunked, `1d\r\n${rex}\r\n`)]) {
      const connection = await RawConnection.open(server)
      await connection.send(begun)
      connection.halfClose()
      const [answer, ...more] = await connection.answersToEnd()
      expect(answer && faultsOf(answer, 400, 'malformed_request')).toEqual([])
      expect(more).toEqual([])
    }
  })

  test('disconnects within a body leaves one log line and nothing else', async () => {
    const before = await stored()
    const marks = logs.length
    const connection = await RawConnection.open(server)
    await connection.send(post('Content-Length: 29\r\n', '{"name":"canary"'))
    connection.destroy()
    await expect.poll(() => logs.length).toBe(marks + 1)
    expect(logs[marks]).toContain('"method":"POST"')
    expect(await stored()).toBe(before)
  })

  test('resets the connection right after CONNECT, or within anything, affects no other client', async () => {
    const began = `CONNECT evil:443 HTTP/1.1\r\n${host}\r\n`
    for (const begun of [
      began,
      began.replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\nab'),
      list + began,
      list,
      head,
    ]) {
      for (let round = 0; round < 5; round++) {
        const connection = await RawConnection.open(server)
        connection.write(Buffer.from(begun))
        connection.reset()
        expect((await north.get('/v1/pets')).status).toBe(200)
      }
    }
  })

  test('keeps sending gets the refusal of a too large body, and is cut off soon after', async () => {
    const bodies = [post('Content-Length: 10000000000\r\n'), post(chunked)]
    for (const begun of bodies) {
      const connection = await RawConnection.open(server)
      await connection.send(begun)
      const piece = Buffer.from(begun.includes(chunked) ? `10000\r\n${times(65_536, 'x')}\r\n` : times(65_536, 'x'))
      const flood = connection.flood(piece)
      const answer = await connection.answer()
      expect(answer && faultsOf(answer, 413, 'body_too_large')).toEqual([])
      expect(answer && headerOf(answer, 'Connection')).toBe('close')
      expect(await connection.answersToEnd()).toEqual([])
      await flood
    }
  })

  test('sends four megabytes before it reads gets the refusal of a too large body', async () => {
    const megabytes = Buffer.alloc(4_000_000, ' ')
    for (const begun of [post(`Content-Length: ${megabytes.length}\r\n`), post(chunked, '3d0900\r\n')]) {
      const connection = await RawConnection.open(server)
      await connection.send(begun)
      await connection.sendBlindly(megabytes)
      const answer = await connection.answer()
      expect(answer && faultsOf(answer, 413, 'body_too_large')).toEqual([])
      connection.destroy()
    }
  })

  test('keeps sending after invalid bytes gets a refusal, and is cut off soon after', async () => {
    const connection = await RawConnection.open(server)
    await connection.send('nonsense\r\n\r\n')
    const flood = connection.flood(Buffer.from(list))
    const answer = await connection.answer()
    expect(answer && faultsOf(answer, 400, 'malformed_request')).toEqual([])
    await flood
  })

  test('sends a bad chunk after its request was answered gets no second response', async () => {
    const connection = await RawConnection.open(server)
    await connection.send(`POST /v1/pets HTTP/1.1\r\n${host}${chunked}\r\n`)
    expect((await connection.answer())?.status).toBe(401)
    await connection.send('zz\r\n')
    expect(await connection.answersToEnd()).toEqual([])
  })
})

describe('no request is smuggled', () => {
  const codings = [
    'Transfer-Encoding: chunked',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\tchunked',
    'transfer-encoding:chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: identity, chunked',
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: \x0bchunked',
    'Transfer-Encoding: chunked;a=b',
    'Transfer-Encoding: chun ked',
    'Transfer-Encoding:\r\n chunked',
    'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
    'X: y\rTransfer-Encoding: chunked',
    'X: y\nTransfer-Encoding: chunked',
    'Transfer-Encoding\n: chunked',
    ' Transfer-Encoding: chunked',
    'Transfer_Encoding: chunked',
    'X-Transfer-Encoding: chunked',
    'Transfer-Encoding;: chunked',
    'Transfer-Encoding: chunked\0',
    'TE: chunked',
    'Transfer-Encoding: cow\r\nTrailer: x',
  ]
  const lengthOf = (bytes: number) => [
    `Content-Length: ${bytes}`,
    `content-length:${bytes} `,
    `Content-Length: ${bytes}\r\nX: y`,
  ]
  const versions = ['HTTP/1.1', 'HTTP/1.0']
  const variants = versions.flatMap((version) =>
    codings.flatMap((coding) =>
      lengthOf(Buffer.byteLength(canary)).flatMap((length) =>
        [`${coding}\r\n${length}\r\n`, `${length}\r\n${coding}\r\n`].map((headers) =>
          post(headers, canary).replace('HTTP/1.1', version),
        ),
      ),
    ),
  )

  test(`by any of ${variants.length} pairs of lengths: each connection has one response for each request`, async () => {
    for (const variant of variants) {
      const connection = await RawConnection.open(server)
      const marks = logs.length
      await connection.send(variant)
      const first = await connection.answer()
      // If the connection stays open, what comes next is the response to the next request and to nothing else.
      await connection.send(get('/nowhere', 'Connection: close\r\n'))
      const answers = [first, ...(await connection.answersToEnd())].map((answer) => answer?.status)
      connection.destroy()
      expect.soft([[400], [400, 404]], variant).toContainEqual(answers)
      await expect.poll(() => logs.length, { message: variant }).toBe(marks + answers.length)
    }
    expect(targets.filter((target) => target.includes('canary'))).toEqual([])
  })
})

describe('the checker of this file', () => {
  const good: RawAnswer = {
    status: 404,
    headers: Object.entries({
      Date: 'Sun, 15 Nov 2026 00:00:00 GMT',
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      'Strict-Transport-Security': 'max-age=31536000',
      'Cache-Control': 'no-store',
      'Request-Id': '01a1dca6-f13f-78b7-927e-947fb4bcbd44',
    }),
    body: '{"code":"not_found","message":"The requested resource could not be found.","status":404}',
  }
  const without = (name: string) => good.headers.filter(([other]) => other !== name)

  test('finds no fault in correct responses', () => expect(faultsOf(good, 404, 'not_found')).toEqual([]))

  test.each<[what: string, answer: RawAnswer]>([
    ['HTML', { ...good, body: '<h1>Not Found</h1>' }],
    ['another status in the body', { ...good, body: good.body.replace('404', '400') }],
    ['another status of the answer', { ...good, status: 400 }],
    ['another code', { ...good, body: good.body.replace('not_found', 'gone') }],
    ['a fourth field', { ...good, body: good.body.replace('{', '{"more":1,') }],
    ['an empty body', { ...good, body: '' }],
    [
      'a charset',
      { ...good, headers: [...without('Content-Type'), ['Content-Type', 'application/json; charset=utf-8']] },
    ],
    ['two Request-Ids', { ...good, headers: [...good.headers, ...good.headers.slice(-1)] }],
    ...good.headers.map(([name]): [string, RawAnswer] => [`no ${name}`, { ...good, headers: without(name) }]),
  ])('reports %s (negative control)', (_, answer) => expect(faultsOf(answer, 404, 'not_found')).not.toEqual([]))
})

/** Sends and compares: the responses, other output, the log, what is stored, and whether the server still serves. */
async function converse(
  sent: readonly (string | Uint8Array)[],
  wanted: readonly string[],
  afterwards?: (connection: RawConnection) => Promise<void>,
  next?: string,
): Promise<void> {
  const before = await stored()
  const marks = logs.length
  const connection = await RawConnection.open(server)
  await connection.send(...sent)
  const answers: RawAnswer[] = []
  for (const [index, want] of wanted.entries()) {
    if (next !== undefined && index === wanted.length - 1) await connection.send(next)
    const answer = await connection.answer()
    if (!answer) throw new Error(`The connection ended where ${want} was to come.`)
    const [status, code] = want.split(' ')
    if (code === undefined) expect([answer.status, answer.body]).toEqual([Number(status), answer.body])
    else expect(faultsOf(answer, Number(status), code)).toEqual([])
    expect(headerOf(answer, 'Set-Cookie')).toBeUndefined()
    if (answer.status >= 200) answers.push(answer)
  }
  await afterwards?.(connection)
  expect(connection.unread).toBe(0)
  connection.destroy()

  // One request, one line; and the line can be found by the Request-Id of the response.
  await expect.poll(() => logs.length).toBe(marks + answers.length)
  const lines = logs.slice(marks).map((line) => JSON.parse(line) as { requestId: string; status: number })
  const shown = lines.map(({ requestId, status }) => `${requestId} ${status}`)
  expect(shown.toSorted()).toEqual(answers.map((one) => `${headerOf(one, 'Request-Id')} ${one.status}`).toSorted())

  expect(targets.filter((target) => target.includes('canary'))).toEqual([])
  expect(await stored()).toBe(before + answers.filter(({ status }) => status === 201).length)
}

/** The number of animals, requested on a connection of its own: so the server serves, whatever came before. */
async function stored(): Promise<number> {
  const marks = logs.length
  let count = 0
  let requests = 0
  for (let path: string | undefined = '/v1/pets?limit=100'; path !== undefined; requests++) {
    const page = await north.get(path)
    expect(page.status).toBe(200)
    count += (page.json as unknown[]).length
    path = /<https:\/\/[^/]+([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
  }
  await expect.poll(() => logs.length).toBe(marks + requests)
  return count
}

/** The beginning of ten megabytes of zeros. */
function bomb(): Uint8Array {
  return gzipSync(Buffer.alloc(10_000_000)).subarray(0, 9000)
}
