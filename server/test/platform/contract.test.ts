// The OpenAPI document of `/platform/v1` matches the server: in paths, methods and
// authentication; and its examples match its schemas. The document is read as plain JSON,
// the server is requested over HTTP, and its routes are read from the router. Nothing here
// knows an operation by name.
//
// The last part holds the negative controls: for every kind of difference a copy is altered,
// and the comparison must report it.

import { readFileSync } from 'node:fs'
import { platformDocument } from '@petstore-platform/contract/platform/document'
import { beforeAll, describe, expect, test } from 'vitest'
import { exampleInstallation, printedPlatform, printedPlatformPath } from '../../../tools/print-contract.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  operationsOf,
  readDocument,
  type OpenApi,
  type Operation,
  type Schema,
} from '../../../testbed/harness/openapi.ts'
import { PLATFORM_PREFIX } from '../../../testbed/harness/platform-headers.ts'
import { PLATFORM, startTestPlatform, type PersonClient, type TestPlatform } from '../../../testbed/harness/platform.ts'
import { createValidator } from '../../../testbed/harness/response-checker.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']
const installation = exampleInstallation(PLATFORM_PREFIX)
const document = readDocument(platformDocument(installation))

let platform: TestPlatform
let person: PersonClient

beforeAll(async () => {
  platform = await startTestPlatform()
  person = await platform.signUp()
})

describe('The OpenAPI document and the server agree', () => {
  test('on every path and its methods, for a signed-in person', async () => {
    expect(await methodDifferences(document)).toEqual([])
  })

  test('on the need to be signed in, which is checked before anything about a path is revealed', async () => {
    expect(await entranceDifferences(document)).toEqual([])
  })

  test('on all mounted routes: there is none besides the operations and the document', () => {
    expect(mountedDifferences(document, mountedRoutes())).toEqual([])
  })

  test('since the served document is the generated one with the addresses of the installation', async () => {
    const served = await platform.anyone.send('GET', '/openapi.json')
    expect(served.status).toBe(200)
    expect(served.json).toEqual(JSON.parse(JSON.stringify(platformDocument(installation))))
    const printed = readFileSync(printedPlatformPath, 'utf8')
    expect(printed).toBe(printedPlatform())
    expect({ ...(JSON.parse(printed) as object), servers: [] }).toEqual({ ...(served.json as object), servers: [] })
  })

  test('on the examples of requests and responses', () => {
    expect(exampleFaults(document)).toEqual([])
  })
})

describe('The comparison reports', () => {
  type Copy = { [name: string]: Copy }
  const changed = (alter: (copy: Copy) => void) =>
    readDocument(platformDocument(installation), alter as unknown as (copy: OpenApi) => void)
  const account = (copy: Copy) => copy['paths']!['/account']!
  const accountSchema = (copy: Copy) => copy['components']!['schemas']!['Account']!

  test('a dropped path, a dropped method, and ones that do not exist (negative control)', async () => {
    const dropped = changed((copy) => Reflect.deleteProperty(copy['paths']!, '/account'))
    const added = changed((copy) => Reflect.set(copy['paths']!, '/inventory', account(copy)))
    const narrowed = changed((copy) => Reflect.deleteProperty(account(copy), 'patch'))
    const widened = changed((copy) => Reflect.set(account(copy), 'put', account(copy)['get']))
    expect(mountedDifferences(dropped, mountedRoutes())).toContain('GET /account is mounted and not documented')
    expect(mountedDifferences(added, mountedRoutes())).toContain('GET /inventory is documented and not mounted')
    expect(await methodDifferences(added)).toContain('GET /inventory answers 404')
    expect(await methodDifferences(narrowed)).toContain('PATCH /account answers 400')
    expect(await methodDifferences(widened)).toContain('PUT /account answers 405')
  })

  test('an operation that is wrongly public, and one that is wrongly not (negative control)', async () => {
    const opened = changed((copy) => Reflect.set(account(copy)['get']!, 'security', []))
    const closed = changed((copy) => Reflect.deleteProperty(copy['paths']!['/accounts']!['post']!, 'security'))
    expect(await entranceDifferences(opened)).toContain('GET /account answers 401 to a stranger')
    expect(await entranceDifferences(closed)).toContain('POST /accounts answers 400 to a stranger')
  })

  test('an example that the schema does not allow (negative control)', () => {
    const wrong = changed((copy) => Reflect.set(accountSchema(copy)['properties']!, 'id', { type: 'integer' }))
    expect(exampleFaults(wrong)).toContainEqual(expect.stringMatching(/^getAccount 200: .*id must be integer/))
  })
})

const pathsOf = (operations: readonly Operation[]) => [...new Set(operations.map(({ path }) => path))]

/** No project has this slug and nothing has this name, so no request changes anything. */
const filled = (path: string) => path.replace(/\{\w+\}/g, 'never-was')

