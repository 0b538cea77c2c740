// Bodies and values: the fields of a NewPet, their syntax, and the refusal of a wrong one.
// Integers have a file of their own: int64.test.ts.

import { describe, expect, test } from 'vitest'
import { asProject, errorOf, expectRefusal, newTenant, petOf, petsOf, rawExchange } from './responses.ts'
import { startTestService } from '../../../testbed/harness/service.ts'

const service = await startTestService()
const { north } = service

const rex = '{"name":"Rex","categoryId":1}'
const named = (name: string) => `{"name":${name},"categoryId":1}`
const create = (body: string | Uint8Array, headers?: Record<string, string>) => north.post('/v1/pets', body, headers)

describe('an unknown body field', () => {
  test.each([
    ['a mistyped status', '{"name":"Rex","categoryId":1,"stauts":"sold"}', 'stauts'],
    ['id', '{"id":5,"name":"Rex","categoryId":1}', 'id'],
    ['__proto__', '{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"}}', '__proto__'],
    ['constructor', '{"name":"Rex","categoryId":1,"constructor":{"prototype":{}}}', 'constructor'],
    ['a field of another case', '{"Name":"Rex","categoryId":1}', 'Name'],
    ['a field without a name', '{"":1,"name":"Rex","categoryId":1}', ''],
    ['an unknown field besides missing ones, reported first,', '{"nam":"Rex"}', 'nam'],
  ])('%s is refused', async (_, body, field) => {
    const message = `Unknown field '${field}'. Known: name, categoryId, status.`
    expectRefusal(await create(body), 400, 'unknown_field', message)
  })

  test('creates nothing', async () => {
    const tenant = await newTenant(service)
    await tenant.post('/v1/pets', '{"name":"Rex","categoryId":1,"stauts":"sold"}')
    expect((await tenant.get('/v1/pets')).text).toBe('[]')
  })
})

describe('the schema', () => {
  test('requests are closed, responses open: a NewPet accepts no other fields, a Pet may gain some', async () => {
    const { json } = await service.send({ path: '/v1/openapi.json' })
    const { schemas } = (json as { components: { schemas: Record<string, object> } }).components
    expect(schemas['NewPet']).toMatchObject({ additionalProperties: false })
    expect(schemas['Pet']).not.toHaveProperty('additionalProperties')
    expect(schemas['Pet']).not.toHaveProperty('unevaluatedProperties')
    expect(schemas['Pet']).not.toHaveProperty('allOf')
  })
})

describe('a missing field', () => {
  test.each([
    ['{}', 'name, categoryId'],
    ['{"status":"sold"}', 'name, categoryId'],
    ['{"name":"Rex"}', 'categoryId'],
    ['{"categoryId":1}', 'name'],
  ])('%s is missing %s', async (body, fields) => {
    expectRefusal(await create(body), 400, 'missing_field', `Body is missing required field(s): ${fields}.`)
  })

  test.each(['[]', '[{"name":"Rex","categoryId":1}]', '5', '"Rex"', 'null', 'true'])(
    'a body that is no object is an invalid value: %s',
    async (body) => {
      expectRefusal(await create(body), 400, 'invalid_field', 'Body must be a JSON object.')
    },
  )
})

describe('status', () => {
  test('absent it is available, and always written in responses', async () => {
    const { text } = await create(rex)
    expect(text).toMatch(/^\{"id":\d+,"name":"Rex","categoryId":1,"status":"available"\}$/)
    expect((await north.get('/v1/pets?limit=1')).text).toBe(`[${text}]`)
    expect((await north.get(`/v1/pets/${JSON.parse(text).id}`)).text).toBe(text)
  })

  test.each(['null', '""', '"Available"', '"lost"', '1', 'true', '["sold"]', '{}'])('%s is refused', async (status) => {
    const body = `{"name":"Rex","categoryId":1,"status":${status}}`
    expectRefusal(await create(body), 400, 'invalid_field', "'status' must be one of available, pending, sold.")
  })
})

