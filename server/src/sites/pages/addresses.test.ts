// The addresses of a site: parsed as they were written, and in one spelling only.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages, looks, SHEETS_MAX } from '@petstore-platform/contract/platform/site'
import { sexes, sizes } from '@petstore-platform/contract/platform/profiles'
import { ages, companies, noFilters } from './filters.ts'
import { namePartOf } from './name-part.ts'
import { siteFiles } from './site-files.ts'
import { addressOf, hrefOf, isFile, readTarget, type Address } from './addresses.ts'

const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const span = fc.oneof(
  fc.constant(undefined),
  id.map((before) => ({ before })),
  id.map((after) => ({ after })),
)
const filters = {
  kind: fc.oneof(id, fc.constant(undefined)),
  sex: fc.constantFrom(...sexes, undefined),
  age: fc.constantFrom(...ages, undefined),
  size: fc.constantFrom(...sizes, undefined),
  with: fc.subarray([...companies]),
  q: fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.trim()),
}
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const namePart = fc.string({ unit: 'binary', maxLength: 80 }).map(namePartOf)
const digest = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: length, maxLength: length })
const addresses: fc.Arbitrary<Address> = fc.oneof(
  fc.constant({ kind: 'home' as const }),
  fc.record({
    kind: fc.constant('animals' as const),
    filters: fc.record({ ...filters, sort: fc.constant('newest' as const) }),
    span,
  }),
  fc.record({
    kind: fc.constant('animals' as const),
    filters: fc.record({ ...filters, sort: fc.constant('longest' as const) }),
    span: fc.oneof(
      fc.constant(undefined),
      fc.record({ scannedAfter: fc.oneof(id, fc.constant(undefined)), since: day, id }),
    ),
  }),
  fc.record({ kind: fc.constant('category' as const), id, name: namePart, span }),
  fc.record({ kind: fc.constantFrom('animal' as const, 'print' as const), id, name: namePart }),
  fc.record({ kind: fc.constant('sheets' as const), ids: fc.array(id, { minLength: 1, maxLength: SHEETS_MAX }) }),
  fc.record({ kind: fc.constant('former home' as const), span: id.map((before) => ({ before })) }),
  fc.record({ kind: fc.constant('former category' as const), id, span }),
  fc.record({ kind: fc.constant('former animal' as const), id }),
  fc.record({
    kind: fc.constant('photo' as const),
    digest: digest(64),
    file: fc.record({
      recipe: fc.integer({ min: 1, max: 999_999 }),
      width: fc.oneof(fc.integer({ min: 1, max: 999_999 }), fc.constant(undefined)),
    }),
  }),
  fc.record({ kind: fc.constant('thanks' as const), id: fc.oneof(id, fc.constant(undefined)) }),
  fc.constant({ kind: 'privacy' as const }),
  fc.constantFrom({ kind: 'robots' as const }, { kind: 'sitemap' as const }, { kind: 'favicon' as const }),
  fc.record({
    kind: fc.constant('style' as const),
    look: fc.constantFrom(...looks),
    color: digest(6),
    digest: digest(16),
  }),
  fc.record({ kind: fc.constant('logo' as const), digest: digest(64) }),
  fc.record({ kind: fc.constant('file' as const), file: fc.constantFrom(...siteFiles) }),
)

test('every address is parsed as it was written', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      expect(addressOf(hrefOf(address, undefined))).toEqual(address)
    }),
  )
})

test('every page has an address in every language, and a file has one', () => {
  fc.assert(
    fc.property(addresses, fc.constantFrom(undefined, ...languages), (address, language) => {
      const written = { language: isFile(address) ? undefined : language, address }
      expect(readTarget(hrefOf(address, language))).toEqual(written)
    }),
  )
})

test.each(languages)('%s alone is an address of its own, which leads to the home page', (language) => {
  expect(hrefOf({ kind: 'code' }, language)).toBe(`/${language}`)
  for (const target of [`/${language}`, `/${language}?utm_source=mail`])
    expect(readTarget(target)).toEqual({ language, address: { kind: 'code' } })
  expect(readTarget(`/${language}/`)).toEqual({ language, address: { kind: 'home' } })
})

