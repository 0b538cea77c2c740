// Every stated fact of the published interface, one test each, in the interface's own words.
// What it leaves open is in the other tests of this folder.

import { beforeAll, describe, expect, test } from 'vitest'
import { contractDocument } from '@petstore-platform/contract/document'
import { exampleInstallation } from '../../../tools/print-contract.ts'
import { ConfigError, parseConfig } from '../../src/program/config.ts'
import { addPets, errorOf, expectRefusal, namesOf, newTenant, petOf, petsOf } from './responses.ts'
import {
  BASE_URL,
  STAGING_URL,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../testbed/harness/service.ts'

type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  default?: unknown
  required?: string[]
  items?: Schema
  properties?: Record<string, Schema>
}
type Described = {
  operationId: string
  tags: string[]
  deprecated?: boolean
  description: string
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> }>
  'x-stability'?: string
  'x-hideTryItPanel'?: boolean
  'x-deprecated-sunset'?: string
}
type Document = {
  info: { version: string }
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

const send: TestService['send'] = (sent) => service.send(sent)

const service = await startTestService()
const { north } = service
const document = (await send({ path: '/v1/openapi.json' })).json as Document

const operations = (): [path: string, method: string, operation: Described][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, of]) => [path, method, of] as [string, string, Described]),
  )
const described = (name: string): Described => {
  const found = operations().find(([, , { operationId }]) => operationId === name)
  if (!found) throw new Error(`no operation ${name}`)
  return found[2]
}
const parameter = (operation: string, name: string) =>
  described(operation).parameters.find((candidate) => candidate.name === name)
/** A response in the document: its description, and the name of its body's schema. */
const answerOf = (operation: string, status: number) => {
  const own = described(operation).responses[status]
  const answer = own?.$ref ? document.components.responses[own.$ref.split('/').at(-1) ?? ''] : own
  const schema = answer?.content?.['application/json']?.schema.$ref
  return { description: answer?.description, schema: schema?.split('/').at(-1) }
}
const schemaOf = (name: string): Schema => {
  const found = document.components.schemas[name]
  if (!found) throw new Error(`no schema ${name}`)
  return found
}
/** A schema with its reference followed; what is next to the reference comes first. */
const resolved = (schema: Schema | undefined): Schema => ({
  ...(schema?.$ref && schemaOf(schema.$ref.split('/').at(-1) ?? '')),
  ...schema,
})

const rex = '{"name":"Rex","categoryId":7}'

/** One valid request for each of the four operations. */
const requests = [
  { name: 'listPets', method: 'GET', path: '/v1/pets' },
  { name: 'createPet', method: 'POST', path: '/v1/pets', body: rex, headers: { 'Content-Type': 'application/json' } },
  { name: 'getPet', method: 'GET', path: '/v1/pets/1' },
  { name: 'listOrders', method: 'GET', path: '/v1/store/orders' },
]

