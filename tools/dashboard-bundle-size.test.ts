// The files of a page's first load, on manifests as Vite writes them.

import { expect, test } from 'vitest'
import {
  firstLoadBudget,
  firstLoadOf,
  overBudget,
  preloadedFonts,
  routesOf,
  type Manifest,
} from './dashboard-bundle-size.ts'

const manifest: Manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    css: ['assets/index.css'],
    imports: ['_react.js'],
    dynamicImports: ['src/domains/domains-page.tsx', 'src/orders/orders-page.tsx'],
  },
  '_react.js': { file: 'assets/react.js' },
  '_table.js': { file: 'assets/table.js', imports: ['_react.js'], css: ['assets/table.css'] },
  'src/domains/domains-page.tsx': {
    file: 'assets/domains.js',
    imports: ['index.html', '_table.js'],
    dynamicImports: ['src/domains/guide.tsx'],
  },
  'src/domains/guide.tsx': { file: 'assets/guide.js' },
  'src/orders/orders-page.tsx': { file: 'assets/orders.js', imports: ['_table.js'] },
}

test('the first load of a page is the entry, the page, and all that they import', () => {
  const { scripts, styles } = firstLoadOf(manifest, 'src/domains/domains-page.tsx')
  expect(scripts.toSorted()).toEqual(['assets/domains.js', 'assets/index.js', 'assets/react.js', 'assets/table.js'])
  expect(styles.toSorted()).toEqual(['assets/index.css', 'assets/table.css'])
})

test('a page that the entry does not load is an error, and not a page of size zero', () => {
  expect(() => firstLoadOf(manifest, 'src/domains/guide.tsx')).toThrow('src/domains/guide.tsx')
  expect(() => firstLoadOf(manifest, 'src/domains/gone.tsx')).toThrow('src/domains/gone.tsx')
})

test('each page is listed with what it loads in addition to the shared bundle', () => {
  expect(routesOf(manifest)).toEqual([
    { route: 'all pages', files: ['assets/index.js', 'assets/index.css', 'assets/react.js'] },
    { route: 'src/domains/domains-page.tsx', files: ['assets/domains.js', 'assets/table.js', 'assets/table.css'] },
    { route: 'src/orders/orders-page.tsx', files: ['assets/orders.js', 'assets/table.js', 'assets/table.css'] },
  ])
})

test('fonts that the page preloads are part of its first load', () => {
  const html =
    '<link rel="icon" href="/assets/favicon.1.svg" /><link rel="preload" href="/assets/figtree.1.woff2" as="font" crossorigin>'
  expect(preloadedFonts(html)).toEqual(['assets/figtree.1.woff2'])
})

test('a part above its budget is named, and only that (negative control)', () => {
  const most = { script: 185_000, style: 28_000, font: 21_000 }
  expect(overBudget(most)).toEqual([])
  expect(overBudget({ ...most, style: 28_001 })).toEqual([`style: 28.0 kB of ${firstLoadBudget.style} kB`])
})