test.each([
  ['/de//', 'de'],
  ['/de/de/', 'de'],
  ['/de/animals/', 'de'],
  ['/de/a/01', 'de'],
  ['/de/nothing', 'de'],
  ['/de/robots.txt', 'de'],
  ['/de/sitemap.xml', 'de'],
  ['/de/favicon.svg', 'de'],
  [`/de/logo-${'ab'.repeat(32)}`, 'de'],
  ['/DE/', undefined],
  ['/it/', undefined],
  ['/deu/', undefined],
  ['/de-at/', undefined],
  ['/%64e/', undefined],
  ['de/', undefined],
])('%s is not an address, in the language %s', (target, language) => {
  expect(readTarget(target)).toEqual({ language, address: undefined })
})

test.each([
  '',
  '//',
  '/a/',
  '/a/01',
  '/a/+1',
  '/a/-0',
  '/a/1/',
  '/a/1.0',
  '/a/9223372036854775808',
  '/c/x',
  '/?before=',
  '/?before=1e3',
  '/thanks?animal=x',
  '/thanks/',
  '/style-0.css',
  '/style-forest-0f766e-0123456789abcdef.css',
  '/style-0f766e-0123456789abcdef.css',
  '/portraits/dog-1.svg',
  '/portraits/dog-1-0000000000000000.svg',
  '/fonts/../portraits/dog-1.svg',
  '/index.html',
  '/%61/1',
  '/a/１',
  '/animals/',
  '/animals/rex',
  '/animals/Rex-1',
  '/animals/rex-01',
  '/animals/rex_1',
  '/animals/-rex-1',
  '/animals/rex-1/',
  '/animals/rex-1/print/',
  '/animals/rex/print',
  '/animals/print',
  '/print',
  '/print/',
  '/print?animals=',
  '/print?animals=1,',
  '/print?animals=1,x',
  '/print?animals=01',
  `/print?animals=${Array(SHEETS_MAX + 1)
    .fill('1')
    .join()}`,
  '/animals?before=x',
  '/animals?sort=longest&at=2023-02-31.5',
  '/animals?sort=longest&at=x',
  '/categories/',
  '/categories/dogs',
  // Reserved for what is to come.
  '/found-a-home',
  '/visit',
  '/privacy/',
  '/feed.json',
  '/feed.xml',
  '/embed',
  '/photos/',
])('%s is not an address', (target) => {
  expect(addressOf(target)).toBeUndefined()
})

test('unknown query parameters are ignored', () => {
  expect(addressOf('/a/5?utm_source=mail')).toEqual({ kind: 'former animal', id: 5n })
  expect(addressOf('/?fbclid=1')).toEqual({ kind: 'home' })
})

test('the same choice has one spelling, whatever the order, and unknown values are ignored', () => {
  const href = (target: string) => {
    const address = addressOf(target)
    return address && hrefOf(address, undefined)
  }
  expect(
    href('/animals?sort=longest&q=%20mi%00&with=cats&with=children&with=cats&size=small&age=young&sex=female&kind=9'),
  ).toBe('/animals?kind=9&sex=female&age=young&size=small&with=children&with=cats&q=mi&sort=longest')
  expect(href('/animals?kind=&sex=&age=&size=&q=&sort=')).toBe('/animals')
  expect(href('/animals?kind=dogs&sex=x&age=1&size=tiny&with=snakes&sort=random&utm_source=mail')).toBe('/animals')
  expect(addressOf('/animals')).toEqual({ kind: 'animals', filters: noFilters, span: undefined })
})

test.each([
  ['Rex', 'rex'],
  ['Señor Whiskers', 'senor-whiskers'],
  ['Groß & Klein', 'gross-klein'],
  ['Ægir Øre Łukasz', 'aegir-ore-lukasz'],
  ["Rex's friend", 'rexs-friend'],
  ['  --Bo--  7 ', 'bo-7'],
  ['בלה', ''],
  ['🐶', ''],
  ['one two three four five six seven eight nine', 'one-two-three-four-five-six-seven-eight'],
  ['W'.repeat(255), 'w'.repeat(40)],
])('the readable part of %s is %s', (name, part) => {
  expect(namePartOf(name)).toBe(part)
})