describe('1. What the service does', () => {
  test('clients with a bearer API key can list animals, add an animal, and fetch one animal by its identifier', async () => {
    const added = await north.post('/v1/pets', rex)
    const { id } = petOf(added)
    expect([added.status, (await north.get('/v1/pets')).status]).toEqual([201, 200])
    expect((await north.get(`/v1/pets/${id}`)).text).toBe(added.text)
  })

  test('animals carry a name, a category identifier and an availability status', async () => {
    const { text } = await north.post('/v1/pets', '{"name":"Mia","categoryId":9,"status":"sold"}')
    expect(JSON.parse(text)).toMatchObject({ name: 'Mia', categoryId: 9, status: 'sold' })
  })

  test('all request and response bodies are JSON', async () => {
    const answers = [
      await north.post('/v1/pets', rex),
      await north.get('/v1/pets'),
      await north.get('/v1/pets/0'),
      await north.post('/v1/pets', 'name=Rex', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      await send({ path: '/v1/pets' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 404, 415, 401])
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/json')
      expect(() => JSON.parse(text) as unknown).not.toThrow()
    }
  })

  test('the service is reachable at two base addresses, Production and Staging', () => {
    expect(document.servers).toEqual([
      { url: BASE_URL, description: 'Production' },
      { url: STAGING_URL, description: 'Staging' },
    ])
  })

  test.each(['BASE_URL', 'STAGING_URL'])('both addresses end in the version prefix /v1: %s', (name) => {
    const env = (address: string) => ({ [name]: address, DATABASE_URL: 'postgresql://petstore_app@127.0.0.1/petstore' })
    expect(() => parseConfig(env('https://pets.example/v1'))).not.toThrow()
    expect(() => parseConfig(env('https://pets.example/v2'))).toThrow(ConfigError)
    expect(() => parseConfig(env('https://pets.example'))).toThrow(ConfigError)
  })

  test.each(requests)('every path is relative to the base address: $name', async ({ name, ...sent }) => {
    expect((await north.send({ ...sent, path: sent.path.slice('/v1'.length) })).status).toBe(404)
    expect((await north.send(sent)).status).toBe(described(name).requestBody ? 201 : 200)
  })

  test('the interface is grouped into the tag animals', () => {
    expect(document.tags).toContainEqual(expect.objectContaining({ name: 'animals' }))
    const tags = ['listPets', 'createPet', 'getPet'].map((name) => described(name).tags)
    expect(tags).toEqual([['animals'], ['animals'], ['animals']])
  })

  test.each(['Store', 'Pets'])('the navigation group %s has no operations of its own', (group) => {
    expect(document.tags.map(({ name }) => name)).toContain(group)
    expect(operations().filter(([, , { tags }]) => tags.includes(group))).toEqual([])
  })
})

describe('2. Resources and their fields', () => {
  test.each([
    ['NewPet', 'name', { type: 'string', description: "The animal's name." }],
    [
      'NewPet',
      'categoryId',
      { type: 'integer', format: 'int64', description: 'Identifier of the category the animal belongs to.' },
    ],
    ['NewPet', 'status', { type: 'string', enum: ['available', 'pending', 'sold'] }],
    ['Pet', 'id', { type: 'integer', format: 'int64', description: 'Unique identifier assigned on creation.' }],
    ['Error', 'code', { type: 'string', description: 'Machine-readable error code.' }],
    ['Error', 'message', { type: 'string', description: 'Human-readable description.' }],
    ['Error', 'status', { type: 'integer', description: 'The HTTP status code.' }],
  ])('the document gives %s.%s its type and description', (schema, field, wanted) => {
    expect(resolved(schemaOf(schema).properties?.[field])).toMatchObject(wanted)
  })

  test.each([
    ['NewPet', ['categoryId', 'name']],
    ['Pet', ['categoryId', 'id', 'name']],
    ['Error', ['code', 'message', 'status']],
  ])('the required fields of %s are %j', (schema, required) => {
    expect(schemaOf(schema).required?.toSorted()).toEqual(required)
  })

  test.each([
    ['name', '{"categoryId":7}'],
    ['categoryId', '{"name":"Rex"}'],
  ])('NewPet: %s is required', async (field, body) => {
    expectRefusal(await north.post('/v1/pets', body), 400, 'missing_field', new RegExp(`: ${field}\\.$`))
  })

  test('NewPet: status is not required', async () => {
    expect((await north.post('/v1/pets', rex)).status).toBe(201)
  })

  test.each([
    ['name is a string', '{"name":7,"categoryId":7}'],
    ['categoryId is an integer', '{"name":"Rex","categoryId":"7"}'],
    ['categoryId is an int64', '{"name":"Rex","categoryId":9223372036854775808}'],
    ['status is a PetStatus', '{"name":"Rex","categoryId":7,"status":"lost"}'],
  ])('NewPet: %s', async (_, body) => {
    expectRefusal(await north.post('/v1/pets', body), 400, 'invalid_field')
  })

  test('a Pet has all fields of NewPet plus id', async () => {
    const [asked, given] = ['NewPet', 'Pet'].map((name) => Object.keys(schemaOf(name).properties ?? {}))
    expect(given?.toSorted()).toEqual([...(asked ?? []), 'id'].toSorted())
    const pet = petOf(await north.post('/v1/pets', rex))
    expect(Object.keys(pet).toSorted()).toEqual(given?.toSorted())
  })

  test('the id is assigned on creation and unique', async () => {
    const added = await Promise.all(Array.from({ length: 20 }, () => north.post('/v1/pets', rex)))
    const ids = added.map((answer) => petOf(answer).id)
    expect(ids.every(Number.isSafeInteger)).toBe(true)
    expect(new Set(ids).size).toBe(20)
  })

  test('Pets is an array of Pet', async () => {
    expect(schemaOf('Pets')).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } })
    const pets = petsOf(await north.get('/v1/pets'))
    expect(Array.isArray(pets)).toBe(true)
    for (const pet of pets) {
      expect(pet).toEqual({
        id: expect.any(Number),
        name: expect.any(String),
        categoryId: expect.any(Number),
        status: expect.stringMatching(/^(available|pending|sold)$/),
      })
    }
  })

  test('PetStatus is a string with the allowed values available, pending, sold', () => {
    expect(schemaOf('PetStatus')).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] })
  })

  test('an Error has a code, a message and the HTTP status code as an integer', async () => {
    expect(errorOf(await north.get('/v1/pets/0'))).toEqual({
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      message: expect.any(String),
      status: 404,
    })
  })
})

