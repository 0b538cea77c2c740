import type { OperationShape } from '@petstore-platform/contract/operation'
import { expect, test } from 'vitest'
import { pathsOf } from './paths.ts'
import { Refusal } from '../refusal.ts'

const operation = (method: OperationShape['method'], path: string): OperationShape => ({
  operationId: `${method}${path}`,
  method,
  path,
  tag: 'test',
  summary: '',
  description: '',
  parameters: {},
  success: { status: 204, description: '', headers: [] },
  otherStatuses: [],
})
const paths = pathsOf(
  '/x',
  [
    operation('GET', '/pets'),
    operation('POST', '/pets'),
    operation('GET', '/pets/{id}'),
    operation('PUT', '/pets/all'),
  ],
  '/openapi.json',
)
const refusalOf = (method: string, url: string) => {
  try {
    return paths.refuse({ method, url }, (path) => new Refusal('malformed_request', path))
  } catch (error) {
    return error as Refusal
  }
}

test.each([
  ['/x/pets', '/pets'],
  ['/x/pets?limit=1', '/pets'],
  ['http://elsewhere/x/pets', '/pets'],
  ['/x/p%65ts', '/pets'],
  ['/x/pets/7', '/pets/{id}'],
  ['/x/pets/%zz', '/pets/{id}'],
  ['/x/pets/all', '/pets/all'],
  ['/x/openapi.json', '/openapi.json'],
  ['/x/openapixjson', undefined],
  ['/x/pets/7/8', undefined],
  ['/y/pets', undefined],
  ['/x/', undefined],
])('the target %s matches %s', (url, path) => {
  expect(paths.pathOf(url)).toBe(path)
})

test('the allowed methods of a path come from its operations', () => {
  expect(paths.allowOf('/pets')).toBe('GET, HEAD, POST, OPTIONS')
  expect(paths.allowOf('/pets/{id}')).toBe('GET, HEAD, OPTIONS')
  expect(paths.allowOf('/openapi.json')).toBe('GET, HEAD, OPTIONS')
  expect(paths.allowOf(undefined)).toBe('OPTIONS')
})

test('an unknown path is not found, and a known one rejects other methods', () => {
  expect(refusalOf('GET', '/x/none')).toMatchObject({ code: 'not_found' })
  expect(refusalOf('DELETE', '/x/pets')).toMatchObject({
    code: 'method_not_allowed',
    headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
  })
})

test("a known path with the right method was unreadable, and the contract's own refusal is thrown", () => {
  expect(refusalOf('GET', '/x/pets/%zz')).toMatchObject({ code: 'malformed_request', message: '/pets/{id}' })
})
