import { describe, expect, test } from 'vitest'
import type { Lookup, LookupOutcome } from '../../foundation/dns/answer.ts'
import { answer, evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import {
  addressesSeen,
  fullQueries,
  chainFrom,
  lightQueries,
  outsideQueries,
  resolverQueries,
  uncheckedQueries,
} from './query-plan.ts'

const host = { hostname: 'shop.willow.example', apex: 'willow.example' }
const inWords = (queries: readonly { name: string; type: string }[]) =>
  queries.map(({ name, type }) => `${name} ${type}`)

const target = 'happy-paws.petstore.example'
const alias = `shop.willow.example CNAME ${target}`
const token = '_petstore.shop.willow.example TXT petstore-verify=1'
const servfail = answer({ rcode: 'SERVFAIL', isAuthoritative: false })
const lookupsOf = (
  records: readonly string[],
  servers: Readonly<Record<string, readonly string[] | LookupOutcome>> = {},
) => evidenceOf({ hostname: host.hostname, records, servers }).looks

test('a full check queries every record in which a cause may show, each once', () => {
  expect(inWords(fullQueries(host, 'abc'))).toEqual([
    'shop.willow.example CNAME',
    'shop.willow.example A',
    'shop.willow.example AAAA',
    'shop.willow.example MX',
    'shop.willow.example TXT',
    'shop.willow.example NS',
    '_petstore.shop.willow.example TXT',
    'shop.willow.example CAA',
    'willow.example CAA',
    'willow.example SOA',
    'willow.example DNSKEY',
    'willow.example NS',
    'shop.willow.example.willow.example CNAME',
    'shop.willow.example.willow.example A',
    '_petstore.shop.willow.example.willow.example TXT',
    'petstore-wildcard-abc.willow.example CNAME',
    'petstore-wildcard-abc.willow.example A',
    '_acme-challenge.shop.willow.example CNAME',
    '_acme-challenge.shop.willow.example TXT',
  ])
})

test('an apex has no sibling to query, and no query is repeated', () => {
  const queries = inWords(fullQueries({ hostname: 'willow.example', apex: 'willow.example' }, 'abc'))
  expect(queries.filter((query) => query.includes('wildcard'))).toEqual([])
  expect(new Set(queries).size).toBe(queries.length)
})

test('a light check sends five queries', () => {
  expect(inWords(lightQueries(host))).toEqual([
    'shop.willow.example CNAME',
    'shop.willow.example A',
    'shop.willow.example AAAA',
    '_petstore.shop.willow.example TXT',
    'willow.example SOA',
  ])
})

test('names that are not the owner’s may be queried at resolvers at any time', () => {
  const deep = { hostname: 'shop.willow.co.example', apex: 'willow.co.example' }
  expect(inWords(outsideQueries(deep, target))).toEqual([
    `${target} CAA`,
    `${target} A`,
    `${target} AAAA`,
    'co.example CAA',
    'example CAA',
  ])
})

describe('the resolver queries for names of the owner', () => {
  const zone = ['willow.example SOA', 'willow.example NS']

  test('are sent when all nameservers agree, and only for records that exist', () => {
    expect(inWords(resolverQueries(host, lookupsOf([alias])))).toEqual([
      ...zone,
      'shop.willow.example CNAME',
      'shop.willow.example A',
      'shop.willow.example AAAA',
      // The answer to the A and AAAA queries is the CNAME, which exists.
    ])
    expect(inWords(resolverQueries(host, lookupsOf([alias, token])))).toContain('_petstore.shop.willow.example TXT')
    expect(inWords(resolverQueries(host, lookupsOf(['shop.willow.example A 192.0.2.1'])))).toEqual([
      ...zone,
      'shop.willow.example A',
    ])
  })

  test('are never sent for a name that does not exist yet, because resolvers would cache that', () => {
    expect(inWords(resolverQueries(host, lookupsOf([])))).toEqual(zone)
  })

  test('are not sent while nameservers disagree', () => {
    expect(resolverQueries(host, lookupsOf([alias], { 'ns2.dns.example': [] }))).toEqual([])
  })

  test('are sent when one nameserver is silent and the others agree', () => {
    const looks = lookupsOf([alias], { 'ns2.dns.example': { kind: 'silence', why: 'timeout' } })
    expect(inWords(resolverQueries(host, looks))).toContain('shop.willow.example CNAME')
  })

  test('are sent when no nameserver gives a usable answer, to find out why', () => {
    const silent = { 'ns1.dns.example': servfail, 'ns2.dns.example': { kind: 'silence', why: 'timeout' } } as const
    expect(inWords(resolverQueries(host, lookupsOf([], silent)))).toEqual([
      ...zone,
      'shop.willow.example CNAME',
      'shop.willow.example A',
      'shop.willow.example AAAA',
      '_petstore.shop.willow.example TXT',
    ])
  })

  test('are not sent when no nameserver was queried', () => {
    expect(resolverQueries(host, [])).toEqual([])
  })
})

test('only a resolver that fails is queried without validation', () => {
  const { looks } = evidenceOf({ hostname: host.hostname, records: [alias], checked: servfail })
  const some = looks.filter(({ name, type }) => name === host.hostname && type === 'A')
  expect(uncheckedQueries(some, host.apex)).toEqual([
    { name: host.hostname, type: 'A', address: '198.51.100.53' },
    { name: host.apex, type: 'DS', address: '198.51.100.53' },
  ])
  expect(uncheckedQueries(lookupsOf([alias]), host.apex)).toEqual([])
})

describe('an alias chain', () => {
  const chain = (...names: string[]): readonly Lookup[] =>
    lookupsOf(names.slice(1).map((name, index) => `${names[index] ?? ''} CNAME ${name}`))

  test('lists names in order', () => {
    expect(chainFrom('shop.willow.example', chain('shop.willow.example', 'b.example', 'c.example'))).toEqual([
      'b.example',
      'c.example',
    ])
  })

  test('ends where a name repeats', () => {
    expect(chainFrom('shop.willow.example', chain('shop.willow.example', 'b.example', 'shop.willow.example'))).toEqual([
      'b.example',
    ])
    expect(chainFrom('shop.willow.example', chain('shop.willow.example', 'shop.willow.example'))).toEqual([])
  })

  test('ends after ten names', () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.example`)
    expect(chainFrom('shop.willow.example', chain('shop.willow.example', ...names))).toHaveLength(10)
  })

  test('yields every address along the chain, and no other', () => {
    const looks = lookupsOf([alias, `${target} A 192.0.2.1`, 'other.example A 192.0.2.2'])
    expect(addressesSeen('shop.willow.example', looks)).toEqual(['192.0.2.1'])
  })
})
