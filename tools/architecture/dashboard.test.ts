import { dashboardPaths } from '@petstore-platform/contract/platform/dashboard-paths'
import { describe, expect, test } from 'vitest'
import {
  forbiddenImports,
  makersOfDialogs,
  otherWords,
  pagesOf,
  schemasBehind,
  sendersAndHtmlWriters,
  sharedClasses,
} from './dashboard.ts'
import { longFiles, productionOf, readSources } from './sources.ts'

const all = readSources()
const sources = productionOf('dashboard/src', all)
const sheets = productionOf('dashboard/src', readSources('css'))
const files = (texts: Record<string, string>) => new Map(Object.entries(texts))

describe('dashboard/src', () => {
  test('is read as a whole', () => {
    expect(sources.size).toBeGreaterThan(30)
    expect(sheets.size).toBeGreaterThan(5)
  })

  test('loads no schema, and no feature imports another', () => {
    expect(forbiddenImports(sources)).toEqual([])
    expect(schemasBehind(all)).toEqual([])
  })

  test('has no class that two features define', () => {
    expect(sharedClasses(sheets)).toEqual([])
  })

  test('sends requests in one file, and writes no HTML', () => {
    expect(sendersAndHtmlWriters(sources)).toEqual(['connection.ts'])
  })

  test('has one kind of dialog, which knows where the keyboard focus returns to', () => {
    expect(makersOfDialogs(sources)).toEqual(['ui/dialog.tsx'])
  })

  test('has pages at the addresses that the server serves it at, and at no others', () => {
    expect(pagesOf(sources.get('router.tsx') ?? '')).toEqual(new Set(dashboardPaths))
  })

  test('says store and category, and neither project nor kind', () => {
    expect(otherWords(sources)).toEqual([])
  })

  test('and so do published sites in English', () => {
    const site = productionOf('server/src/sites', readSources()).get('strings/strings-en.ts') ?? ''
    expect(site).not.toBe('')
    expect(otherWords(files({ 'texts/en/site.ts': site }))).toEqual([])
  })

  test('has no file of more than 400 lines', () => {
    expect(longFiles(sources)).toEqual([])
  })
})

describe('a violation is reported (negative control)', () => {
  test.each([
    ['a schema', 'domains/a.tsx', '@petstore-platform/contract/platform/domain-shapes'],
    ['another feature', 'domains/a.tsx', '../keys/keys-page.tsx'],
    ['a file outside of dashboard/src', 'domains/a.tsx', '../../../server/src/app.ts'],
    ['a feature, from a shared component', 'ui/a.tsx', '../keys/keys-page.tsx'],
    ['the frame, from a shared component', 'ui/a.tsx', '../shell/frame.tsx'],
    ['the catalogue', 'domains/a.tsx', '../catalogue/entries.ts'],
  ])('an import of %s', (_, file, target) => {
    expect(forbiddenImports(files({ [file]: `import { a } from '${target}'` }))).toHaveLength(1)
    expect(forbiddenImports(files({ [file]: `const later = () => import('${target}')` }))).toHaveLength(1)
    expect(forbiddenImports(files({ [file]: `import type { A } from '${target}'` }))).toEqual([])
  })

  test('a schema, behind a module that has none itself', () => {
    const behind = (statement: string) =>
      schemasBehind(files({ 'contract/src/breeds.ts': `${statement} from './platform/profiles.ts'` }))
    expect(behind('import { FEE_MAX }')).toHaveLength(1)
    expect(behind('import type { FEE_MAX }')).toEqual([])
  })

  test('a class that two features define', () => {
    const added = files({ 'new/new.css': '.a, .certificate-facts { gap: 0 }' })
    expect(sharedClasses(new Map([...sheets, ...added]))).toEqual(['.certificate-facts'])
  })

  test('a request that another file sends, and HTML that it writes', () => {
    const texts = { 'a.ts': `await fetch('/v1')`, 'b.ts': `element.innerHTML = ''`, 'c.ts': 'refetch()' }
    expect(sendersAndHtmlWriters(files(texts))).toEqual(['a.ts', 'b.ts'])
  })

  test('a second kind of dialog', () => {
    expect(makersOfDialogs(files({ 'keys/a.tsx': '<Modal opened />', 'keys/b.tsx': '<Dialog />' }))).toEqual([
      'keys/a.tsx',
    ])
  })

  test('a page at an address that the server does not serve', () => {
    const route = `createRoute({ getParentRoute: () => root, path: '/elsewhere/$id' })`
    expect(pagesOf(route)).toEqual(new Set(['elsewhere']))
  })

  test('a word that screens say otherwise, outside of names in code', () => {
    const source = (text: string) => files({ 'texts/en/a.ts': text })
    for (const text of ["a: 'Delete the project',", "a: 'Kind',", 'a: (to: string) => `Projects of ${to}`,'])
      expect(otherWords(source(text))).toHaveLength(1)
    const right =
      '// A project.\nproject: (kind: string) => `Project settings of ${project}, by kind of store: ${kind}`,'
    expect(otherWords(source(right))).toEqual([])
  })

  test('a file of more than 400 lines', () => {
    expect(longFiles(files({ 'keys/a.tsx': '\n'.repeat(400), 'keys/b.tsx': '\n'.repeat(399) }))).toEqual(['keys/a.tsx'])
  })
})
