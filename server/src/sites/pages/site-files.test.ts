// The files that all sites share: their addresses name their bytes, and they contain nothing but shapes.

import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOfFile, fileAt, hrefOfFile, siteFiles } from './site-files.ts'
import { readSiteFile } from './site-files.io.ts'
import { elementsOf, faultsOfHtml } from './well-formed.ts'

const folder = join(import.meta.dirname, '../../../assets')
const digest = (bytes: Buffer) => hash('sha256', bytes, 'hex').slice(0, 16)

test('every file has the digest by which it is named, and every file of the folder has a name', () => {
  for (const file of siteFiles) expect([file, digest(readSiteFile(file))]).toEqual([file, digestOfFile(file)])
  expect(globSync('*/*.{svg,woff2,css}', { cwd: folder }).toSorted()).toEqual(siteFiles.toSorted())
})

test('a file with one other byte has another digest (negative control)', () => {
  const bytes = Buffer.from(readSiteFile('portraits/paw-1.svg'))
  bytes[bytes.length - 1] = 0
  expect(digest(bytes)).not.toBe(digestOfFile('portraits/paw-1.svg'))
})

test('an address leads to its file, and no other spelling does', () => {
  for (const file of siteFiles) expect(fileAt(hrefOfFile(file))).toBe(file)
  const href = hrefOfFile('portraits/dog-1.svg')
  for (const other of [href.replace(/[0-9a-f]{16}/, '0'.repeat(16)), href.slice(1), '/portraits/dog-1.svg', '/../x'])
    expect(fileAt(other)).toBeUndefined()
})

/** Elements that are not shapes, and attributes that load or run something. */
const strangeIn = (svg: string) =>
  elementsOf(svg).flatMap(({ name, attributes }) => [
    ...(/^(svg|g|path|ellipse|circle|rect|clippath)$/.test(name) ? [] : [name]),
    ...[...attributes.keys()].filter((attribute) => /^(on|style|href|xlink)/.test(attribute)),
  ])

test('a drawing is well formed, consists of shapes, and loads nothing', () => {
  for (const file of siteFiles.filter((name) => name.endsWith('.svg'))) {
    // The checker knows HTML, whose names are in lower case.
    const svg = readFileSync(join(folder, file), 'utf8').replaceAll('clipPath', 'clippath')
    expect([file, faultsOfHtml(svg), strangeIn(svg)]).toEqual([file, [], []])
  }
})

test('a drawing with a script is noticed (negative control)', () => {
  expect(strangeIn('<svg><script>1</script><image href="/x"/></svg>')).toEqual(['script', 'image', 'href'])
})

test('each typeface has its licence next to it', () => {
  const licences = globSync('fonts/OFL-*.txt', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(licences).toHaveLength(2)
  for (const licence of licences) expect(licence).toContain('SIL OPEN FONT LICENSE Version 1.1')
})
