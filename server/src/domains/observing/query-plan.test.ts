import { describe, expect, test } from 'vitest'
import type { Lookup, LookupOutcome } from '../../foundation/dns/answer.ts'
import { answer, evidenceOf } from './evidence.fake.ts'
import {
  addressesSeen,
  fullQueries,
  chainFrom,
  lightQueries,
  outsideQueries,
  resolverQueries,
  uncheckedQueries,
} from './query-plan.ts'

const place = { hostname: 'shop.willow.example', apex: 'willow.example' }
const inWords = (questions: readonly { name: string; type: string }[]) =>
  questions.map(({ name, type }) => `${name} ${type}`)

const target = 'happy-paws.petstore.example'
const alias = `shop.willow.example CNAME ${target}`
const token = '_petstore.shop.willow.example TXT petstore-verify=1'
const servfail = answer({ rcode: 'SERVFAIL', isAuthoritative: false })
const looksAt = (
  records: readonly string[],
  servers: Readonly<Record<string, readonly string[] | LookupOutcome>> = {},
) => evidenceOf({ hostname: place.hostname, records, servers }).looks

test('a full look asks for everything that a cause may show in, each once', () => {
  expect(inWords(fullQueries(place, 'abc'))).toEqual([
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

test('an apex has no sibling to ask for, and no question is asked twice', () => {
  const questions = inWords(fullQueries({ hostname: 'willow.example', apex: 'willow.example' }, 'abc'))
  expect(questions.filter((question) => question.includes('wildcard'))).toEqual([])
  expect(new Set(questions).size).toBe(questions.length)
})

test('a look in passing asks five questions', () => {
  expect(inWords(lightQueries(place))).toEqual([
    'shop.willow.example CNAME',
    'shop.willow.example A',
    'shop.willow.example AAAA',
    '_petstore.shop.willow.example TXT',
    'willow.example SOA',
  ])
})

test('names that are not the owner’s are asked of resolvers at any time', () => {
  const deep = { hostname: 'shop.willow.co.example', apex: 'willow.co.example' }
  expect(inWords(outsideQueries(deep, target))).toEqual([
    `${target} CAA`,
    `${target} A`,
    `${target} AAAA`,
    'co.example CAA',
    'example CAA',
  ])
})

describe('resolvers are asked for the owner’s names', () => {
  const zone = ['willow.example SOA', 'willow.example NS']

  test('when all nameservers agree, and only for what is there', () => {
    expect(inWords(resolverQueries(place, looksAt([alias])))).toEqual([
      ...zone,
      'shop.willow.example CNAME',
      'shop.willow.example A',
      'shop.willow.example AAAA',
      // The answer to that question is the CNAME, which is there.
    ])
    expect(inWords(resolverQueries(place, looksAt([alias, token])))).toContain('_petstore.shop.willow.example TXT')
    expect(inWords(resolverQueries(place, looksAt(['shop.willow.example A 192.0.2.1'])))).toEqual([
      ...zone,
      'shop.willow.example A',
    ])
  })

  test('never for a name that does not exist yet: they would remember that', () => {
    expect(inWords(resolverQueries(place, looksAt([])))).toEqual(zone)
  })

  test('not at all while nameservers disagree', () => {
    expect(resolverQueries(place, looksAt([alias], { 'ns2.dns.example': [] }))).toEqual([])
  })

  test('when one is silent and the others agree', () => {
    const looks = looksAt([alias], { 'ns2.dns.example': { kind: 'silence', why: 'timeout' } })
    expect(inWords(resolverQueries(place, looks))).toContain('shop.willow.example CNAME')
  })

  test('when no nameserver can tell anything, to learn why', () => {
    const silent = { 'ns1.dns.example': servfail, 'ns2.dns.example': { kind: 'silence', why: 'timeout' } } as const
    expect(inWords(resolverQueries(place, looksAt([], silent)))).toEqual([
      ...zone,
      'shop.willow.example CNAME',
      'shop.willow.example A',
      'shop.willow.example AAAA',
      '_petstore.shop.willow.example TXT',
    ])
  })

  test('not when nobody was asked', () => {
    expect(resolverQueries(place, [])).toEqual([])
  })
})

test('only a resolver that fails is asked without validation', () => {
  const { looks } = evidenceOf({ hostname: place.hostname, records: [alias], checked: servfail })
  const some = looks.filter(({ name, type }) => name === place.hostname && type === 'A')
  expect(uncheckedQueries(some, place.apex)).toEqual([
    { name: place.hostname, type: 'A', address: '198.51.100.53' },
    { name: place.apex, type: 'DS', address: '198.51.100.53' },
  ])
  expect(uncheckedQueries(looksAt([alias]), place.apex)).toEqual([])
})

describe('following names', () => {
  const chain = (...names: string[]): readonly Lookup[] =>
    looksAt(names.slice(1).map((name, index) => `${names[index] ?? ''} CNAME ${name}`))

  test('gives them in their order', () => {
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

  test('ends after ten of them', () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.example`)
    expect(chainFrom('shop.willow.example', chain('shop.willow.example', ...names))).toHaveLength(10)
  })

  test('finds every address on the way, and no other', () => {
    const looks = looksAt([alias, `${target} A 192.0.2.1`, 'other.example A 192.0.2.2'])
    expect(addressesSeen('shop.willow.example', looks)).toEqual(['192.0.2.1'])
  })
})
