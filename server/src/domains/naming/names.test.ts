// Tests of the name reader: a corpus collected by hand, the rules one by one, and thousands
// of generated names. `testbed/experiments/names/main.ts` generates hundreds of thousands.

import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectedNames, corpusOptions, inWords } from '../../../../testbed/harness/names/corpus.ts'
import { fuzzNames, type NameReader } from '../../../../testbed/harness/names/fuzz.ts'
import { decodePunycode, encodePunycode } from '../../../../testbed/harness/names/punycode.ts'
import { nameRefusals } from './refusals.ts'
import { kindOf, type NameOptions, readHostname, registrableOf, siblingOf } from './names.ts'

const names = collectedNames()
const read = (typed: string, options: Partial<NameOptions> = {}) =>
  readHostname(typed, { ...corpusOptions, ...options })
const words = (typed: string, options: Partial<NameOptions> = {}) => inWords(read(typed, options))

const wrongIn = (reader: NameReader) =>
  names
    .map(({ file, typed, expected }) => ({ file, typed, expected, got: inWords(reader(typed, corpusOptions)) }))
    .filter(({ expected, got }) => expected !== got)

test('every name of the corpus is read as its line expects', () => {
  expect(wrongIn(readHostname)).toEqual([])
})

test('the corpus has more than 2,000 different names, good and bad, and covers every refusal', () => {
  const expected = names.map((name) => name.expected)
  expect(new Set(names.map(({ typed }) => typed)).size).toBe(names.length)
  expect(expected.filter((line) => line.startsWith('!')).length).toBeGreaterThan(1_500)
  expect(expected.filter((line) => !line.startsWith('!')).length).toBeGreaterThan(1_500)
  expect(new Set(expected.filter((line) => line.startsWith('!')))).toEqual(
    new Set(Object.keys(nameRefusals).map((code) => `!${code}`)),
  )
})

test('reading a name again, in either form, gives the same hostname', () => {
  const differing = names
    .map(({ typed }) => read(typed))
    .filter((name) => name.ok)
    .filter(({ hostname, unicode }) =>
      [hostname, unicode].some((form) => inWords(read(form)).split(' ')[0] !== hostname),
    )
  expect(differing).toEqual([])
})

test('no generated name leads to an invalid hostname', () => {
  expect(fuzzNames({ count: 2_000, seed: 5, read: readHostname })).toMatchObject({ found: 0, findings: [] })
})

const byConversionAlone: NameReader = (typed, options) => {
  const hostname = domainToASCII(typed.trim())
  const good = readHostname('petshop.com', options)
  return hostname === '' ? readHostname('', options) : ({ ...good, ok: true, hostname, unicode: hostname } as never)
}
const withoutInvisible: NameReader = (typed, options) =>
  readHostname(typed.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''), options)
const withOtherDots: NameReader = (typed, options) => readHostname(typed.replaceAll(/[。．｡]/g, '.'), options)
const withoutList: NameReader = (typed, options) => {
  const name = readHostname(`a.${typed}`, options)
  return name.ok ? { ...name, hostname: name.hostname.slice(2), unicode: name.unicode.slice(2) } : name
}
const withoutPlatform: NameReader = (typed, options) => readHostname(typed, { ...options, platformHost: 'other.dev' })
const withoutDecoding: NameReader = (typed, options) => readHostname(typed.replaceAll(/^xn--/g, 'x'), options)
const losingLabels: NameReader = (typed, options) => {
  const name = readHostname(typed, options)
  const isLong = name.ok && name.hostname.split('.').length > 2
  const shorter = (text: string) => text.slice(text.indexOf('.') + 1)
  return isLong ? { ...name, hostname: shorter(name.hostname), unicode: shorter(name.unicode) } : name
}
const broken = {
  byConversionAlone,
  withoutInvisible,
  withOtherDots,
  withoutList,
  withoutPlatform,
  withoutDecoding,
  losingLabels,
}

test.for(Object.entries(broken))(
  'the corpus and generated names detect a broken reader (negative control): %s',
  ([, reader]) => {
    expect(wrongIn(reader).length).toBeGreaterThan(0)
    expect(fuzzNames({ count: 1_000, seed: 5, read: reader }).found).toBeGreaterThan(0)
  },
)

test('a reader that is not idempotent is reported as such (negative control)', () => {
  const kinds = fuzzNames({ count: 1_000, seed: 5, read: losingLabels }).findings.map(({ kind }) => kind)
  expect(kinds).toContain('not idempotent')
})

test('any input gives a name, or a refusal whose message contains no invisible characters', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10_ffff }), { maxLength: 60 }), (codes) => {
      const typed = String.fromCodePoint(...codes)
      const name = read(typed)
      if (!name.ok) expect(name.message.length).toBeLessThan(300)
      if (!name.ok) expect(name.message).not.toMatch(/[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]|\{\w+\}/u)
      else expect(read(name.hostname)).toMatchObject({ ok: true, hostname: name.hostname, isCleaned: false })
    }),
  )
})

