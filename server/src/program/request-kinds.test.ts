// The kinds of requests that admission control distinguishes.

import { platformOperations } from '@petstore-platform/contract/platform/operations'
import { expect, test } from 'vitest'
import { requestKindsOf } from './request-kinds.ts'

const requestKindOf = requestKindsOf('/platform/v1')

test.each([
  ['GET', '/livez', 'health'],
  ['GET', '/v1/pets?limit=10', 'read'],
  ['OPTIONS', '/v1/pets', 'read'],
  ['POST', '/v1/pets', 'write'],
  ['GET', '/assets/index.js', 'read'],
  ['GET', '/platform/v1/projects/north/animals.csv?status=sold', 'export'],
  ['GET', '/platform/v1/projects/north/animals', 'read'],
  ['POST', '/platform/v1/session', 'sign-in'],
  ['POST', '/platform/v1/%73ession', 'sign-in'],
  ['DELETE', '/platform/v1/session', 'write'],
  ['PUT', '/platform/v1/projects/north/imports/imp_1/parts/2', 'import'],
  ['GET', '/platform/v1/projects/north/domains/www.north.example/trace', 'trace'],
  ['POST', '/platform/v1/projects/north/orders/1/approve', 'write'],
] as const)('%s %s is of the kind %s', (method, url, kind) => {
  expect(requestKindOf(method, url)).toBe(kind)
})

test('every operation that responds with a stream of events is a stream', () => {
  const streams = platformOperations.filter(({ success }) => 'type' in success && success.type === 'text/event-stream')
  const kinds = streams.map(({ method, path }) =>
    requestKindOf(method, `/platform/v1${path.replaceAll(/\{\w+\}/g, 'any')}`),
  )
  expect([kinds.length > 0, new Set(kinds)]).toEqual([true, new Set(['stream'])])
})
