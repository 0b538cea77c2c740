// A previewed page: the page of the site with its resources inlined, and a policy that
// lets it do nothing but be shown.

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { png } from '../../../../testbed/photos/images.ts'
import { emptyForm } from './form.ts'
import { previewOf } from './preview.ts'
import { animalPage } from './animal-page.ts'
import * as render from './render.ts'
import { readSiteFile } from './site-files.io.ts'
import { hrefOfFile, siteFiles, typeOfFile, type SiteFile } from './site-files.ts'
import { HOSTILE, animals, contentWith, hostileContent, siteWith } from '../../../../testbed/samples/sites.ts'
import { elementsOf } from './well-formed.ts'

const logo = { type: 'image/png', bytes: png } as const
/** Bytes that are easy to find again. */
const bytesOf = (file: string) => Buffer.from(file)
const data = (file: string) => bytesOf(file).toString('base64')
const plainTypeOf = (file: SiteFile) => typeOfFile(file).split(';')[0]
const listing = { animals: animals(3), newer: undefined, older: undefined }

test('only the resources, the canonical address and where links lead differ from the page of the site', () => {
  const site = siteWith(contentWith({}, { logo: 'ab'.repeat(32) }), 'https://site.example')
  const page = render.homePage(site, listing)
  const { text } = previewOf(page, site, { logo, bytesOf })
  const back = siteFiles
    .reduce((found, file) => found.replaceAll(`data:${plainTypeOf(file)};base64,${data(file)}`, hrefOfFile(file)), text)
    .replace(`<style>${site.style.css}</style>`, /<link rel="stylesheet"[^>]*>/.exec(page.text)?.[0] ?? '')
    .replace(`data:image/png;base64,${png.toString('base64')}`, `/logo-${'ab'.repeat(32)}`)
  const own = page.text.replace(/<link rel="(canonical|icon|preload)"[^>]*>|<script[^]*<\/script>/g, '')
  const unlinked = (markup: string) => markup.replace(/\shref="[^"]*"/g, '')
  expect(unlinked(back)).toBe(unlinked(own))
  expect(text).not.toContain('href')
})

test('no resource is loaded, whatever was written', () => {
  const site = siteWith(hostileContent, 'https://site.example')
  const hostile = animals(5, () => HOSTILE)
  for (const page of [
    render.homePage(site, { ...listing, animals: hostile }),
    ...hostile.map((animal) => animalPage(site, animal, { form: emptyForm('') })),
  ]) {
    const { text } = previewOf(page, site, { logo, bytesOf })
    const elements = elementsOf(text)
    expect(elements.filter(({ name }) => ['link', 'script', 'iframe', 'object', 'embed'].includes(name))).toEqual([])
    expect(elements.filter(({ name, attributes }) => name === 'a' && attributes.has('href'))).toEqual([])
    const sources = elements.flatMap(({ attributes }) => attributes.get('src') ?? [])
    expect(sources[0]).toMatch(/^data:image\/png;base64,/)
    expect(sources.slice(1).filter((source) => !source.startsWith('data:image/svg+xml;base64,'))).toEqual([])
    expect(
      elements.flatMap(({ attributes }) => [...attributes.keys()]).filter((name) => name.startsWith('on')),
    ).toEqual([])
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;script&gt;')
  }
})

test('text that resembles the replaced markup stays text', () => {
  const site = siteWith(contentWith({}, { logo: 'ab'.repeat(32) }), 'https://site.example')
  const link = `<link rel="stylesheet" href="/style-meadow-${site.style.color}-${site.style.digest}.css" /> src="/logo-${'ab'.repeat(32)}"`
  const { text } = previewOf(render.homePage(site, { ...listing, animals: animals(1, () => link) }), site, {
    logo,
    bytesOf,
  })
  expect(text).toContain('&lt;link rel=&quot;stylesheet&quot;')
  expect(text.split('<style>')).toHaveLength(2)
})

test('the policy allows the page its own style and its own pictures only', () => {
  const site = siteWith(contentWith({ themeColor: '#aa3377' }), 'https://site.example')
  const { text, policy } = previewOf(render.homePage(site, listing), site, {
    logo: undefined,
    bytesOf: readSiteFile,
  })
  const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? ''
  expect(policy).toBe(
    `default-src 'none'; img-src data:; font-src data:; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
      `frame-ancestors 'self'; form-action 'none'; base-uri 'none'; sandbox`,
  )
})

test('a page with different markup is not passed off as a preview', () => {
  const site = siteWith(contentWith(), 'https://site.example')
  expect(() => previewOf(render.favicon(site), site, { logo: undefined, bytesOf })).toThrow(/0 of <link rel="icon"/)
})

test('a preview of a site in several languages leads to none of them', () => {
  const site = siteWith(contentWith({ languages: ['de', 'fr'] }), 'https://site.example')
  const page = render.homePage(site, listing)
  expect(page.text).toContain('rel="alternate"')
  const { text } = previewOf(page, site, { logo: undefined, bytesOf })
  expect(text).toContain('>Deutsch</a')
  expect(text).not.toMatch(/<link|\shref=/)
})
