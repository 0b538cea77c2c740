import { getPet } from '@petstore-platform/contract/operations'
import { expect, test } from 'vitest'
import * as texts from '../texts/texts.ts'
import { keyStatusOf } from './views.ts'

const now = Date.parse('2026-11-14T22:00:00Z')

test('a key works until its end, and not at its end', () => {
  expect(keyStatusOf({ revokedAt: null, expiresAt: null }, now)).toBe('accepted')
  expect(keyStatusOf({ revokedAt: null, expiresAt: '2026-11-14T22:00:01Z' }, now)).toBe('accepted')
  expect(keyStatusOf({ revokedAt: null, expiresAt: '2026-11-14T22:00:00Z' }, now)).toBe('expired')
})

test('a revoked key is shown as revoked, even after its expiry', () => {
  expect(keyStatusOf({ revokedAt: '2026-11-01T00:00:00Z', expiresAt: '2026-11-02T00:00:00Z' }, now)).toBe('revoked')
})

test('the day on which outdated calls end is the one that the interface names', () => {
  const day = new Date(getPet.deprecation.sunset).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  expect(texts.keys.deprecatedText).toContain(day)
})
