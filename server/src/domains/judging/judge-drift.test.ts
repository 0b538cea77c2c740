// Tests of a live name that no longer points to us.

import { describe, expect, test } from 'vitest'
import type { Known } from '../observing/evidence.ts'
import { nothingKnown } from '../observing/evidence.ts'
import { answer, evidenceOf, wantedFor } from '../../../../testbed/evidence/evidence.ts'
import { judge } from './judge.ts'

const www = 'www.happypaws.example'
const target = 'happy-paws.petstore.example'
const live: Partial<Known> = { isLive: true, isProven: true }

function rootOf(given: Partial<Parameters<typeof evidenceOf>[0]>, known: Partial<Known> = live) {
  const evidence = evidenceOf({ hostname: www, records: [], ...given })
  return judge({ wanted: wantedFor(evidence.hostname), evidence, known: { ...nothingKnown, ...known } }, evidence.at)
}

const codes = (...args: Parameters<typeof rootOf>) => rootOf(...args).troubles.map(({ code }) => code)

describe('a live name', () => {
  test('that points elsewhere is reported with the new target, and with both options', () => {
    const [root] = rootOf({ records: [`${www} CNAME shop.other.example`] }).troubles
    expect(root).toMatchObject({ code: 'drift.pointed_away', severity: 'blocks', actor: 'owner' })
    expect(root?.advice).toBe(
      'www.happypaws.example now points to `shop.other.example`. If you moved it on purpose, choose Remove; otherwise restore the record.',
    )
    expect(codes({ records: [`${www} A 203.0.113.7`] })).toEqual(['drift.pointed_away'])
  })

  test('that has another record next to ours has a mistake, and has not moved', () => {
    expect(codes({ records: [`${www} CNAME ${target}`, `${www} AAAA 2001:db8::66`] })).not.toContain(
      'drift.pointed_away',
    )
  })

  test('whose record is gone must have it restored', () => {
    expect(codes({ records: [] })).toEqual(['dns.no_record', 'own.lost'])
  })

  test('whose nameservers are parking nameservers has expired', () => {
    const delegated = ['ns1.sedoparking.com', 'ns2.sedoparking.com']
    expect(codes({ records: [`${www} A 203.0.113.7`], delegated })).toEqual(['drift.domain_expired'])
  })

  test('that is unchanged, or cannot be queried, has not drifted', () => {
    expect(codes({ records: [`${www} CNAME ${target}`] })).toEqual([])
    const dead = { kind: 'silence', why: 'timeout' } as const
    expect(codes({ servers: { 'ns1.dns.example': dead, 'ns2.dns.example': dead } })).toEqual(['zone.ns_unreachable'])
    const failing = answer({ rcode: 'SERVFAIL' })
    expect(codes({ servers: { 'ns1.dns.example': failing, 'ns2.dns.example': failing } })).not.toContain(
      'drift.pointed_away',
    )
  })
})

test('a name that was never live has not drifted', () => {
  expect(codes({ records: [`${www} CNAME shop.other.example`] }, {})).toEqual(['dns.cname_wrong'])
})