test('a refusal message quotes the input and the character', () => {
  const message = (typed: string) => {
    const name = read(typed)
    return name.ok ? null : name.message
  }
  expect(message('my_shop.com')).toBe(
    'my_shop.com has a character that certificates cannot contain (_). Use letters, digits and hyphens.',
  )
  expect(message('my shop.com')).toContain('my shop.com has a character that certificates cannot contain (a space).')
  expect(message('pet\u{200D}shop.com')).toContain(
    'petU+200Dshop.com has a character that certificates cannot contain (U+200D).',
  )
  expect(message('shop.local')).toBe(
    'shop.local is not a public internet domain, so no certificate authority will certify it.',
  )
  expect(message('co.uk')).toBe(
    'co.uk is shared by many owners. Add the name you registered, such as `yourshop.co.uk`.',
  )
  expect(message('*.petshop.com')).toBe('Wildcard names are not available. Add each subdomain you need.')
  expect(message('x.petstore.app')).toBe('That address belongs to the platform; every project already has its own.')
  expect(message('petshop..com')).toBe('petshop..com has an empty part beside a dot. Use letters, digits and hyphens.')
  expect(message('$&.com')).toContain('$&.com has a character that certificates cannot contain ($).')
})

test('very long input is rejected without being parsed', () => {
  for (const typed of [
    'x'.repeat(5_000),
    `https://petshop.com/${'x'.repeat(4_096)}`,
    'a.'.repeat(1e6),
    'ü'.repeat(1e6),
  ])
    expect(words(typed)).toBe('!name_too_long')
  expect(words('a'.repeat(1_000) + '.com')).toBe('!name_too_long')
})

test('the names of the dashboard and the API are refused, and names below them are not', () => {
  const serviceNames = ['app.shop.com']
  expect(words('app.shop.com', { serviceNames })).toBe('!name_platform_owned')
  expect(words('happy-paws.old.dev', { formerHosts: ['old.dev'] })).toBe('!name_platform_owned')
  expect(words('x.app.shop.com', { serviceNames })).toBe('x.app.shop.com')
  expect(words('shop.com', { serviceNames })).toBe('shop.com')
})

test('a reserved suffix can be allowed for the test internet, without allowing any other', () => {
  const reservedAllowed = ['test']
  expect(words('shop.test', { reservedAllowed })).toBe('shop.test')
  expect(words('www.shop.test', { reservedAllowed })).toBe('www.shop.test')
  expect(words('test', { reservedAllowed })).toBe('!name_not_public')
  expect(words('shop.example', { reservedAllowed })).toBe('!name_not_public')
  expect(words('shop.test', { reservedAllowed, platformHost: 'petstore.test' })).toBe('shop.test')
  expect(words('shop.petstore.test', { reservedAllowed, platformHost: 'petstore.test' })).toBe('!name_platform_owned')
  expect(words('my_shop.test', { reservedAllowed })).toBe('!name_invalid_chars')
})

test('the registrable domain is found by the public suffix list, including its private section', () => {
  expect(registrableOf('www.petshop.com')).toBe('petshop.com')
  expect(registrableOf('a.b.petshop.co.uk')).toBe('petshop.co.uk')
  expect(registrableOf('www.happypaws.github.io')).toBe('happypaws.github.io')
  expect(registrableOf('www.xn--80aab1brr.xn--p1ai')).toBe('xn--80aab1brr.xn--p1ai')
  expect(registrableOf('city.kawasaki.jp')).toBe('city.kawasaki.jp')
  expect(registrableOf('a.b.shop.test')).toBe('shop.test')
  expect(registrableOf('co.uk')).toBeNull()
  expect(registrableOf('test')).toBeNull()
})

test('the reference implementation decodes A-labels as RFC 3492 requires', () => {
  expect(decodePunycode('mller-kva')).toBe('müller')
  expect(decodePunycode('ihqwcrb4cv8a8dqg056pqjye')).toBe('他们为什么不说中文')
  expect(encodePunycode('他们为什么不说中文')).toBe('ihqwcrb4cv8a8dqg056pqjye')
  expect(encodePunycode('ليهمابتكلموشعربي؟')).toBe('egbpdaj6bu4bxfgehfvwxn')
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 0xd7ff }), { minLength: 1, maxLength: 20 }), (codes) => {
      const text = String.fromCodePoint(...codes)
      expect(decodePunycode(encodePunycode(text))).toBe(text)
    }),
  )
})

test.each([
  ['happy-paws.com', 'apex'],
  ['www.happy-paws.com', 'subdomain'],
  ['happy-paws.co.uk', 'apex'],
  ['shop.happy-paws.co.uk', 'subdomain'],
  ['happy-paws.github.io', 'apex'],
  ['happy-paws.test', 'apex'],
  ['shop.happy-paws.test', 'subdomain'],
])('the kind of %s is %s', (hostname, kind) => {
  expect(kindOf(hostname)).toBe(kind)
})

test.each([
  ['happy-paws.com', 'www.happy-paws.com'],
  ['happy-paws.co.uk', 'www.happy-paws.co.uk'],
  ['www.happy-paws.co.uk', 'happy-paws.co.uk'],
  ['www.willow-street.test', 'willow-street.test'],
  ['xn--bcher-kva.com', 'www.xn--bcher-kva.com'],
  ['shop.happy-paws.com', null],
  ['www.shop.happy-paws.com', null],
  ['www2.happy-paws.com', null],
  ['www.co.uk', 'www.www.co.uk'],
  [`${'a'.repeat(63)}.${'b'.repeat(63)}.com`, null],
])('the sibling of %s is %s', (hostname, sibling) => {
  expect(siblingOf(hostname)).toBe(sibling)
})

test('a sibling has this name as its own sibling, and the same registrable domain', () => {
  for (const hostname of ['happy-paws.com', 'a.github.io', 'happy-paws.co.uk']) {
    const sibling = siblingOf(hostname) ?? ''
    expect([siblingOf(sibling), registrableOf(sibling)]).toEqual([hostname, registrableOf(hostname)])
  }
})
