import { expect, test } from 'vitest'
import {
  aliased,
  apex,
  cloudflare,
  elsewhere,
  godaddy,
  namecheap,
  proof,
  right,
  silent,
  target,
  token,
  www,
} from '../../../../testbed/evidence/advice-cases.ts'
import { at, atApex, judged } from '../../../../testbed/evidence/judged.ts'
import type { RecordAdvice } from './judgement.ts'

const recordsOf = (...of: Parameters<typeof judged>): readonly RecordAdvice[] => judged(...of).records

test('a subdomain gets one record: CNAME, its label, the value, 3600', () => {
  expect(recordsOf(at())).toEqual([
    {
      type: 'CNAME',
      name: 'www',
      fullName: www,
      value: target,
      ttl: 3600,
      have: [],
      state: 'missing',
      action: 'add',
      isRequired: true,
    },
  ])
})

test('an apex gets ALIAS and TXT', () => {
  expect(recordsOf(atApex())).toMatchObject([
    { type: 'ALIAS', name: '@', fullName: apex, value: target, state: 'missing', action: 'add', isRequired: true },
    {
      type: 'TXT',
      name: '_petstore',
      fullName: `_petstore.${apex}`,
      value: token,
      state: 'missing',
      action: 'add',
      isRequired: true,
    },
  ])
})

test.each([
  ['Cloudflare', cloudflare, ['CNAME', 'TXT']],
  ['Namecheap', namecheap, ['ALIAS', 'TXT']],
  ['GoDaddy', godaddy, ['A', 'AAAA', 'TXT']],
] as const)("the record of an apex at %s has the provider's term", (_, delegated, types) => {
  expect(recordsOf({ ...atApex(), delegated }).map(({ type }) => type)).toEqual(types)
})

test.each([
  ['right', at(right), 'right', 'keep'],
  ['wrong', at(`${www} CNAME shops.elsewhere.example`), 'wrong', 'change'],
  ['conflicting', at(`${www} A ${elsewhere}`), 'conflicting', 'delete_others'],
  ['propagating', { ...at(right), servers: { 'ns2.dns.example': [] } }, 'right', 'wait'],
  ['not visible', { ...at(), servers: { 'ns1.dns.example': silent, 'ns2.dns.example': silent } }, 'unknown', 'wait'],
] as const)('an existing record that is %s has its state and action', (_, given, state, action) => {
  expect(recordsOf(given)).toMatchObject([{ state, action }])
})

test('the existing records are listed with the required one', () => {
  const given = at(`${www} A ${elsewhere}`, `${www} AAAA 2001:db8:dead::1`)
  expect(recordsOf(given)[0]?.have).toEqual([`A ${elsewhere}`, 'AAAA 2001:db8:dead::1'])
  const [, txt] = recordsOf(atApex(...aliased, '_petstore.shop.example TXT hello'))
  expect(txt).toMatchObject({ have: ['TXT hello'], state: 'wrong', action: 'change' })
})

test('each address of an apex by address has its own state', () => {
  const given = { ...atApex('shop.example A 192.0.2.10', `shop.example A ${elsewhere}`, proof), delegated: godaddy }
  expect(recordsOf(given)).toMatchObject([
    { type: 'A', value: '192.0.2.10', state: 'right', action: 'keep', isRequired: true },
    { type: 'AAAA', value: '2001:db8::10', state: 'conflicting', isRequired: false },
    { type: 'TXT', state: 'right', action: 'keep' },
  ])
})

test('a contested subdomain gets the TXT record as well', () => {
  expect(recordsOf(at(right), { known: { isHeldByOther: true } })).toMatchObject([
    { type: 'CNAME', state: 'right' },
    { type: 'TXT', name: '_petstore.www', state: 'missing', action: 'add', isRequired: true },
  ])
})

test('the TXT record is no longer required after the token was observed', () => {
  const known = { isProven: true, wasTokenSeen: true }
  expect(recordsOf(atApex(...aliased), { known })[1]).toMatchObject({ type: 'TXT', state: 'right', isRequired: false })
})

test('a CAA record that blocks us adds the record that allows us', () => {
  const types = recordsOf(atApex(...aliased, proof, 'shop.example CAA 0 issue "other.example"')).map(({ type }) => type)
  expect(types).toEqual(['ALIAS', 'TXT', 'CAA'])
})