describe('3. States and transitions', () => {
  test.each(['available', 'pending', 'sold'])(
    'the status %s can be supplied when an animal is added',
    async (status) => {
      const added = await north.post('/v1/pets', `{"name":"Rex","categoryId":7,"status":"${status}"}`)
      expect(added.status).toBe(201)
      expect(petOf(await north.get(`/v1/pets/${petOf(added).id}`)).status).toBe(status)
    },
  )

  test.each(['PUT', 'PATCH', 'POST', 'DELETE'])(
    'no operation changes the status of an existing animal: %s',
    async (method) => {
      const { id } = petOf(await north.post('/v1/pets', rex))
      const headers = { 'Content-Type': 'application/json' }
      const answer = await north.send({ method, path: `/v1/pets/${id}`, headers, body: '{"status":"sold"}' })
      expectRefusal(answer, 405, 'method_not_allowed')
      expect(petOf(await north.get(`/v1/pets/${id}`)).status).toBe('available')
    },
  )

  test('no operation that changes the status of an existing animal is given', () => {
    expect(operations().map(([path, method]) => `${method} ${path}`)).toEqual([
      'get /pets',
      'post /pets',
      'get /pets/{petId}',
      'get /store/orders',
    ])
  })
})

describe('4. Endpoints: GET /pets (listPets)', () => {
  test('its operation name is listPets', () => {
    expect(document.paths['/pets']?.['get']?.operationId).toBe('listPets')
  })

  test('it returns a paginated list of animals', async () => {
    const tenant = await newTenant(service)
    await addPets(service, tenant, 3)
    const page = await tenant.get('/v1/pets?limit=2')
    expect([page.status, petsOf(page).length]).toEqual([200, 2])
    expect(page.headers.link).toContain('rel="next"')
  })

  test('the query parameter limit is an integer, minimum 1, maximum 100, default 20, and optional', () => {
    const { required, schema, in: place } = parameter('listPets', 'limit') ?? {}
    expect({ place, required }).toEqual({ place: 'query', required: false })
    expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  })

  test('limit is the maximum number of animals returned', async () => {
    const tenant = await newTenant(service)
    await addPets(service, tenant, 5)
    const lengths = [1, 4, 5, 6].map(async (limit) => petsOf(await tenant.get(`/v1/pets?limit=${limit}`)).length)
    expect(await Promise.all(lengths)).toEqual([1, 4, 5, 5])
  })

  test('the query parameter status is a PetStatus and optional', () => {
    const status = parameter('listPets', 'status')
    expect({ place: status?.in, required: status?.required }).toEqual({ place: 'query', required: false })
    expect(status?.schema?.$ref).toBe('#/components/schemas/PetStatus')
    expect(status?.description).toBe('Filters by availability.')
  })

  test.each(['available', 'pending', 'sold'])('status=%s filters by availability', async (status) => {
    const tenant = await newTenant(service)
    for (const each of ['available', 'pending', 'sold']) {
      await tenant.post('/v1/pets', `{"name":"${each}","categoryId":1,"status":"${each}"}`)
    }
    expect(namesOf(await tenant.get(`/v1/pets?status=${status}`))).toEqual([status])
    expect(namesOf(await tenant.get('/v1/pets'))).toEqual(['sold', 'pending', 'available'])
  })

  test('it takes no request body', () => {
    expect(described('listPets').requestBody).toBeUndefined()
  })

  test('200 is Pets, 401 is Error: missing or invalid API key', () => {
    expect(answerOf('listPets', 200).schema).toBe('Pets')
    expect(answerOf('listPets', 401)).toEqual({ description: 'Missing or invalid API key.', schema: 'Error' })
  })
})

