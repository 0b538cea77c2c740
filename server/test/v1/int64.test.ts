// 64-bit integers are exact from end to end. Responses are compared as text: parsing them in
// JavaScript would round them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { asProject, expectRefusal, newTenant, petOf, rawExchange } from './responses.ts'
import { startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'

type Vectors = { accepted: { sent: string; stored: string }[]; invalidField: string[]; invalidJson: string[] }
const published = join(import.meta.dirname, '../../../contract/int64-vectors.json')
const vectors = JSON.parse(readFileSync(published, 'utf8')) as Vectors

let service: TestService
let north: Tenant

beforeAll(async () => {
  service = await startTestService()
  north = service.north
})

const create = (categoryId: string) => north.post('/v1/pets', `{"name":"Rex","categoryId":${categoryId}}`)

describe('the published vectors', () => {
  test.each(vectors.accepted)('$sent is created, listed and fetched as $stored', async ({ sent, stored }) => {
    const created = await create(sent)
    expect(created.status).toBe(201)
    const { id } = petOf(created)
    const text = `{"id":${id},"name":"Rex","categoryId":${stored},"status":"available"}`
    expect(created.text).toBe(text)
    expect((await north.get('/v1/pets?limit=1')).text).toBe(`[${text}]`)
    expect((await north.get('/v1/pets?limit=1&status=available')).text).toBe(`[${text}]`)
    expect((await north.get(`/v1/pets/${id}`)).text).toBe(text)
    const column = await asProject(service.database, north.project, async (client) => {
      const { rows } = await client.query<{ value: string }>(
        'select category_id::text as value from pets where id = $1',
        [id],
      )
      return rows[0]?.value
    })
    expect(column).toBe(stored)
  })

  test.each(vectors.accepted)('$sent is replayed as $stored', async ({ sent, stored }) => {
    const body = `{"name":"Rex","categoryId":${sent}}`
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const [first, second] = [await north.post('/v1/pets', body, headers), await north.post('/v1/pets', body, headers)]
    expect(second.text).toBe(first.text)
    expect(second.text).toContain(`"categoryId":${stored},`)
  })

  test.each(vectors.invalidField)('%s is an invalid value, and nothing is created', async (sent) => {
    const tenant = await newTenant(service)
    const answer = await tenant.post('/v1/pets', `{"name":"Rex","categoryId":${sent}}`)
    const message = "'categoryId' must be an integer from -9223372036854775808 to 9223372036854775807."
    expectRefusal(answer, 400, 'invalid_field', message)
    expect((await tenant.get('/v1/pets')).text).toBe('[]')
  })

  test.each(vectors.invalidJson)('%s is not JSON', async (sent) => {
    expectRefusal(await create(sent), 400, 'invalid_json', /^Body is not valid JSON at byte \d+: /)
  })

  test('are those of the interface: 13 accepted, 13 invalid values, 6 that are not JSON', () => {
    const { accepted, invalidField, invalidJson } = vectors
    expect([accepted.length, invalidField.length, invalidJson.length]).toEqual([13, 13, 6])
  })

  test('a huge exponent costs nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(`1e${'9'.repeat(10_000)}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  })
})

describe('petId in the path', () => {
  let id: number
  let text: string
  beforeAll(async () => {
    const created = await create('1')
    id = petOf(created).id
    text = created.text
  })
  const missing = 'No animal with this identifier.'

  test.each([
    ['2^63-1', '9223372036854775807'],
    ['-2^63', '-9223372036854775808'],
    ['one beyond 2^63-1', '9223372036854775808'],
    ['one beyond -2^63', '-9223372036854775809'],
    ['2^53', '9007199254740992'],
    ['2^64', '18446744073709551616'],
    ['0', '0'],
    ['-1', '-1'],
    ['a thousand digits', '9'.repeat(1000)],
  ])('%s is 404 and never 400 or 500', async (_, petId) => {
    expectRefusal(await north.get(`/v1/pets/${petId}`), 404, 'not_found', missing)
  })

  const spellings: [what: string, spelling: (id: number) => string][] = [
    ['zeros', () => '00'],
    ['a zero in front', (id) => `0${id}`],
    ['a minus zero', () => '-0'],
    ['a plus', (id) => `+${id}`],
    ['a fraction', (id) => `${id}.0`],
    ['an exponent', () => '1e3'],
    ['an exponent of nothing', (id) => `${id}e0`],
    ['hexadecimal', (id) => `0x${id.toString(16)}`],
    ['a full-width digit', () => '%EF%BC%91'],
    ['Arabic digits', () => '%D9%A1'],
    ['a space behind', (id) => `${id}%20`],
    ['a space before', (id) => `%20${id}`],
    ['a line end', (id) => `${id}%0A`],
    ['NUL', (id) => `${id}%00`],
    ['quotes', (id) => `%22${id}%22`],
    ['SQL', (id) => `${id}%20or%20true`],
    ['a list', (id) => `${id},${id}`],
    ['a slash that is encoded', (id) => `${id}%2F`],
    ['an underscore', (id) => `${id}_0`],
    ['a suffix of JavaScript', (id) => `${id}n`],
    ['a word', () => 'NaN'],
    ['the name of a method', () => 'constructor'],
    ['two dots', () => '%2E%2E'],
    ['a percent sign alone', () => '%'],
    ['percent signs that mean nothing', () => '%zz'],
    ['bytes that are no UTF-8', () => '%FF%FE'],
    ['half a surrogate pair', () => '%ED%A0%BD'],
  ]
  test.each(spellings)('%s is no identifier: 404', async (_, spelling) => {
    expectRefusal(await north.get(`/v1/pets/${spelling(id)}`), 404, 'not_found', missing)
  })

  test('%31 is the digit 1: an encoded digit is that digit', async () => {
    const encoded = String(id).replace(/\d/g, '%3$&')
    expect((await north.get(`/v1/pets/${encoded}`)).text).toBe(text)
  })

  test('unencoded bytes outside of ASCII are never a 5xx', async () => {
    const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${north.key}\r\n\r\n`
    const { status } = await rawExchange(service.origin, `GET /v1/pets/１ HTTP/1.1\r\n${head}`)
    expect([400, 404]).toContain(status)
  })

  test('the animal itself is found by its digits alone', async () => {
    expect((await north.get(`/v1/pets/${id}`)).text).toBe(text)
  })
})

describe('the OpenAPI document', () => {
  test('has no bounds of an int64 anywhere: a reader would round them', async () => {
    const { text } = await service.send({ path: '/v1/openapi.json' })
    const rounded = [...text.matchAll(/-?\d{16,}/g)].map(([digits]) => digits)
    expect(rounded.filter((digits) => BigInt(digits) !== BigInt(Number(digits)))).toEqual([])
    expect(text).not.toMatch(/"(minimum|maximum)":-?9\d{18}/)
    expect(text).toContain('"format":"int64"')
  })
})
