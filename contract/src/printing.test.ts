// The `servers` of an OpenAPI document. The last test is the negative control: a variant that
// lists both addresses as configured fails the same properties.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { serversOf, type Addresses } from './printing.ts'

const production = 'https://api.petstore.example/v1'
const staging = 'https://api.staging.petstore.example/v1'

test('two base addresses are listed as Production and Staging', () => {
  expect(serversOf({ production, staging })).toEqual([
    { url: production, description: 'Production' },
    { url: staging, description: 'Staging' },
  ])
})

test.each([
  ['the same', production],
  ['the same with its default port', 'https://api.petstore.example:443/v1'],
  ['the same in capitals', 'https://API.petstore.example/v1'],
])('one address is listed once: %s', (_, again) => {
  expect(serversOf({ production, staging: again })).toEqual([{ url: production, description: 'This installation' }])
})

const port = fc.constantFrom('', ':443', ':80', ':3000')
const address = fc
  .tuple(fc.constantFrom('http', 'https'), fc.constantFrom('a.example', 'A.example', 'b.example'), port)
  .map(([scheme, host, at]) => `${scheme}://${host}${at}/v1`)
const normal = (url: string) => new URL(url).href

/** No address twice, none lost, and none that was not configured. */
const faultsOf = (list: (addresses: Addresses) => { url: string }[]) =>
  fc.check(
    fc.property(address, address, (one, other) => {
      const urls = list({ production: one, staging: other }).map(({ url }) => url)
      expect(new Set(urls.map(normal)).size).toBe(urls.length)
      expect(new Set(urls.map(normal))).toEqual(new Set([one, other].map(normal)))
      expect([one, other]).toEqual(expect.arrayContaining(urls))
    }),
    { numRuns: 500 },
  )

test('no address is listed twice, whatever is configured', () => {
  expect(faultsOf(serversOf).counterexample).toBeNull()
})

test('a list that repeats equal addresses, or compares them as text, is reported (negative control)', () => {
  const repeating = ({ production: one, staging: other }: Addresses) => [{ url: one }, { url: other }]
  const textual = ({ production: one, staging: other }: Addresses) => [...new Set([one, other])].map((url) => ({ url }))
  const shortened = ({ production: one }: Addresses) => [{ url: one }]
  for (const wrong of [repeating, textual, shortened]) expect(faultsOf(wrong).counterexample).not.toBeNull()
})