describe('4. Endpoints: POST /pets (createPet)', () => {
  test('its operation name is createPet', () => {
    expect(document.paths['/pets']?.['post']?.operationId).toBe('createPet')
  })

  test('it adds an animal', async () => {
    const tenant = await newTenant(service)
    const added = await tenant.post('/v1/pets', rex)
    expect((await tenant.get('/v1/pets')).text).toBe(`[${added.text}]`)
  })

  test('the request body is required: NewPet as application/json', async () => {
    const { requestBody } = described('createPet')
    expect(requestBody?.required).toBe(true)
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/json'])
    expect(requestBody?.content['application/json']?.schema.$ref).toBe('#/components/schemas/NewPet')
    expectRefusal(await north.send({ method: 'POST', path: '/v1/pets' }), 400, 'missing_body')
  })

  test('201 is the created animal, including its assigned id', async () => {
    expect(answerOf('createPet', 201).schema).toBe('Pet')
    const added = await north.post('/v1/pets', '{"name":"Mia","categoryId":3,"status":"pending"}')
    expect(added.status).toBe(201)
    expect(petOf(added)).toEqual({ id: expect.any(Number), name: 'Mia', categoryId: 3, status: 'pending' })
  })

  test('400 is Error: body is missing required fields or contains invalid values', () => {
    expect(answerOf('createPet', 400).schema).toBe('Error')
    expect(answerOf('createPet', 400).description).toMatch(
      /^Body is missing required fields or contains invalid values/,
    )
  })

  test('401 is Error: missing or invalid API key', () => {
    expect(answerOf('createPet', 401)).toEqual({ description: 'Missing or invalid API key.', schema: 'Error' })
  })
})

describe('4. Endpoints: GET /pets/{petId} (getPet)', () => {
  test('its operation name is getPet, and it is marked deprecated', () => {
    expect(document.paths['/pets/{petId}']?.['get']).toMatchObject({ operationId: 'getPet', deprecated: true })
  })

  test('the path parameter petId is required, an integer of format int64: identifier of the animal', () => {
    const { schema, ...petId } = parameter('getPet', 'petId') ?? {}
    expect(petId).toMatchObject({ in: 'path', required: true, description: 'Identifier of the animal.' })
    expect(resolved(schema)).toMatchObject({ type: 'integer', format: 'int64' })
  })

  test('200 is the Pet with this identifier', async () => {
    expect(answerOf('getPet', 200).schema).toBe('Pet')
    const first = petOf(await north.post('/v1/pets', rex))
    await north.post('/v1/pets', '{"name":"Mia","categoryId":1}')
    const answer = await north.get(`/v1/pets/${first.id}`)
    expect([answer.status, petOf(answer)]).toEqual([200, first])
  })

  test('it takes no request body', () => {
    expect(described('getPet').requestBody).toBeUndefined()
  })

  test('401 is Error: missing or invalid API key', () => {
    expect(answerOf('getPet', 401)).toEqual({ description: 'Missing or invalid API key.', schema: 'Error' })
  })

  test('404 is Error: the requested resource could not be found', async () => {
    const description = 'The requested resource could not be found.'
    expect(answerOf('getPet', 404)).toEqual({ description, schema: 'Error' })
    expectRefusal(await north.get('/v1/pets/9007199254740991'), 404, 'not_found')
  })

  test('it is to be removed on 5 December 2030', async () => {
    const operation = described('getPet')
    expect(operation['x-deprecated-sunset']).toBe('2030-12-05')
    expect(operation.description).toContain('removed on 5 December 2030')
    expect((await north.get('/v1/pets/1')).headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })

  test('the replacement is GET /pets with the status filter', async () => {
    expect(described('getPet').description).toMatch(/The replacement is `GET \/pets` with the `status` filter\./)
    const successor = `<${BASE_URL}/pets?status=available>; rel="successor-version"`
    expect((await north.get('/v1/pets/1')).headers.link).toContain(successor)
  })
})

describe('4. Endpoints: other operations', () => {
  test('an operation GET /store/orders exists', async () => {
    expect((await north.get('/v1/store/orders')).status).toBe(200)
    expect(document.paths['/store/orders']?.['get']).toBeDefined()
  })

  test('the interactive try-out panel is disabled for it, and for it alone', () => {
    const hidden = operations().filter(([, , operation]) => operation['x-hideTryItPanel'] === true)
    expect(hidden.map(([path, method]) => `${method} ${path}`)).toEqual(['get /store/orders'])
  })
})

describe('5. Authentication', () => {
  test('the scheme is HTTP bearer, and the requirement applies to every operation', () => {
    const [requirement = {}] = document.security
    const [name = ''] = Object.keys(requirement)
    expect(document.components.securitySchemes[name]).toMatchObject({ type: 'http', scheme: 'bearer' })
    expect(operations().filter(([, , operation]) => 'security' in operation)).toEqual([])
  })

  test('the API key is sent as a bearer token in the Authorization header', async () => {
    const { status } = await send({ path: '/v1/pets', headers: { Authorization: `Bearer ${north.key}` } })
    expect(status).toBe(200)
  })

  test.each(requests)('a missing key is answered 401 with an Error body: $name', async ({ name: _, ...sent }) => {
    expectRefusal(await send(sent), 401, 'missing_api_key')
  })

  test.each(requests)('an invalid key is answered 401 with an Error body: $name', async ({ name: _, ...sent }) => {
    const headers = { ...sent.headers, Authorization: 'Bearer nonsense' }
    expectRefusal(await send({ ...sent, headers }), 401, 'invalid_api_key')
  })

  test.each(requests)('a valid key is let in: $name', async ({ name, ...sent }) => {
    expect((await north.send(sent)).status).toBe(name === 'createPet' ? 201 : 200)
  })
})

describe('7. Errors', () => {
  const json = { 'Content-Type': 'application/json' }
  const faulty = [
    { what: 'a body that is missing required fields', status: 400, method: 'POST', path: '/v1/pets', body: '{}' },
    { what: 'a body that holds invalid values', status: 400, method: 'POST', path: '/v1/pets', body: '{"name":7}' },
    { what: 'an animal that is not there', status: 404, method: 'GET', path: '/v1/pets/0' },
    { what: 'a path that is not there', status: 404, method: 'GET', path: '/v1/nowhere' },
    { what: 'a path outside of the interface', status: 404, method: 'GET', path: '/nowhere' },
    { what: 'a method that is not there', status: 405, method: 'DELETE', path: '/v1/pets' },
    { what: 'a wrong parameter', status: 400, method: 'GET', path: '/v1/pets?limit=0' },
    { what: 'a path that cannot be decoded', status: 404, method: 'GET', path: '/v1/pets/%zz' },
  ]

  test.each(faulty)('$what is answered $status with the Error body as application/json', async ({ what: _, ...of }) => {
    const { status, ...sent } = of
    const { headers, json: body, ...answer } = await north.send({ ...sent, headers: json })
    expect(answer.status).toBe(status)
    expect(headers['content-type']).toBe('application/json')
    expect(body).toEqual({
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      message: expect.stringMatching(/\S/),
      status,
    })
  })

  test.each(requests)('401: API key missing or invalid, on all operations: $name', async ({ name: _, ...sent }) => {
    const answer = await send(sent)
    expect([answer.status, errorOf(answer).status]).toEqual([401, 401])
  })

  test.each([400, 401, 404])('the document gives %d the Error body wherever it names it', (status) => {
    const named = operations().filter(([, , { responses }]) => String(status) in responses)
    expect(named.length).toBeGreaterThan(0)
    expect(named.map(([, , { operationId }]) => answerOf(operationId, status).schema)).toEqual(named.map(() => 'Error'))
  })
})

describe('8. Limits', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await newTenant(service)
    await addPets(service, tenant, 130)
  })
  const count = async (query: string) => petsOf(await tenant.get(`/v1/pets${query}`)).length

  test('limit is at least 1', async () => {
    expect(await count('?limit=1')).toBe(1)
    expectRefusal(await tenant.get('/v1/pets?limit=0'), 400, 'invalid_parameter')
  })

  test('limit is at most 100', async () => {
    expect(await count('?limit=100')).toBe(100)
    expectRefusal(await tenant.get('/v1/pets?limit=101'), 400, 'invalid_parameter')
  })

  test('the default limit is 20', async () => {
    expect(await count('')).toBe(20)
    expect(await count('?status=available')).toBe(20)
  })
})