describe('name', () => {
  test.each([
    ['1 character', '"x"', 'x'],
    ['255 code points', JSON.stringify('x'.repeat(255)), 'x'.repeat(255)],
    ['255 code points beyond the basic plane', JSON.stringify('😀'.repeat(255)), '😀'.repeat(255)],
    ['white space around it', '"  Rex "', '  Rex '],
    ['letters of a script from right to left', '"ריקס"', 'ריקס'],
    ['a letter and its mark apart: no normalisation', '"e\\u0301"', 'e\u0301'],
    ['the same letter in one piece', '"é"', 'é'],
    ['U+0080 to U+009F', '"\\u0080\\u009f"', '\u0080\u009f'],
    ['U+FEFF within', '"a\\ufeff"', 'a\ufeff'],
    ['U+2028, U+FFFF and a quote', '"\\u2028\\uffff\\""', '\u2028\uffff"'],
    ['an escaped pair of surrogates', '"\\ud83d\\ude00"', '😀'],
    ['markup', '"<b>&amp;</b>"', '<b>&amp;</b>'],
  ])('%s is stored and returned unchanged', async (_, json, name) => {
    const added = await create(named(json))
    expect(added.status).toBe(201)
    expect(petOf(added).name).toBe(name)
    expect(petOf(await north.get(`/v1/pets/${petOf(added).id}`)).name).toBe(name)
  })

  test.each([
    ['empty', '""'],
    ['256 code points', JSON.stringify('x'.repeat(256))],
    ['256 code points beyond the basic plane', JSON.stringify('😀'.repeat(256))],
    ['a space', '" "'],
    ['only white space', '" \\u00a0\\u2003\\u3000"'],
    ['NUL', '"a\\u0000"'],
    ['U+001F', '"a\\u001f"'],
    ['a line end', '"a\\nb"'],
    ['a tab', '"a\\tb"'],
    ['U+007F', '"a\\u007f"'],
    ['a lone high surrogate', '"a\\ud83d"'],
    ['a lone low surrogate', '"\\ude00a"'],
    ['surrogates in the wrong order', '"\\ude00\\ud83d"'],
    ['a number', '7'],
    ['null', 'null'],
    ['a boolean', 'true'],
    ['an array', '["Rex"]'],
    ['an object', '{"text":"Rex"}'],
  ])('%s is refused', async (_, json) => {
    const message =
      "'name' must be a string of 1 to 255 characters, not only white space and without control characters."
    expectRefusal(await create(named(json)), 400, 'invalid_field', message)
  })
})

describe('categoryId', () => {
  test('accepts any int64: its existence is not checked', async () => {
    expect((await create('{"name":"Rex","categoryId":-4611686018427387904}')).status).toBe(201)
  })

  test('out of range is refused with its bounds', async () => {
    const message = "'categoryId' must be an integer from -9223372036854775808 to 9223372036854775807."
    expectRefusal(await create('{"name":"Rex","categoryId":1.5}'), 400, 'invalid_field', message)
  })
})

describe('the assigned ids', () => {
  test('come from one sequence over all projects', async () => {
    const tenants = [north, service.south, await newTenant(service), north]
    const ids: number[] = []
    for (const tenant of tenants) ids.push(petOf(await tenant.post('/v1/pets', rex)).id)
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
  })

  test.each(['0', '-1', '9007199254740992'])('are enforced by the table itself, which refuses %s', async (id) => {
    const insert = asProject(service.database, north.project, (client) =>
      client.query(`insert into pets (project_id, id, name, category_id, status) values ($1, $2, 'x', 1, 'sold')`, [
        north.project,
        id,
      ]),
    )
    await expect(insert).rejects.toThrow(/check constraint/)
  })

  test('end at 2^53-1', async () => {
    const tenant = await newTenant(service)
    await asProject(service.database, tenant.project, (client) =>
      client.query(`insert into pets (project_id, id, name, category_id, status) values ($1, $2, 'x', 1, 'sold')`, [
        tenant.project,
        '9007199254740991',
      ]),
    )
    expect(petsOf(await tenant.get('/v1/pets')).map(({ id }) => id)).toEqual([Number.MAX_SAFE_INTEGER])
  })
})

describe("another project's animal", () => {
  test('is answered with the same bytes as a missing one', async () => {
    const { id } = petOf(await service.south.post('/v1/pets', rex))
    const [foreign, missing] = [await north.get(`/v1/pets/${id}`), await north.get('/v1/pets/9007199254740990')]
    expectRefusal(foreign, 404, 'not_found', 'No animal with this identifier.')
    expect(foreign.text).toBe(missing.text)
    const stable = ({ 'request-id': _, date: __, ratelimit: ___, ...rest }: typeof foreign.headers) => rest
    expect(stable(foreign.headers)).toEqual(stable(missing.headers))
  })

  test('is in no list', async () => {
    const [one, other] = [await newTenant(service), await newTenant(service)]
    await one.post('/v1/pets', rex)
    expect((await other.get('/v1/pets')).text).toBe('[]')
    expect((await other.get('/v1/pets?status=available')).text).toBe('[]')
  })
})

