// The DNS changes ahead, in sentences that an owner reads once and understands.

import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import { nothingKnown, wantedOf } from '../observing/evidence.ts'
import { judge } from '../judging/judge.ts'
import type { RecordAdvice } from '../judging/judgement.ts'
import { needsOf } from './setup-summary.ts'

const cloudflare = { id: 'cloudflare', name: 'Cloudflare', dnsPage: null }

const record = (given: Partial<RecordAdvice>): RecordAdvice => ({
  type: 'CNAME',
  name: 'shop',
  fullName: 'shop.paws.com',
  value: 'paws.petstore.example',
  ttl: 3600,
  have: [],
  state: 'missing',
  action: 'add',
  isRequired: true,
  ...given,
})
const atApex = { name: '@', fullName: 'paws.com' }
const token = record({ type: 'TXT', name: '_petstore', fullName: '_petstore.paws.com' })

const needs = (
  records: readonly RecordAdvice[],
  { hostname = 'shop.paws.com', provider = null as typeof cloudflare | null, isProofToCome = false } = {},
) => needsOf({ hostname, judgement: { records, provider }, isProofToCome })

describe('The setup summary', () => {
  test('of a subdomain is one record, with the zone in which to create it', () => {
    expect(needs([record({})], { provider: cloudflare })).toEqual(['One record at Cloudflare: a CNAME for shop.'])
  })

  test('of an apex has two records', () => {
    expect(needs([record({ ...atApex, type: 'ALIAS' }), token], { hostname: 'paws.com' })).toEqual([
      'Two records: an ALIAS for the domain itself, and a TXT record that proves it is yours.',
    ])
  })

  test('of an apex that was not added yet has two records too, and the value of the second comes later', () => {
    expect(needs([record({ ...atApex, type: 'ANAME' })], { hostname: 'paws.com', isProofToCome: true })).toEqual([
      'Two records: an ANAME for the domain itself, and a TXT record that proves it is yours.',
      'We show you the value of the TXT record when you add the domain.',
    ])
  })

  test('begins with conflicting records', () => {
    expect(needs([record({ action: 'delete_others', state: 'conflicting', have: ['A 192.0.2.7'] })])).toEqual([
      'First delete the other records for shop, which are in the way.',
      'One record: a CNAME for shop.',
    ])
  })

  test('names what replaces a record, and leaves out correct ones', () => {
    const records = [
      record({ action: 'change', state: 'wrong' }),
      { ...token, action: 'keep', state: 'right' } as const,
    ]
    expect(needs(records)).toEqual(['One record: a CNAME for shop, in place of the current record.'])
    expect(needs([{ ...token, action: 'change' }])).toEqual([
      'One record: a TXT record that proves it is yours, in place of the current one.',
    ])
  })

  test('counts addresses, and marks those that are optional', () => {
    const address = (type: 'A' | 'AAAA', value: string) => record({ ...atApex, type, value, isRequired: type === 'A' })
    const records = [address('A', '192.0.2.10'), address('A', '192.0.2.11'), address('AAAA', '2001:db8::10'), token]
    expect(needs(records, { hostname: 'paws.com' })).toEqual([
      'Three records: two A records for the domain itself, and a TXT record that proves it is yours.',
      'Also recommended: an AAAA record for the domain itself.',
    ])
  })

  test('names a zone that is not the domain by its name', () => {
    expect(needs([record({}), record({ ...atApex, type: 'CAA' })])).toEqual([
      'Two records: a CNAME for shop, and a CAA record for paws.com that allows our certificate authority.',
    ])
  })

  test('is empty where all records are correct or propagating, and states where DNS could not be determined', () => {
    expect(needs([record({ action: 'keep', state: 'right' })])).toEqual(['Nothing: all records are already in place.'])
    expect(needs([record({ action: 'wait', state: 'right' })])).toEqual([
      'Nothing more: the records exist but are not visible everywhere yet.',
    ])
    expect(needs([record({ action: 'wait', state: 'unknown' })])).toEqual([
      'We could not find out which records exist now. Check again in a few minutes.',
    ])
  })

  test('is the same for a real judgement as for a constructed one', () => {
    const platform = { host: 'petstore.example', addresses: ['192.0.2.10'], formerAddresses: [], authorities: [] }
    const wanted = wantedOf(platform, 'paws', 'shop.paws.com', null)
    const evidence = evidenceOf({
      hostname: 'shop.paws.com',
      apex: 'paws.com',
      records: ['shop.paws.com A 203.0.113.9'],
    })
    const judgement = judge({ wanted, evidence, known: nothingKnown }, evidence.at)
    expect(needsOf({ hostname: 'shop.paws.com', judgement, isProofToCome: false })).toEqual([
      'First delete the other records for shop, which are in the way.',
      'One record: a CNAME for shop.',
    ])
  })
})
