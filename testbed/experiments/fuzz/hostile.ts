// Unpredictable requests: a valid one with one to three malicious or careless changes. Whatever
// the response is, it must match the contract.

import { METHODS } from 'node:http'
import fc from 'fast-check'
import { bodyOf, withHeader, type RequestDraft } from './draft.ts'

export type Change = (draft: RequestDraft) => RequestDraft

const latin1 = (min: number, max: number, maxLength: number) =>
  fc.string({ unit: fc.integer({ min, max }).map((code) => String.fromCharCode(code)), maxLength })

const methods = [...METHODS, 'FOO', 'get', 'Post', 'PRI', '', 'G\x00T', 'GÉT', 'GET,POST', 'A'.repeat(300)]

const paths = [
  '*',
  '',
  'v1/pets',
  '/v1/pets/%',
  '/v1/pets/%0',
  '/v1/pets/%00',
  '/v1/pets/1%00',
  '/v1/pets/1%0d%0aX: y',
  '/v1/pets/%31',
  '/v1/pets/%2e%2e',
  '/v1/pets/..%2f..%2fetc%2fpasswd',
  '/v1/pets/1%252f',
  "/v1/pets/1'--",
  '/v1/pets/1;drop%20table%20pets',
  '/v1/pets/%f0%9f%a6%9c',
  '/v1/pets/%ff%fe',
  '/v1/pets/%u0031',
  '/v1/pets/9223372036854775808',
  '/v1/pets/-9223372036854775809',
  '/v1/pets/1e999999999',
  `/v1/pets/${'9'.repeat(4000)}`,
  `/v1/pets/${'%25'.repeat(2000)}`,
  `/v1/${'a/'.repeat(2000)}`,
  '/v1/pets/\xe9',
  '/v1/pets\\1',
  '/v1/pets/{petId}',
  '/v1/pets/__proto__',
  '/v1/pets#limit=1',
  'http://127.0.0.1/v1/pets',
  'HTTP://evil.example/v1/pets',
  'http://user:password@evil.example/v1/pets',
  'http://evil.example',
  'ftp://evil.example/v1/pets',
  '//evil.example/v1/pets',
  '/V1/PETS',
  '/v1/store/orders%20',
  '/v1/store/../pets',
  '/v1/store/orders?limit=1?limit=2',
  '/v1/pets?limit=1#status=sold',
  '/v1/pets ?limit=1',
]