describe('JSON', () => {
  const deep = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)},"categoryId":1}`

  test.each([
    ['an unfinished object', '{"name":', 'at byte 8: unexpected end.'],
    ['a duplicate key', '{"name":"Rex","name":"Mia","categoryId":1}', "at byte 14: duplicate key 'name'."],
    [
      'a duplicate key with the same value',
      '{"name":"Rex","categoryId":1,"categoryId":1}',
      "duplicate key 'categoryId'.",
    ],
    ['a duplicate key written with an escape', '{"name":"Rex","n\\u0061me":"Rex","categoryId":1}', "key 'name'."],
    ['a duplicate key of an unknown field', '{"x":1,"x":1}', "duplicate key 'x'."],
    ['trailing bytes', `${rex}x`, "at byte 29: unexpected 'x'."],
    ['a second value', `${rex}{}`, "at byte 29: unexpected '{'."],
    ['a trailing comma', '{"name":"Rex","categoryId":1,}', "at byte 29: unexpected '}'."],
    ['single quotes', "{'name':'Rex'}", 'at byte 1: unexpected'],
    ['a comment', `${rex}//`, "at byte 29: unexpected '/'."],
    ['a control character in a string', '{"name":"R\nex","categoryId":1}', 'at byte 10: unescaped control character'],
    ['an invalid escape', '{"name":"\\x"}', 'at byte 9: invalid escape'],
    ['17 levels', deep(16), 'nested deeper than 16 levels.'],
    ['8,000 levels', '['.repeat(8000), 'nested deeper than 16 levels.'],
    ['nothing but white space', ' ', 'at byte 1: unexpected end.'],
    ['a byte offset behind characters of several bytes', '{"é😀":', 'at byte 10: unexpected end.'],
  ])('%s is refused as invalid_json', async (_, body, why) => {
    const answer = await create(body)
    expectRefusal(answer, 400, 'invalid_json')
    expect(errorOf(answer).message).toMatch(/^Body is not valid JSON at byte \d+: /)
    expect(errorOf(answer).message).toContain(why)
  })

  test('16 levels are parsed, and refused by the schema only', async () => {
    expectRefusal(await create(deep(15)), 400, 'invalid_field')
  })

  test('white space around and within makes no difference', async () => {
    expect((await create(' {\r\n\t"name" : "Rex" , "categoryId" : 1 }\n')).status).toBe(201)
  })
})

