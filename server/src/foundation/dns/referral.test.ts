import { describe, expect, test } from 'vitest'
import { fakeAnswer as answer } from '../../../../testbed/evidence/answer.ts'
import type { DnsAnswer, DnsRecord } from './answer.ts'
import { isHelpful, referralIn } from './referral.ts'

const ns = (name: string, target: string): DnsRecord => ({ name, ttl: 60, type: 'NS', target })
const a = (name: string, address: string): DnsRecord => ({ name, ttl: 60, type: 'A', address })
const soa = (name: string): DnsRecord => ({ name, ttl: 60, type: 'SOA', primary: '', serial: 1, minimum: 60 })
const zone = 'test'
const hostname = 'shop.willow.test'

test('the parent zone gives the nameservers of the child zone, with addresses for names in its own', () => {
  const authority = [ns('willow.test', 'ns1.willow.test'), ns('willow.test', 'ns2.elsewhere.example')]
  const additional = [
    a('ns1.willow.test', '192.0.2.1'),
    a('ns2.elsewhere.example', '192.0.2.2'),
    a('x.test', '192.0.2.3'),
  ]
  expect(referralIn([answer({ authority, additional })], zone, hostname)).toEqual({
    apex: 'willow.test',
    nameservers: ['ns1.willow.test', 'ns2.elsewhere.example'],
    glue: [{ name: 'ns1.willow.test', address: '192.0.2.1' }],
  })
})

test('a server of both zones answers for the child zone itself', () => {
  const records = [ns('willow.test', 'ns1.willow.test')]
  expect(referralIn([answer({ records, isAuthoritative: true })], zone, hostname)?.apex).toBe('willow.test')
})

test('the nearest of several zones on the path counts', () => {
  const deep = answer({ authority: [ns('shop.willow.test', 'ns.deep.example')] })
  const near = answer({ authority: [ns('willow.test', 'ns.near.example')] })
  expect(referralIn([deep, near], zone, hostname)?.nameservers).toEqual(['ns.near.example'])
})

test('no more nameservers are kept than any zone has', () => {
  const authority = Array.from({ length: 50 }, (_, index) => ns('willow.test', `ns${index}.example`))
  expect(referralIn([answer({ authority })], zone, hostname)?.nameservers).toHaveLength(13)
})

describe('an answer counts as none if its server', () => {
  test.each<[string, Partial<DnsAnswer>]>([
    ['points up', { authority: [ns('', 'a.root.example')] }],
    ['points to its own zone', { authority: [ns('test', 'a.nic.test')] }],
    ['points sideways', { authority: [ns('other.test', 'ns.other.test')] }],
    ['points below the hostname', { authority: [ns('deep.shop.willow.test', 'ns.other.test')] }],
    ['refuses', { rcode: 'REFUSED', authority: [ns('willow.test', 'ns.other.test')] }],
    ['answers without authority', { records: [ns('willow.test', 'ns.other.test')] }],
  ])('%s', (_, changes) => {
    expect(referralIn([answer(changes)], zone, hostname)).toBeNull()
    expect(isHelpful(answer(changes), zone, hostname)).toBe(false)
  })
})

test('a negative answer of the zone itself is an answer', () => {
  const no = answer({ rcode: 'NXDOMAIN', isAuthoritative: true, authority: [soa('test')] })
  expect(referralIn([no], zone, hostname)).toBeNull()
  expect(isHelpful(no, zone, hostname)).toBe(true)
})
