// The addresses of a site: parsed as they were written, and in one spelling only.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looks } from '@petstore/contract/platform/site'
import { siteFiles } from './site-files.ts'
import { addressOf, hrefOf, type Address } from './addresses.ts'

const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const span = fc.oneof(
  fc.constant(undefined),
  id.map((before) => ({ before })),
  id.map((after) => ({ after })),
)
const digest = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: length, maxLength: length })
const addresses: fc.Arbitrary<Address> = fc.oneof(
  fc.record({ kind: fc.constant('home' as const), span }),
  fc.record({ kind: fc.constant('category' as const), id, span }),
  fc.record({ kind: fc.constant('animal' as const), id }),
  fc.record({ kind: fc.constant('thanks' as const), id: fc.oneof(id, fc.constant(undefined)) }),
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
      expect(addressOf(hrefOf(address))).toEqual(address)
    }),
  )
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
])('%s is not an address', (target) => {
  expect(addressOf(target)).toBeUndefined()
})

test('unknown query parameters are ignored', () => {
  expect(addressOf('/a/5?utm_source=mail')).toEqual({ kind: 'animal', id: 5n })
  expect(addressOf('/?fbclid=1')).toEqual({ kind: 'home', span: undefined })
})
