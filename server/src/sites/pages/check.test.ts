// The site check: every page of every site is well formed, complete and loads nothing
// from elsewhere, whatever the owner wrote; and faults are found.

import fc from 'fast-check'
import { languages } from '@petstore-platform/contract/platform/site'
import { expect, test } from 'vitest'
import { hostileAnimals } from '../publishing/hostile-animals.ts'
import { faultsOfPage } from './check.ts'
import {
  HOSTILE,
  animals,
  contentWith,
  faultsOfSite,
  hostileContent,
  siteWith,
} from '../../../../testbed/samples/sites.ts'

test.each(languages)('a site in %s has no faults, with animals and without', (language) => {
  expect(
    faultsOfSite(contentWith({ language, tagline: 'A home for all', about: '# Hello\n\nWe *care*.' }), animals(150)),
  ).toEqual([])
  expect(faultsOfSite(contentWith({ language }), [])).toEqual([])
})

test('hostile text does not change the structure of a site', () => {
  expect(
    faultsOfSite(
      hostileContent,
      animals(100, () => HOSTILE),
    ),
  ).toEqual([])
})

test('any text gives pages without faults', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(text, text, text, text, (title, about, email, name) => {
      const content = contentWith(
        { title: title || '?', tagline: about, about, contact: { email, phone: email, address: email } },
        { categories: [{ id: 1n, name: name || '?' }] },
      )
      expect(
        faultsOfSite(
          content,
          animals(3, () => name || '?'),
        ),
      ).toEqual([])
    }),
    { numRuns: 40 },
  )
}, 120_000)

test('the largest content that an owner can write still fits a page', () => {
  const content = contentWith(
    { title: '&'.repeat(100), tagline: '&'.repeat(200), about: '&'.repeat(20_000) },
    { categories: Array.from({ length: 1000 }, (_, index) => ({ id: BigInt(index), name: '&'.repeat(255) })) },
  )
  expect(
    faultsOfSite(
      content,
      animals(100, () => '&'.repeat(255)),
    ),
  ).toEqual([])
})

test('a page that is too large is reported', () => {
  const about = '&'.repeat(50_000)
  expect(faultsOfSite(contentWith({ about }), [])).toEqual([expect.stringMatching(/^the home page: it has \d+ bytes/)])
})

test('a logo that is not a file of the site is reported', () => {
  const faults = faultsOfSite(contentWith({}, { logo: '../../elsewhere' }), [])
  expect(faults[0]).toMatch(/the home page: <img> names \/logo-.*, which leads nowhere\./)
})

test.each(languages)('hostile profiles do not change the structure of a site in %s', (language) => {
  expect(faultsOfSite(contentWith({ language }), hostileAnimals(contentWith()))).toEqual([])
})

test('the largest content fits a page, and the site map its bound, in all languages', () => {
  const content = contentWith(
    { title: '&'.repeat(100), tagline: '&'.repeat(200), about: '&'.repeat(20_000), languages: ['de', 'fr', 'es'] },
    { categories: Array.from({ length: 1000 }, (_, index) => ({ id: BigInt(index), name: 'W'.repeat(255) })) },
  )
  expect(
    faultsOfSite(
      content,
      animals(48, () => 'W'.repeat(255)),
    ),
  ).toEqual([])
}, 60_000)

test.each([
  ['<p onclick="alert(1)"></p>', '<p> has the attribute onclick'],
  ['<script>alert(1)</script>', 'it holds a <script>'],
  ['<script type="module" src="/x.js"></script>', 'it holds a <script>'],
  ['<script type="application/ld+json" src="/x.js">{}</script>', 'it holds a <script>'],
  [
    '<script type="application/ld+json">{"@context":"https://schema.org"</script>',
    'its data for search engines cannot be read',
  ],
  [
    '<script type="application/ld+json">{"@context":"https://x.example","@type":"Thing"}</script>',
    'its data for search engines cannot be read',
  ],
  ['<p style="color:red"></p>', '<p> has the attribute style'],
])('a page with %s is reported (negative control)', (text, fault) => {
  expect(faultsOfPage(siteWith(contentWith()), { name: 'x', text })).toContain(fault)
})

test('a data block for search engines is no fault', () => {
  const text = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"PetStore"}</script>'
  expect(faultsOfPage(siteWith(contentWith()), { name: 'x', text })).toEqual([])
})
