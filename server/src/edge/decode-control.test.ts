import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCertificate, readChallenge, readChanges, readRoute, entryOf, lineOf } from './decode-control.ts'

const site = { seq: 3, hostname: 'pets.example', kind: 'site', slug: 'paws', generation: '7', serial: '0ab1' }
const redirect = { ...site, seq: 4, kind: 'redirect', target: 'www.pets.example', status: 308 }
const gone = { seq: 5, hostname: 'old.example', kind: 'gone', generation: '9223372036854775807' }
const service = { seq: 6, hostname: 'app.example', kind: 'service', generation: '1', serial: '0c' }
const wildcard = { ...service, seq: 7, hostname: '*.shops.example', kind: 'wildcard' }
const suspended = { seq: 8, hostname: 'paws.suspended.invalid', kind: 'suspended', slug: 'paws', generation: '1' }
const changes = { head: 9, isReset: false, routes: [site, redirect, gone, service, wildcard, suspended] }

describe('changes from the control plane', () => {
  test('are decoded unchanged', () => {
    expect(readChanges(changes, 2)).toEqual(changes)
    expect(readChanges({ head: 2, isReset: false, routes: [] }, 2)).toEqual({ head: 2, isReset: false, routes: [] })
  })

  test('contain nothing that the protocol does not specify', () => {
    expect(readRoute({ ...site, note: 'x', target: 'evil.example' })).toEqual(site)
  })

  test.each([
    ['no object', 'yes'],
    ['nothing', null],
    ['no number', { ...changes, head: '9' }],
    ['no flag', { ...changes, isReset: 0 }],
    ['no list', { ...changes, routes: { 0: site } }],
    ['numbers that fall', { ...changes, routes: [redirect, site] }],
    ['a number twice', { ...changes, routes: [site, site] }],
    ['a number that was already applied', { ...changes, routes: [{ ...site, seq: 2 }] }],
    ['half a number', { ...changes, routes: [{ ...site, seq: 3.5 }] }],
    ['another kind', { ...changes, routes: [{ ...site, kind: 'portal' }] }],
    ['a wildcard that is a site', { ...changes, routes: [{ ...site, hostname: '*.shops.example' }] }],
    ['a wildcard without a star', { ...changes, routes: [{ ...wildcard, hostname: 'shops.example' }] }],
    ['a star in the middle', { ...changes, routes: [{ ...wildcard, hostname: 'a.*.example' }] }],
    ['a service without a certificate', { ...changes, routes: [{ ...service, serial: undefined }] }],
    ['a redirect to nowhere', { ...changes, routes: [{ ...redirect, target: undefined }] }],
    ['a redirect to an invalid name', { ...changes, routes: [{ ...redirect, target: 'a.b/\r\nx:' }] }],
    ['a status that is not a redirect', { ...changes, routes: [{ ...redirect, status: 200 }] }],
    ['capitals', { ...changes, routes: [{ ...site, hostname: 'Pets.example' }] }],
    ['a path instead of a name', { ...changes, routes: [{ ...site, hostname: '../etc.d' }] }],
    ['a name that is too long', { ...changes, routes: [{ ...site, hostname: `${'a.'.repeat(200)}test` }] }],
    ['a generation that is a number', { ...changes, routes: [{ ...site, generation: 7 }] }],
    ['a serial with spaces', { ...changes, routes: [{ ...site, serial: 'a b' }] }],
  ])('are rejected with %s', (_, answer) => {
    expect(readChanges(answer, 2)).toBeUndefined()
  })

  test('may restart with lower numbers after a reset', () => {
    expect(readChanges({ ...changes, isReset: true }, 100)?.routes).toHaveLength(6)
    expect(readChanges(changes, 100)).toBeUndefined()
  })

  test('never cause an exception, whatever they contain', () => {
    fc.assert(fc.property(fc.anything(), (value) => void readChanges(value, 0)))
    fc.assert(fc.property(fc.anything(), (value) => void readChanges({ head: 1, isReset: false, routes: [value] }, 0)))
  })
})

test('a certificate is accepted for the requested name and generation, and for no other', () => {
  const wanted = { hostname: 'pets.example', generation: '7' }
  const response = { ...wanted, serial: 'ab', notAfter: '2027-01-01T00:00:00Z', chain: 'c', sealedKey: 'k' }
  expect(readCertificate(response, wanted)).toEqual(response)
  for (const change of [
    { hostname: 'x.example' },
    { generation: '6' },
    { serial: 1 },
    { notAfter: 'soon' },
    { sealedKey: null },
  ]) {
    expect(readCertificate({ ...response, ...change }, wanted)).toBeUndefined()
  }
})

test('a challenge is one line that begins with its token', () => {
  expect(readChallenge({ keyAuthorization: 'tok.print' }, 'tok')).toEqual({ keyAuthorization: 'tok.print' })
  for (const keyAuthorization of ['other.print', 'tok', 'tok.pr\r\nint', '<b>', 7, undefined]) {
    expect(readChallenge({ keyAuthorization }, 'tok')).toBeUndefined()
  }
})

describe('a line of the log', () => {
  test.each([site, redirect, gone, service, wildcard, suspended, { seq: 12 }])(
    'is decoded as it was written',
    (entry) => {
      expect(entryOf(lineOf(entry as never).trimEnd())).toEqual(entry)
    },
  )

  test('is rejected with any one bit flipped, and with any part missing', () => {
    const line = Buffer.from(lineOf(redirect as never).trimEnd())
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const flipped = Buffer.from(line)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(entryOf(flipped.toString('utf8'))).toBeUndefined()
    }
    for (let length = 0; length < line.length; length += 1) {
      expect(entryOf(line.toString('utf8', 0, length))).toBeUndefined()
    }
  })
})
