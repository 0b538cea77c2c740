// The token of a form: valid for one animal of one project, for two hours.

import { expect, test } from 'vitest'
import type { ProjectId } from '../../projects/scope.io.ts'
import { isForeign, isTokenGood, tokenAt } from './csrf-token.io.ts'

const HOUR = 3_600_000
const deps = { secret: Buffer.alloc(32, 1), project: 5n as ProjectId, of: 7n }

test('a token is valid from the moment it is created, for two hours, and no longer', () => {
  for (const at of [0, 17, HOUR - 1]) {
    const token = tokenAt(deps, at)
    expect([0, 1, 2].map((hours) => isTokenGood(deps, token, at + hours * HOUR))).toEqual([true, true, true])
    expect(isTokenGood(deps, token, at + 3 * HOUR)).toBe(false)
    expect(isTokenGood(deps, token, at - HOUR)).toBe(false)
  }
})

test('a token is valid for nothing else', () => {
  const token = tokenAt(deps, 0)
  expect(isTokenGood({ ...deps, of: 8n }, token, 0)).toBe(false)
  expect(isTokenGood({ ...deps, project: 6n as ProjectId }, token, 0)).toBe(false)
  expect(isTokenGood({ ...deps, secret: Buffer.alloc(32, 2) }, token, 0)).toBe(false)
  // Concatenated numbers would be the same text.
  expect(tokenAt({ ...deps, project: 57n as ProjectId, of: 7n }, 0)).not.toBe(tokenAt({ ...deps, of: 77n }, 0))
})

const host = 'north.petstore.test:3080'

test.each([
  [{ origin: undefined, fetchSite: undefined }, false],
  [{ origin: 'http://north.petstore.test:3080', fetchSite: 'same-origin' }, false],
  [{ origin: 'https://NORTH.petstore.test:3080', fetchSite: undefined }, false],
  [{ origin: undefined, fetchSite: 'none' }, false],
  [{ origin: 'http://north.petstore.test', fetchSite: undefined }, true],
  [{ origin: 'null', fetchSite: 'same-origin' }, true],
  [{ origin: 'http://north.petstore.test:3080', fetchSite: 'same-site' }, true],
  [{ origin: 'http://south.petstore.test:3080', fetchSite: undefined }, true],
])('%j is foreign: %s', (from, isTrue) => {
  expect(isForeign({ ...from, host })).toBe(isTrue)
})
