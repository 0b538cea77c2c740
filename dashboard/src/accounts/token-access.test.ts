import { expect, test } from 'vitest'
import { accessOf, scopesOf } from './token-access.ts'

test.each(['read', 'full', 'write'] as const)('the scopes of the access %s are shown as it', (access) => {
  expect(accessOf(scopesOf(access))).toBe(access)
})

test('a token with both scopes has full access, in whichever order they come', () => {
  expect(accessOf(['write', 'read'])).toBe('full')
})
