// Computes the files that a browser loads from Vite's manifest. Pure. The first load of a
// page is the entry with all its imports, and the chunk of that page with all its imports
// in turn; what the page loads later does not count.

import { kB } from './kilobytes.ts'

type Chunk = {
  file: string
  src?: string
  isEntry?: boolean
  css?: readonly string[]
  imports?: readonly string[]
  dynamicImports?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

/** A page that is no longer loaded separately is an error: its figure would not be its first load. */
export function firstLoadOf(manifest: Manifest, page: string): { scripts: string[]; styles: string[] } {
  if (!pagesOf(manifest).includes(page)) throw new Error(`The entry loads no page from ${page}.`)
  const all = withImports(manifest, [...entriesOf(manifest), page])
  return {
    scripts: unique(all.map((key) => fileOf(manifest, key))).filter((file) => file.endsWith('.js')),
    styles: unique(all.flatMap((key) => manifest[key]?.css ?? [])),
  }
}

/** The typefaces that the page asks for before its style sheet is read; others are loaded when a letter needs them. */
export const preloadedFonts = (html: string): string[] =>
  [...html.matchAll(/<link\b[^>]*>/g)].flatMap(([link]) => {
    const href = /\bas="font"/.test(link) ? /\bhref="\/([^"]+)"/.exec(link)?.[1] : undefined
    return href === undefined ? [] : [href]
  })

/** In kB as they go over the wire, gzipped. */
export const firstLoadBudget = { script: 185, style: 28, font: 21 } as const
export type FirstLoadPart = keyof typeof firstLoadBudget

/** What exceeds its budget, in words. */
export const overBudget = (bytes: Readonly<Record<FirstLoadPart, number>>): string[] =>
  (Object.keys(firstLoadBudget) as FirstLoadPart[])
    .filter((part) => bytes[part] > firstLoadBudget[part] * 1000)
    .map((part) => `${part}: ${kB(bytes[part])} of ${firstLoadBudget[part]} kB`)

/** The shared bundle, and what each page loads in addition. */
export function routesOf(manifest: Manifest): { route: string; files: string[] }[] {
  const shared = withImports(manifest, entriesOf(manifest))
  const filesOf = (keys: readonly string[]) =>
    unique(keys.flatMap((key) => [fileOf(manifest, key), ...(manifest[key]?.css ?? [])]))
  const have = new Set(filesOf(shared))
  return [
    { route: 'all pages', files: [...have] },
    ...pagesOf(manifest).map((route) => ({
      route,
      files: filesOf(withImports(manifest, [route])).filter((file) => !have.has(file)),
    })),
  ]
}

const entriesOf = (manifest: Manifest) => Object.keys(manifest).filter((key) => manifest[key]?.isEntry)

/** The pages that the router loads: the entry's own dynamic imports. */
const pagesOf = (manifest: Manifest) =>
  unique(withImports(manifest, entriesOf(manifest)).flatMap((key) => manifest[key]?.dynamicImports ?? [])).toSorted()

function withImports(manifest: Manifest, keys: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (key: string) => {
    if (found.has(key)) return
    found.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return [...found]
}

function fileOf(manifest: Manifest, key: string): string {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The manifest names ${key} and does not have it.`)
  return chunk.file
}

const unique = (items: readonly string[]) => [...new Set(items)]
