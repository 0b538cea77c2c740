// Light checks: what triggers a full check, and what does not.

import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../foundation/time.ts'
import { evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import { initialState } from './lifecycle.ts'
import { answersOf, firstCheckOf, hasChanged, slugsIn, wantsFull } from './light-check.ts'

const hostname = 'shop.example.com'
const record = `${hostname} CNAME other.example.net`
const full = evidenceOf({ hostname, records: [record] })
const silence = { kind: 'silence', why: 'timeout' } as const

describe('a light check', () => {
  test.each([
    ['with the same answers triggers no full check', evidenceOf({ hostname, records: [record] }), false],
    [
      'with a different time to live triggers no full check',
      evidenceOf({ hostname, records: [record], ttl: 60 }),
      false,
    ],
    [
      'with a different record triggers a full check',
      evidenceOf({ hostname, records: [`${hostname} A 192.0.2.1`] }),
      true,
    ],
    [
      'with an additional record triggers a full check',
      evidenceOf({ hostname, records: [record, `_petstore.${hostname} TXT x`] }),
      true,
    ],
    ['with the record missing triggers a full check', evidenceOf({ hostname, records: [] }), true],
    [
      'without any answer triggers no full check',
      evidenceOf({ hostname, records: [], servers: { 'ns1.dns.example': silence, 'ns2.dns.example': silence } }),
      false,
    ],
  ])('%s', (_, light, isNew) => {
    expect(hasChanged(answersOf(full), light)).toBe(isNew)
  })
})

test('full checks run at first, every quarter of an hour, when a cause ends, and often while only time is needed', () => {
  const now = Date.UTC(2027, 0, 1)
  const life = { ...initialState('dom_1', now), checkedAt: now }
  const owners = { ...life, cause: 'dns.no_record', severity: 'blocks' } as const
  const waits = { ...life, cause: 'prop.old_ttl', severity: 'waits', causeUntil: now + 5 * MINUTE } as const
  expect(wantsFull(owners, null, now)).toBe(true)
  expect(wantsFull(owners, now, now + 14 * MINUTE)).toBe(false)
  expect(wantsFull(owners, now, now + 15 * MINUTE)).toBe(true)
  expect(wantsFull(waits, now, now + 5000)).toBe(false)
  expect(wantsFull(waits, now, now + 15_000)).toBe(true)
  expect(wantsFull(waits, now + 5 * MINUTE - 1, now + 5 * MINUTE)).toBe(true)
  expect(wantsFull({ ...owners, driftChecks: 1 }, now, now + 1000)).toBe(true)
})

test('a block on a hostname with correct records is checked in full often, since light checks do not query it', () => {
  const now = Date.UTC(2027, 0, 1)
  const right = { ...initialState('dom_1', now), checkedAt: now, ownership: 'proven', routing: 'pointing' } as const
  const blocked = { ...right, cause: 'caa.blocked', severity: 'blocks' } as const
  expect(wantsFull(blocked, now, now + 14_999)).toBe(false)
  expect(wantsFull(blocked, now, now + 15_000)).toBe(true)
  expect(wantsFull(right, now, now + 14 * MINUTE)).toBe(false)
})

test('the first check is kept with the time for which resolvers may cache its answers', () => {
  const there = firstCheckOf(evidenceOf({ hostname, records: [record], ttl: 600, at: 1000 }))
  expect(there).toMatchObject({ at: 1000, rememberedUntil: 601_000, values: ['CNAME other.example.net'] })
  // No record: the SOA gives the negative caching time.
  expect(firstCheckOf(evidenceOf({ hostname, records: [], at: 1000 }))).toMatchObject({
    rememberedUntil: 301_000,
    values: [],
  })
})

test('only names under the platform host are recognised as slugs', () => {
  const seen = evidenceOf({
    hostname,
    records: [`${hostname} CNAME happy-paws.petstore.example`, `x.${hostname} CNAME a.b.petstore.example`],
  })
  expect(slugsIn(seen, 'petstore.example')).toEqual(['happy-paws'])
  expect(
    slugsIn(evidenceOf({ hostname, records: [`${hostname} CNAME evilpetstore.example`] }), 'petstore.example'),
  ).toEqual([])
})