/** The methods of a path with a parameter also apply where a path without one has fewer. */
const methodsOf = (operations: readonly Operation[], path: string) => [
  ...operations
    .filter((one) => one.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  'OPTIONS',
]

const isNowhere = ({ status, text }: Received) => status === 404 && text.includes('No resource exists at this path.')

/** An unknown parameter is refused before anything is done. */
const HARMLESS = '?never_a_parameter=1'

async function methodDifferences(copy: OpenApi): Promise<string[]> {
  const operations = operationsOf(copy, PLATFORM_PREFIX)
  const found: string[] = []
  for (const path of pathsOf(operations)) {
    const allowed = methodsOf(operations, path)
    for (const method of METHODS) {
      const answer = await person.send(method, `${filled(path)}${HARMLESS}`)
      const isRefused = answer.status === 405 || isNowhere(answer) || (method === 'HEAD' && answer.status === 405)
      if (allowed.includes(method) === isRefused) found.push(`${method} ${path} answers ${answer.status}`)
      const listsMethods = method === 'OPTIONS' || answer.status === 405
      const allow = String(answer.headers.allow)
      if (listsMethods && !sameItems(allow.split(', '), allowed)) found.push(`${method} ${path} allows ${allow}`)
    }
  }
  return found
}

const sameItems = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join() === [...other].sort().join()

const isOpen = (copy: OpenApi, { method, path }: Operation): boolean => {
  const { security } = (copy.paths[path] as Record<string, { security?: unknown[] }>)[method.toLowerCase()] ?? {}
  return security?.length === 0
}

async function entranceDifferences(copy: OpenApi): Promise<string[]> {
  const operations = operationsOf(copy, PLATFORM_PREFIX)
  const found: string[] = []
  const see = async (method: string, path: string, isLetIn: boolean) => {
    const { status, headers } = await platform.anyone.send(method, `${filled(path)}${HARMLESS}`)
    const isRight = isLetIn ? status === 400 : status === 401 && headers['www-authenticate'] !== undefined
    if (!isRight) found.push(`${method} ${path} answers ${status} to a stranger`)
  }
  for (const path of pathsOf(operations)) {
    for (const method of METHODS.filter((one) => one !== 'OPTIONS')) {
      // HEAD is allowed wherever GET is.
      const asked = method === 'HEAD' ? 'GET' : method
      const operation = operations.find((one) => one.path === path && one.method === asked)
      await see(method, path, operation !== undefined && isOpen(copy, operation))
    }
  }
  for (const path of ['/', '/nowhere', '/projects/never-was/nowhere', '/openapi.yaml', '/%zz'])
    await see('GET', path, false)
  return found
}

/** The router's entries below the prefix: methods and patterns. */
function mountedRoutes(): string[] {
  const parents: string[] = []
  const found: string[] = []
  const tree = platform.test.service.app.printRoutes({ commonPrefix: false, includeHooks: false })
  for (const line of tree.split('\n').filter((one) => one.trim() !== '')) {
    const [, indent = '', text = ''] = /^([│├└─\s]*)(.*)$/.exec(line) ?? []
    const [, piece = '', methods] = /^(.*?)(?: \(([A-Z, -]+)\))?$/.exec(text) ?? []
    const depth = indent.length / 4
    parents.length = depth
    parents.push(piece)
    const path = parents.join('')
    if (!path.startsWith(`${PLATFORM}/`) || methods === undefined) continue
    found.push(...methods.split(', ').map((method) => `${method} ${path.slice(PLATFORM.length)}`))
  }
  return found
}

function mountedDifferences(copy: OpenApi, mounted: readonly string[]): string[] {
  const patterned = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')
  const documented = operationsOf(copy, PLATFORM_PREFIX).flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((one) => `${one} ${patterned(path)}`),
  )
  const all = [...documented, 'GET /openapi.json', 'HEAD /openapi.json']
  return [
    ...mounted.filter((one) => !all.includes(one)).map((one) => `${one} is mounted and not documented`),
    ...all.filter((one) => !mounted.includes(one)).map((one) => `${one} is documented and not mounted`),
  ]
}

type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Bodied = { content?: Record<string, Media> }

function exampleFaults(copy: OpenApi): string[] {
  const faultOf = createValidator()
  const found: string[] = []
  const look = (what: string, { content = {} }: Bodied) => {
    for (const { schema, example, examples = {} } of Object.values(content)) {
      const values = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)]
      if (schema?.type !== 'string' && schema && values.length === 0) found.push(`${what}: there is no example`)
      for (const value of schema ? values : []) {
        const fault = faultOf(schema as Schema, value)
        if (fault !== undefined) found.push(`${what}: ${fault}`)
      }
    }
  }
  for (const methods of Object.values(copy.paths)) {
    for (const raw of Object.values(methods) as { operationId: string; requestBody?: Bodied; responses: object }[]) {
      if (raw.requestBody) look(`${raw.operationId} request`, raw.requestBody)
      for (const [status, response] of Object.entries(raw.responses))
        look(`${raw.operationId} ${status}`, response as Bodied)
    }
  }
  return found
}
