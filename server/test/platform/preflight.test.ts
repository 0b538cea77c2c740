// Cross-origin requests to `/platform/v1`: for every operation of its OpenAPI document
// the preflight is compared with the response that follows it. A page of any origin may
// send what a script may send, with a token that it holds itself; credentials (the
// session cookie) are never allowed.
//
// The negative controls put a faulty preflight in the place of the real one.

import { platformDocument } from '@petstore-platform/contract/platform/document'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleInstallation } from '../../../tools/print-contract.ts'
import { expectRefusal } from '../v1/responses.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import { operationsOf, readDocument, type Operation } from '../../../testbed/harness/openapi.ts'
import { PLATFORM, startTestPlatform, type PlatformJson, type TestPlatform } from '../../../testbed/harness/platform.ts'

const operations = operationsOf(readDocument(platformDocument(exampleInstallation(PLATFORM))), PLATFORM)
const FOREIGN = 'https://shop.example'

type Send = (sent: RawRequest) => Promise<Pick<Received, 'status' | 'headers'>>

let platform: TestPlatform
let token: string
const send: Send = (sent) => exchange(platform.test.origin, sent)

beforeAll(async () => {
  platform = await startTestPlatform()
  const made = await (await platform.signUp()).send('POST', '/account/tokens', { label: 'page of another origin' })
  token = String((made.json as PlatformJson)['token'])
})

/** No project has this slug and nothing has this name; an unknown parameter is refused before anything is done. */
const targetOf = ({ path }: Operation) => `${PLATFORM}${path.replace(/\{\w+\}/g, 'never-was')}?never_a_parameter=1`
const allowedOf = (path: string) =>
  operations.filter((one) => one.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
const listOf = (text: unknown) => (typeof text === 'string' && text !== '' ? text.split(', ') : []).toSorted()

const ofEveryResponse = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-credentials',
] as const

/** Every difference between the preflight of an operation, the document and the response to the request. */
async function differencesOf(operation: Operation, ask: Send): Promise<string[]> {
  const { operationId, method, path, parameters } = operation
  const target = targetOf(operation)
  const wanted = [
    'Authorization',
    ...(operation.body ? ['Content-Type'] : []),
    ...parameters.filter((one) => one.in === 'header').map(({ name }) => name),
  ]
  const preflight = await ask({
    method: 'OPTIONS',
    path: target,
    headers: {
      Origin: FOREIGN,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': wanted.map((name) => name.toLowerCase()).join(','),
    },
  })
  const actual = await ask({ method, path: target, headers: { Origin: FOREIGN, Authorization: `Bearer ${token}` } })
  const found: string[] = []
  const see = (is: boolean, what: string) => void (is || found.push(`${operationId}: ${what}`))
  const { headers } = preflight
  const allowed = allowedOf(path).toSorted()
  const methods = listOf(headers['access-control-allow-methods'])
  see(preflight.status === 204, `the preflight is ${preflight.status}`)
  see(methods.join() === allowed.join(), `the preflight allows ${methods.join()}`)
  see(listOf(headers.allow).join() === [...allowed, 'OPTIONS'].toSorted().join(), `Allow is ${headers.allow}`)
  const headersAllowed = listOf(headers['access-control-allow-headers'])
  for (const name of wanted) see(headersAllowed.includes(name), `the preflight does not allow ${name}`)
  for (const name of ofEveryResponse) {
    see(headers[name] === actual.headers[name], `${name} is ${headers[name]}, then ${actual.headers[name]}`)
  }
  see(headers['access-control-allow-origin'] === '*', 'other origins are not allowed')
  see(headers['access-control-allow-credentials'] === undefined, 'credentials are allowed')
  return found
}

const allDifferences = async (ask: Send): Promise<string[]> => {
  const found: string[] = []
  for (const operation of operations) found.push(...(await differencesOf(operation, ask)))
  return found
}

describe('the preflight of /platform/v1', () => {
  test('agrees with the document and with the response, for every operation', async () => {
    expect(operations.length).toBeGreaterThan(50)
    expect(await allDifferences(send)).toEqual([])
  })

  test('allows what the preflight of /v1 allows', async () => {
    const ask = (path: string) => send({ method: 'OPTIONS', path, headers: { Origin: FOREIGN } })
    const [v1, own] = [(await ask('/v1/pets')).headers, (await ask(`${PLATFORM}/projects`)).headers]
    const names = ['access-control-allow-methods', 'access-control-max-age', 'cache-control', ...ofEveryResponse]
    for (const name of names) expect([name, own[name]]).toEqual([name, v1[name]])
    expect(own['access-control-allow-headers']).toBe(v1['access-control-allow-headers'])
    expect(v1['access-control-allow-headers']).toBe('Authorization, Content-Type, Idempotency-Key, If-None-Match')
  })

  test.each([
    ['/openapi.json', 'GET, HEAD'],
    ['/nowhere', ''],
    ['/%zz', ''],
  ])('of %s names its methods too', async (path, methods) => {
    const { status, headers } = await send({ method: 'OPTIONS', path: `${PLATFORM}${path}` })
    expect([status, headers['access-control-allow-methods']]).toEqual([204, methods])
    expect(headers.allow).toBe([methods, 'OPTIONS'].filter(Boolean).join(', '))
  })

  test('opens nothing to a session: a page of another origin changes nothing with a cookie', async () => {
    const mia = await platform.signUp()
    const rename = (headers: Record<string, string>) => mia.send('PATCH', '/account', { name: 'Mallory' }, headers)
    expectRefusal(await rename({ Origin: FOREIGN }), 403, 'foreign_origin')
    const byToken = await platform.anyone.send('GET', '/account', undefined, {
      Origin: FOREIGN,
      Authorization: `Bearer ${token}`,
    })
    expect(byToken.status).toBe(200)
  })
})

describe('the comparison reports', () => {
  type Headers = Record<string, string | string[] | undefined>
  const altered =
    (alter: (headers: Headers) => void): Send =>
    async (sent) => {
      const answer = await send(sent)
      const headers = { ...answer.headers }
      if (sent.method === 'OPTIONS') alter(headers)
      return { status: answer.status, headers }
    }
  const [first] = operations as [Operation]

  test.each<[what: string, found: RegExp, alter: (headers: Headers) => void]>([
    ['no methods', /allows $/, (headers) => delete headers['access-control-allow-methods']],
    ['other methods than Allow', /allows DELETE/, (headers) => (headers['access-control-allow-methods'] = 'DELETE')],
    ['another Allow', /Allow is GET/, (headers) => (headers['allow'] = 'GET')],
    [
      'no Authorization',
      /does not allow Authorization/,
      (headers) => (headers['access-control-allow-headers'] = 'Content-Type'),
    ],
    ['another origin', /allow-origin is null/, (headers) => (headers['access-control-allow-origin'] = 'null')],
    ['credentials', /credentials are allowed/, (headers) => (headers['access-control-allow-credentials'] = 'true')],
    [
      'other exposed headers',
      /expose-headers is Link/,
      (headers) => (headers['access-control-expose-headers'] = 'Link'),
    ],
  ])('%s (negative control)', async (_, found, alter) => {
    expect(await differencesOf(first, altered(alter))).toContainEqual(expect.stringMatching(found))
  })
})