describe('the encoding', () => {
  test.each([
    ['a byte order mark', Buffer.from(`\ufeff${rex}`), 'at byte 0: a byte order mark is not allowed.'],
    ['UTF-16', Buffer.from(rex, 'utf16le'), 'at byte 1: unexpected'],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${rex}`, 'utf16le'), 'at byte 0: not UTF-8.'],
    ['Latin-1', Buffer.from(named('"Zoë"'), 'latin1'), 'at byte 11: not UTF-8.'],
    ['a surrogate as UTF-8', Buffer.from('7b226e616d65223a22eda0bd227d', 'hex'), 'at byte 9: not UTF-8.'],
    ['an overlong form', Buffer.from('7b226e616d65223a22c080227d', 'hex'), 'at byte 9: not UTF-8.'],
    ['an unfinished character', Buffer.from('7b226e616d65223a22c3', 'hex'), 'at byte 9: not UTF-8.'],
  ])('%s is refused as invalid_json', async (_, bytes, why) => {
    const answer = await create(bytes)
    expectRefusal(answer, 400, 'invalid_json')
    expect(errorOf(answer).message).toContain(why)
  })
})

describe('the size of a body', () => {
  const sized = (bytes: number) => rex + ' '.repeat(bytes - rex.length)
  const head = (length: string) =>
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${north.key}\r\nContent-Type: application/json\r\n${length}\r\n`

  test('of 16,384 bytes is accepted', async () => {
    expect((await create(sized(16_384))).status).toBe(201)
  })

  test.each([16_385, 100_000, 1_000_000])('of %d bytes is refused with Connection: close', async (bytes) => {
    const answer = await create(sized(bytes))
    expectRefusal(answer, 413, 'body_too_large', 'Body exceeds 16384 bytes.')
    expect(answer.headers.connection).toBe('close')
  })

  test('is checked by Content-Length before a byte of the body was sent', async () => {
    const answer = await rawExchange(service.origin, head('Content-Length: 16385\r\n'))
    expectRefusal(answer, 413, 'body_too_large')
    expect(answer.headers.connection).toBe('close')
  })

  test('is checked by Content-Length instead of sending 100 Continue', async () => {
    const answer = await rawExchange(service.origin, head('Expect: 100-continue\r\nContent-Length: 16385\r\n'))
    expectRefusal(answer, 413, 'body_too_large')
  })

  test('is checked while streaming, before the end was sent', async () => {
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
    const answer = await rawExchange(service.origin, head('Transfer-Encoding: chunked\r\n') + chunk.repeat(5))
    expectRefusal(answer, 413, 'body_too_large')
    expect(answer.headers.connection).toBe('close')
  })

  test('of a chunked body within the bound is accepted', async () => {
    const chunked = `${rex.length.toString(16)}\r\n${rex}\r\n0\r\n\r\n`
    const sent = head('Connection: close\r\nTransfer-Encoding: chunked\r\n') + chunked
    expect((await rawExchange(service.origin, sent)).status).toBe(201)
  })
})

describe('a missing body', () => {
  test.each([
    ['with Content-Type', { 'Content-Type': 'application/json' }],
    ['without Content-Type', {}],
    ['with another Content-Type', { 'Content-Type': 'text/plain' }],
    ['with Content-Length: 0', { 'Content-Length': '0' }],
    ['in no chunks', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }],
  ])('%s is missing_body', async (_, headers) => {
    expectRefusal(await north.send({ method: 'POST', path: '/v1/pets', headers }), 400, 'missing_body')
  })
})

describe('Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('%s is accepted', async (type) => {
    expect((await create(rex, { 'Content-Type': type })).status).toBe(201)
  })

  test.each([
    'text/plain',
    'text/json',
    'application/*',
    'application/jsonp',
    'application/problem+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
  ])('%s is refused with Accept: application/json', async (type) => {
    const answer = await create(rex, { 'Content-Type': type })
    expectRefusal(answer, 415, 'unsupported_media_type', 'Send application/json.')
    expect(answer.headers['accept']).toBe('application/json')
  })

  test('none at all is refused', async () => {
    expectRefusal(await north.send({ method: 'POST', path: '/v1/pets', body: rex }), 415, 'unsupported_media_type')
  })
})

describe('Content-Encoding', () => {
  test.each(['identity', 'Identity', ''])('%j is accepted', async (coding) => {
    expect((await create(rex, { 'Content-Encoding': coding })).status).toBe(201)
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'nonsense'])(
    '%s is refused with Accept-Encoding: identity',
    async (coding) => {
      const answer = await create(rex, { 'Content-Encoding': coding })
      expectRefusal(answer, 415, 'unsupported_media_type')
      expect(answer.headers['accept-encoding']).toBe('identity')
    },
  )
})

describe('Accept', () => {
  const paths = ['/v1/pets', '/v1/pets/1', '/v1/store/orders']

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.1',
    'application/json;charset=utf-8',
    '',
  ])('%j passes', async (accept) => {
    for (const path of paths) expect((await north.get(path, { Accept: accept })).status).not.toBe(406)
    expect((await create(rex, { Accept: accept })).status).toBe(201)
  })

  test.each([
    'text/html',
    'text/*',
    'application/xml',
    'application/problem+json',
    'application/json;q=0',
    'application/json; q=0.000',
    '*/*;q=0',
    'application/json;q=0, */*',
    'application/*;q=0, */*',
  ])('%s is refused, still with the JSON body', async (accept) => {
    for (const path of paths) expectRefusal(await north.get(path, { Accept: accept }), 406, 'not_acceptable')
    expectRefusal(await create(rex, { Accept: accept }), 406, 'not_acceptable')
  })

  test('absent it passes', async () => {
    expect((await north.get('/v1/pets')).status).toBe(200)
  })
})