const values: Record<string, readonly string[]> = {
  Accept: [
    '*',
    '*/json',
    'application/json;q=1.5',
    'application/json;;;',
    ';q=0',
    'a/b;c="',
    '\x80',
    'application/json'.repeat(200),
  ],
  'Content-Type': [
    'application/json;',
    'application/json; charset=utf-8; charset=utf-16',
    'a/b',
    'application/json\x00',
    '\t',
  ],
  'Idempotency-Key': [
    '',
    '"',
    '""',
    '"a',
    'a b',
    '\\',
    'é',
    'a'.repeat(255),
    'a'.repeat(256),
    `"${'a'.repeat(255)}"`,
    '%00',
  ],
  'If-None-Match': ['', '*', 'W/"', 'W/', '"a", *', '"'.repeat(999), ','.repeat(2000), '\xff', 'W/"x'.repeat(500)],
  Authorization: [
    'Bearer',
    'bearer',
    'Bearer\x00',
    'Bearer \x80',
    'Negotiate',
    'Bearer a b',
    'Bearer '.repeat(100),
    'Digest username="x"',
  ],
  Expect: ['100-continue', '100-Continue', '100-continue, 200', ''],
  'Content-Encoding': ['', ',', 'identity, identity', 'IDENTITY', 'x-gzip'],
  'Transfer-Encoding': ['gzip', 'identity', 'chunked, identity', 'xchunked'],
  Connection: ['close', 'keep-alive', 'upgrade', 'close, keep-alive', 'TE', ''],
  Upgrade: ['h2c', 'websocket', ''],
  Host: ['', 'evil.example', '127.0.0.1:99999', 'a,b', '\x00'],
  Origin: ['null', 'https://evil.example', ''],
  'X-Forwarded-For': ['', '::1', 'a'.repeat(500)],
  'Petstore-Now': ['2030-12-05T00:00:00Z', 'nonsense', ''],
  traceparent: ['', '00-0-0-0', 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  Cookie: ['', 'a'.repeat(4000)],
  'X Y': ['1'],
  '': ['1'],
  ['__proto__']: ['1'],
}

const bodies = [
  '',
  'null',
  '{}',
  '[]',
  '{"name":"a","categoryId":1,"__proto__":{"status":"sold"}}',
  '{"name":"a","categoryId":1,"constructor":{"prototype":{}}}',
  '{"name":"\\ud83e","categoryId":1}',
  '{"name":"\\udc00\\ud800","categoryId":1}',
  `{"name":"a","categoryId":${'9'.repeat(4000)}}`,
  `{"name":"a","categoryId":1e${'9'.repeat(4000)}}`,
  `{"name":"a","categoryId":0.${'0'.repeat(9000)}1}`,
  `{"name":"${'🦜'.repeat(255)}","categoryId":1}`,
  `{"name":"${'🦜'.repeat(256)}","categoryId":1}`,
  `{${'"a":1,'.repeat(2000)}"b":1}`,
  '{"a":'.repeat(3000),
  '"\\u0000"',
  '\x00',
]

const header = fc.constantFrom(...Object.keys(values)).chain((name) =>
  fc.constantFrom(...(values[name] ?? [''])).map(
    (value): Change =>
      (draft) =>
        withHeader(draft, name, value),
  ),
)

const randomHeader = fc
  .tuple(fc.constantFrom(...Object.keys(values), 'X-Any'), latin1(0x01, 0xff, 30))
  .filter(([name, value]) => name !== 'Transfer-Encoding' && !/[\r\n]/.test(value))
  .map(([name, value]): Change => (draft) => ({ ...draft, headers: [...draft.headers, [name, value]] }))

const randomQuery = fc
  .array(fc.tuple(latin1(0x22, 0x7e, 8), latin1(0x22, 0x7e, 8)), { minLength: 1, maxLength: 5 })
  .map((query): Change => (draft) => ({ ...draft, query: [...draft.query, ...query] }))

/** The bytes of the body with one of them changed, left out or doubled, or the rest cut off. */
const bentBody = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 3 }))
  .map(([where, byte, how]): Change => (draft) => {
    const bytes = bodyOf(draft) ?? Buffer.from('{"name":"a","categoryId":1}')
    const at = Math.floor(where * bytes.length)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)]
    const middle = [Buffer.from([byte]), Buffer.alloc(0), bytes.subarray(at, at + 2)][how]
    return { ...draft, body: middle ? Buffer.concat([before, middle, after]) : before }
  })

const anyBody = fc
  .oneof(
    fc.constantFrom(...bodies).map((text) => Buffer.from(text)),
    fc.json({ maxDepth: 3, stringUnit: 'binary' }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((body): Change => (draft) => ({ ...draft, body }))

const changesBelow = (prefix: string, paths: readonly string[]): fc.Arbitrary<Change> =>
  fc.oneof(
    fc.constantFrom(...methods).map((method): Change => (draft) => ({ ...draft, method })),
    fc.constantFrom(...paths).map((path): Change => (draft) => ({ ...draft, path })),
    latin1(0x21, 0xff, 20).map((text): Change => (draft) => ({ ...draft, path: `${draft.path}${text}` })),
    latin1(0x21, 0x7e, 20).map((text): Change => (draft) => ({ ...draft, path: `${prefix}/${text}` })),
    header,
    randomHeader,
    randomQuery,
    bentBody,
    anyBody,
  )

const changes = changesBelow('/v1', paths)

/** The same changes, aimed at another API. */
export const hostileBelow = (prefix: string): fc.Arbitrary<Change[]> =>
  fc.array(
    changesBelow(
      prefix,
      paths.map((path) => path.replaceAll('/v1/pets', `${prefix}/projects`)),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )

export const hostile = (drafts: fc.Arbitrary<RequestDraft>): fc.Arbitrary<RequestDraft> =>
  fc
    .tuple(drafts, fc.array(changes, { minLength: 1, maxLength: 3 }))
    .map(([draft, list]) => list.reduce<RequestDraft>((one, alter) => alter(one), draft))