describe('9. Versioning', () => {
  test('the interface version is 1.0.0', () => {
    expect(document.info.version).toBe('1.0.0')
  })

  test('the version appears in the base address as the path prefix /v1', async () => {
    expect(document.servers.map(({ url }) => new URL(url).pathname)).toEqual(['/v1', '/v1'])
    expect((await north.get('/v1/pets')).status).toBe(200)
    expect((await north.get('/v2/pets')).status).toBe(404)
  })

  test('GET /pets/{petId}, and nothing else, is deprecated with removal on 5 December 2030', () => {
    const deprecated = operations().filter(([, , operation]) => operation.deprecated)
    expect(deprecated.map(([path, method, of]) => [method, path, of['x-deprecated-sunset']])).toEqual([
      ['get', '/pets/{petId}', '2030-12-05'],
    ])
  })

  test('some operations are labelled experimental or beta through a stability marker: listOrders is', () => {
    const marked = operations().filter(([, , operation]) => operation['x-stability'] !== undefined)
    expect(marked.map(([, , { operationId, 'x-stability': stability }]) => [operationId, stability])).toEqual([
      ['listOrders', 'experimental'],
    ])
  })

  test('the document served at /v1/openapi.json is the contract document, and needs no key', async () => {
    const served = await send({ path: '/v1/openapi.json' })
    expect([served.status, served.headers['content-type']]).toEqual([200, 'application/json'])
    const own = contractDocument(exampleInstallation('/v1'))
    expect(served.text).toBe(JSON.stringify(own))
  })
})
