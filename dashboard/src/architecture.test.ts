// What the dashboard's files may import, executable: it needs no schemas, talks to the
// server in one place, and its pages do not know each other.

import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { dashboardPaths } from '@petstore/contract/platform/dashboard-paths'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** What is in the bundle: an import of types is not. */
function importsOf(text: string): string[] {
  const statements = text.matchAll(/^import\s+(?!type\b)(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gm)
  const lazy = text.matchAll(/import\(['"]([^'"]+)['"]\)/g)
  return [...statements, ...lazy].map(([, name = '']) => name)
}

/** Of the contract, what holds no schema. */
const light = new Set(['@petstore/contract/client', '@petstore/contract/platform/client'])
/** For every feature; the rest belongs to one. */
const shared = ['ui', 'texts', 'shell']

function faultsOf(file: string, text: string): string[] {
  const folder = file.includes('/') ? (file.split('/')[0] ?? '') : ''
  return importsOf(text).flatMap((name) => {
    if (name.startsWith('@petstore/contract/') && !light.has(name)) return [`${file}: ${name} brings schemas along`]
    if (!name.startsWith('.')) return []
    const target = relative(root, join(root, file, '..', name))
    if (target.startsWith('..')) return [`${file}: ${name} leaves the workspace`]
    const other = target.includes('/') ? (target.split('/')[0] ?? '') : ''
    if (folder === 'ui' && other !== 'ui' && other !== 'texts' && !['api.ts', 'lazy-load.ts'].includes(target)) {
      return [`${file}: what is shared knows no feature, but imports ${target}`]
    }
    const isOwn = folder === '' || other === '' || other === folder || shared.includes(other)
    // The catalogue shows the parts of a feature; nothing that is built for people knows it.
    const mayKnow = folder === 'shell' || folder === 'catalogue'
    return isOwn || mayKnow ? [] : [`${file}: imports ${target} of another feature`]
  })
}

/** Style sheets stay once they are loaded: a class that two features define looks different after a visit to the other. */
function sharedClasses(sheets: ReadonlyMap<string, string>): string[] {
  const owners = new Map<string, Set<string>>()
  for (const [file, text] of sheets) {
    const folder = file.split('/')[0] ?? ''
    const selectors = [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{/g)].flatMap(([, all = '']) =>
      all.split(','),
    )
    for (const name of selectors.map((one) => one.trim()).filter((one) => /^\.[\w-]+$/.test(one))) {
      owners.set(name, new Set([...(owners.get(name) ?? []), folder]))
    }
  }
  return [...owners].filter(([, folders]) => folders.size > 1).map(([name]) => name)
}

describe('the dashboard', () => {
  test('has no class that two features define, and would notice one', () => {
    const sheets = new Map(globSync('**/*.css', { cwd: root }).map((file) => [file, read(file)]))
    expect(sheets.size).toBeGreaterThan(5)
    expect(sharedClasses(sheets)).toEqual([])
    expect(sharedClasses(new Map([...sheets, ['new/new.css', '.a, .certificate-facts { gap: 0 }']]))).toEqual([
      '.certificate-facts',
    ])
  })

  test('loads no schema, and no feature knows another', () => {
    expect(files.length).toBeGreaterThan(30)
    expect(files.flatMap((file) => faultsOf(file, read(file)))).toEqual([])
  })

  test('would be found out', () => {
    expect(
      faultsOf('domains/a.tsx', "import { Domain } from '@petstore/contract/platform/domain-shapes'"),
    ).toHaveLength(1)
    expect(faultsOf('domains/a.tsx', "import { KeysPage } from '../keys/keys-page.tsx'")).toHaveLength(1)
    expect(faultsOf('ui/a.tsx', "import { KeysPage } from '../keys/keys-page.tsx'")).toHaveLength(1)
    expect(
      faultsOf('domains/a.tsx', "import type { Domain } from '@petstore/contract/platform/domain-shapes'"),
    ).toEqual([])
  })

  test('asks the server through its client alone, and writes no HTML', () => {
    const asking = files.filter((file) => /\bfetch\(|XMLHttpRequest|innerHTML|document\.write/.test(read(file)))
    expect(asking).toEqual(['connection.ts'])
  })

  test('has one kind of dialog, which knows where the keyboard goes afterwards', () => {
    expect(files.filter((file) => /<(Modal|Drawer)\b/.test(read(file)))).toEqual(['ui/dialog.tsx'])
  })

  test('has pages at the addresses that the server answers with it, and at no others', () => {
    const paths = [...read('router.tsx').matchAll(/getParentRoute: \(\) => root,\s*path: '([^']*)'/g)]
    const first = paths.map(([, path = '']) => path.split('/').find((part) => part !== '') ?? '')
    expect(new Set(first)).toEqual(new Set(dashboardPaths))
  })

  test('has files that can be read at one sitting', () => {
    expect(files.filter((file) => read(file).split('\n').length > 400)).toEqual([])
  })
})
