// The OpenAPI document matches the server: in paths, methods, parameters, bodies, statuses,
// headers and schemas. The document is read as plain JSON and the server is requested over
// HTTP; that one is generated from what the other runs on is not taken as a proof.
//
// The last part holds the negative controls: for every kind of difference a copy of the
// document is altered, and the comparison must report it.

import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { contractDocument } from '@petstore-platform/contract/document'
import { operations } from '@petstore-platform/contract/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleInstallation, printedContract, printedPath } from '../../../tools/print-contract.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { answerDifferences, type Witness } from './drift-responses.ts'
import { bodyDifferences, parameterDifferences, routeDifferences, type Probe } from '../../../testbed/harness/drift.ts'
import { exchange, type RawRequest } from '../../../testbed/harness/http.ts'
import { readDocument, type OpenApi } from '../../../testbed/harness/openapi.ts'
import type { Answered } from '../../../testbed/harness/response-checker.ts'
import { startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'

const document = contractDocument(exampleInstallation('/v1'))
const SUNSET = Date.parse('2030-12-05T00:00:00Z')
const REX = '{"name":"Rex","categoryId":1}'
const json = { 'Content-Type': 'application/json' }

let service: TestService
let probe: Probe
let witnesses: Witness[]

beforeAll(async () => {
  service = await startTestService()
  const { north } = service
  const ids: string[] = []
  for (const status of ['available', 'pending', 'sold']) ids.push(await add(north, status))
  for (let count = 0; count < 98; count++) ids.push(await add(north, 'available'))
  await addOrders(service, ids.slice(0, 21))
  const page = await north.get('/v1/pets?limit=1')
  probe = {
    send: (sent) => ask({ send: (one) => exchange(service.origin, withKey(north, one), connections) }, sent),
    known: { petId: ids[0] ?? '', cursor: /cursor=([\w-]+)/.exec(String(page.headers.link))?.[1] ?? '' },
    names: [...new Set([...operations.flatMap((one) => Object.keys(one.parameters)), ...commonNames])],
    paths: [...operations.map(({ path }) => path), ...neighbours],
  }
  witnesses = await witnessAll(service, ids.slice(0, 3))
})

const commonNames = [
  'page',
  'offset',
  'sort',
  'fields',
  'name',
  'id',
  'tags',
  'api_key',
  'access_token',
  'expand',
  '?limit',
]
const neighbours = [
  '',
  '/',
  '/pet',
  '/Pets',
  '//pets',
  '/pets.json',
  '/pets/1/',
  '/pets/1/photos',
  '/pets/findByStatus/sold',
  '/store',
  '/store/',
  '/store/orders/',
  '/store/orders/1',
  '/store/inventory',
  '/categories',
  '/keys',
  '/user',
  '/docs',
  '/health',
  '/openapi.yaml',
  '/v1/pets',
]

describe('The OpenAPI document and the server agree', () => {
  test('on every path and method, and nothing else under /v1 is routed', async () => {
    expect(await routeDifferences(readDocument(document), probe)).toEqual([])
  })

  test('on every parameter: its bounds, values, form, default, and that there are no others', async () => {
    expect(await parameterDifferences(readDocument(document), probe)).toEqual([])
  })

  test('on every field of a body: its type, constraints, default, and that there are no others', async () => {
    expect(await bodyDifferences(readDocument(document), probe)).toEqual([])
  })

  test('on every status of every operation, its schema and its headers', () => {
    expect(answerDifferences(readDocument(document), witnesses)).toEqual([])
  })

  test('since the served document is the generated one with the addresses of the installation', async () => {
    const served = await service.send({ path: '/v1/openapi.json' })
    expect(served.json).toEqual(JSON.parse(JSON.stringify(document)))
    expect(readFileSync(printedPath, 'utf8')).toBe(printedContract())
  })
})

describe('The comparison reports', () => {
  type Change = (copy: OpenApi) => void
  type Copy = { [name: string]: Copy }
  const change = (alter: (copy: Copy) => void): Change => alter as unknown as Change
  const comparers = {
    routes: routeDifferences,
    parameters: parameterDifferences,
    bodies: bodyDifferences,
    answers: (copy: OpenApi) => answerDifferences(copy, witnesses),
  }
  const list = (copy: Copy) => copy['paths']!['/pets']!['get']!
  const schemas = (copy: Copy) => copy['components']!['schemas']!
  const headers = (copy: Copy) => copy['components']!['headers']!
  const set = (target: Copy | undefined, name: string, value: unknown) => Reflect.set(target!, name, value)
  const drop = (target: Copy | undefined, name: string) => Reflect.deleteProperty(target!, name)
  const dropParameter = (copy: Copy, index: number) => (list(copy)['parameters'] as unknown as Copy[]).splice(index, 1)
  const limit = (copy: Copy) => list(copy)['parameters']![0]!['schema']
  const status = (copy: Copy) => schemas(copy)['PetStatus']
  const newPet = (copy: Copy) => schemas(copy)['NewPet']!['properties']!

  const cases: [what: string, alter: Change, by: keyof typeof comparers, notice: RegExp][] = [
    ['a dropped parameter', change((copy) => dropParameter(copy, 0)), 'parameters', /takes an undocumented limit/],
    ['a dropped filter', change((copy) => dropParameter(copy, 1)), 'parameters', /takes an undocumented status/],
    [
      'a dropped header parameter',
      change((copy) => set(copy['paths']!['/pets']!['post'], 'parameters', [])),
      'parameters',
      /reads an undocumented header Idempotency-Key/,
    ],
    [
      'a widened bound',
      change((copy) => set(limit(copy), 'maximum', 200)),
      'parameters',
      /listPets limit="200" is not accepted/,
    ],
    [
      'a narrowed bound',
      change((copy) => set(limit(copy), 'maximum', 50)),
      'parameters',
      /listPets limit="51" is accepted/,
    ],
    [
      'another lower bound',
      change((copy) => set(limit(copy), 'minimum', 0)),
      'parameters',
      /listPets limit="0" is not accepted/,
    ],
    [
      'another default',
      change((copy) => set(limit(copy), 'default', 21)),
      'parameters',
      /listPets limit has another default/,
    ],
    [
      'an enum value too many',
      change((copy) => set(status(copy), 'enum', ['available', 'pending', 'sold', 'lost'])),
      'parameters',
      /listPets status="lost" is not accepted/,
    ],
    [
      'an enum value too few',
      change((copy) => set(status(copy), 'enum', ['available', 'pending'])),
      'answers',
      /listPets 200 body: .*allowed values/,
    ],
    [
      'an enum value that no answer has',
      change((copy) => set(schemas(copy)['Order']!['properties']!['status'], 'enum', [...orderStatuses, 'lost'])),
      'answers',
      /listOrders 200\[\]\.status: lost was never sent/,
    ],
    [
      'a wider pattern',
      change((copy) => set(copy['paths']!['/pets']!['post']!['parameters']![0]!['schema'], 'pattern', '.')),
      'parameters',
      /createPet Idempotency-Key="a b" is not accepted/,
    ],
    [
      'a longer name',
      change((copy) => set(newPet(copy)['name'], 'maxLength', 300)),
      'bodies',
      /name="\\"a+… \(302\)" answers 400/,
    ],
    [
      'a shorter name',
      change((copy) => set(newPet(copy)['name'], 'maxLength', 200)),
      'bodies',
      /name="\\"a+… \(203\)" answers 201/,
    ],
    [
      'a field that is not required',
      change((copy) => set(schemas(copy)['NewPet'], 'required', [])),
      'bodies',
      /name missing/,
    ],
    [
      'a field of another type',
      change((copy) => set(newPet(copy), 'categoryId', { type: 'string' })),
      'bodies',
      /categoryId="\\"5\\"" answers 400/,
    ],
    [
      'an opened request',
      change((copy) => drop(schemas(copy)['NewPet'], 'additionalProperties')),
      'bodies',
      /createPet: an unknown field "extra" answers 400/,
    ],
    [
      'a closed answer',
      change((copy) => set(schemas(copy)['Pet'], 'additionalProperties', false)),
      'answers',
      /getPet 200: the answer is closed/,
    ],
    [
      'a field that answers do not have',
      change((copy) => set(schemas(copy)['Pet']!['properties'], 'photoUrls', { type: 'array' })),
      'answers',
      /getPet 200: photoUrls was never sent/,
    ],
    [
      'a field that the document does not have',
      change((copy) => drop(schemas(copy)['Order']!['properties'], 'shipDate')),
      'answers',
      /shipDate is sent and not documented/,
    ],
    [
      'a dropped status',
      change((copy) => drop(copy['paths']!['/pets/{petId}']!['get']!['responses'], '404')),
      'answers',
      /getPet 404 is not documented/,
    ],
    [
      'an added status',
      change((copy) => set(list(copy)['responses'], '404', { $ref: '#/components/responses/PetNotFound' })),
      'answers',
      /listPets 404 has no witness/,
    ],
    [
      'an added path',
      change((copy) => set(copy['paths'], '/store/inventory', { get: { ...list(copy), operationId: 'inventory' } })),
      'routes',
      /GET \/store\/inventory answers 404/,
    ],
    [
      'a dropped path',
      change((copy) => drop(copy['paths'], '/store/orders')),
      'routes',
      /undocumented GET \/store\/orders answers 200/,
    ],
    [
      'an added method',
      change((copy) => set(copy['paths']!['/pets'], 'delete', { ...list(copy), operationId: 'deletePets' })),
      'routes',
      /DELETE \/pets answers 405/,
    ],
    [
      'a renamed header',
      change((copy) => {
        const answer = list(copy)['responses']!['200']!['headers']!
        set(answer, 'Links', answer['Link'])
        Reflect.deleteProperty(answer, 'Link')
      }),
      'answers',
      /the header Links was never sent/,
    ],
    [
      'a dropped header',
      change((copy) => drop(list(copy)['responses']!['200']!['headers'], 'ETag')),
      'answers',
      /etag is sent and not documented/,
    ],
    [
      'a header of another form',
      change((copy) => set(headers(copy)['RetryAfter']!['schema'], 'maximum', 0)),
      'answers',
      /Retry-After: .*must be <= 0/,
    ],
    [
      'a shorter page',
      change((copy) => set(schemas(copy)['Pets'], 'maxItems', 50)),
      'answers',
      /must NOT have more than 50 items/,
    ],
    [
      'a longer page',
      change((copy) => set(schemas(copy)['Pets'], 'maxItems', 200)),
      'answers',
      /no list has 200 items/,
    ],
    [
      'another Error body',
      change((copy) => set(schemas(copy)['Error'], 'required', ['code', 'message', 'status', 'requestId'])),
      'answers',
      /must have required property 'requestId'/,
    ],
  ]

  test.each(cases)('%s (negative control)', async (_, alter, by, notice) => {
    const differences = await comparers[by](readDocument(document, alter), probe)
    expect(differences).toEqual(expect.arrayContaining([expect.stringMatching(notice)]))
  })
})

const orderStatuses = ['placed', 'approved', 'delivered', 'declined', 'expired']

async function add(tenant: Tenant, status: string): Promise<string> {
  const created = await tenant.post('/v1/pets', `{"name":"Rex","categoryId":1,"status":"${status}"}`)
  return /"id":(\d+)/.exec(created.text)?.[1] ?? ''
}

function addOrders({ database, north }: TestService, pets: readonly string[]): Promise<void> {
  return asOwner(database, async (client) => {
    await client.query(`select set_config('petstore.projects', $1, false)`, [`{${north.project}}`])
    for (const status of orderStatuses) {
      await client.query(
        `insert into orders (project_id, pet_id, status, ship_date, stage)
         select $1, pet, $3, case when $3 = 'delivered' then now() end,
           case $3 when 'placed' then 'new' when 'delivered' then 'completed' else $3 end
         from unnest($2::bigint[]) as pet`,
        [north.project, pets, status],
      )
    }
  })
}

const connections = new Agent({ keepAlive: true, maxSockets: 1 })
const withKey = ({ key }: Tenant, sent: RawRequest): RawRequest => ({
  ...sent,
  headers: { Authorization: `Bearer ${key}`, ...sent.headers },
})

async function ask(tenant: Pick<Tenant, 'send'>, sent: RawRequest): Promise<Answered> {
  const { status, headers, text } = await tenant.send(sent)
  return { method: sent.method ?? 'GET', target: sent.path, status, headers, text }
}

/** A request for every status of every operation, and the response to it. */
async function witnessAll(usual: TestService, ids: readonly string[]): Promise<Witness[]> {
  const { north, south, database } = usual
  const [after, strict, broken] = await Promise.all([
    startTestService({ now: () => SUNSET }),
    startTestService({ env: { RATE_LIMIT_PER_KEY: '1' } }),
    startTestService(),
  ])
  const found: Witness[] = []
  const see = async (
    operationId: string,
    status: number,
    by: Pick<Tenant, 'send'>,
    sent: RawRequest,
    isAnywhere = false,
  ) => void found.push({ operationId, status, isAnywhere, answered: await ask(by, sent) })
  const { key: narrow } = await usual.keyFor(north, { label: 'narrow', scopes: ['pets:read'] })
  const { key: orders } = await usual.keyFor(north, { label: 'orders', scopes: ['orders:read'] })
  const scoped = (key: string) => ({ Authorization: `Bearer ${key}` })

  const gets = { listPets: '/v1/pets', getPet: `/v1/pets/${ids[0]}`, listOrders: '/v1/store/orders' }
  for (const [operationId, path] of Object.entries(gets)) {
    await see(operationId, 200, north, { path })
    await see(operationId, 200, north, { path, method: 'HEAD' })
    await see(operationId, 304, north, { path, headers: { 'If-None-Match': '*' } })
    await see(operationId, 400, north, { path: `${path}?staus=sold` })
    await see(operationId, 401, usual, { path })
    await see(operationId, 401, usual, { path, headers: scoped('pets_live_nonsense') })
    await see(operationId, 403, north, { path, headers: scoped(operationId === 'listOrders' ? narrow : orders) })
    await see(operationId, 406, north, { path, headers: { Accept: 'text/html' } }, true)
    await see(operationId, 429, await spent(strict), { path })
    await see(operationId, 500, await crippled(broken), { path })
  }
  await see('listPets', 200, north, { path: '/v1/pets?limit=100' })
  await see('listOrders', 200, north, { path: '/v1/store/orders?limit=100' })
  await see('listPets', 200, south, { path: '/v1/pets' })
  for (const id of ids) await see('getPet', 200, north, { path: `/v1/pets/${id}` })
  await see('getPet', 404, south, { path: gets.getPet })
  await see('getPet', 410, after.north, { path: '/v1/pets/1' })

  const post = (body: string, headers: Record<string, string> = {}): RawRequest => ({
    method: 'POST',
    path: '/v1/pets',
    body,
    headers: { ...json, ...headers },
  })
  const keyed = (key: string) => ({ 'Idempotency-Key': key })
  for (const status of ['available', 'pending', 'sold']) {
    await see('createPet', 201, north, post(`{"name":"Mia","categoryId":-1,"status":"${status}"}`))
  }
  await see('createPet', 201, north, post(REX, keyed('once')))
  await see('createPet', 201, north, post(REX, keyed('once')))
  await see('createPet', 201, after.north, post(REX))
  await see('createPet', 400, north, post('{}'))
  await see('createPet', 401, usual, post(REX))
  await see('createPet', 403, north, post(REX, scoped(narrow)))
  await asOwner(database, async (client) => {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtextextended('running', $1))`, [north.project])
    await see('createPet', 409, north, post(REX, keyed('running')))
  })
  await see('createPet', 413, north, post(`{"name":"${'a'.repeat(17_000)}"}`))
  await see('createPet', 415, north, post(REX, { 'Content-Type': 'text/plain' }))
  await see('createPet', 415, north, post(REX, { 'Content-Encoding': 'gzip' }))
  await see('createPet', 422, north, post('{"name":"Other","categoryId":1}', keyed('once')))
  await see('createPet', 429, await spent(strict), post(REX))
  await see('createPet', 500, await crippled(broken), post(REX))
  await asOwner(database, async (client) => {
    await client.query('begin')
    await client.query('lock table pets in access exclusive mode')
    await see('createPet', 503, north, post(REX), true)
  })
  return found
}

/** A tenant whose quota of one request is used up. */
async function spent({ north }: TestService): Promise<Tenant> {
  await north.get('/v1/pets')
  return north
}

/** A tenant of a service without access to its own tables: as if a migration had gone wrong. */
async function crippled({ database, north }: TestService): Promise<Tenant> {
  await asOwner(database, (client) => client.query('revoke all on pets, orders from petstore_app'))
  return north
}
