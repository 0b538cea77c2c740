// Compiles one source file for a release: types become spaces, so stack traces show the positions of the source
// without source maps, and paths of modules lead to where the release has them. Pure.
//
// A path of a module is a string that starts with `./` or `../` and ends in `.ts`, wherever it is: in an import, in
// `import()`, in `new URL(…)` or among the files of a child process. Any other string that ends in `.ts` is rejected,
// because it would name a file that no release has.

import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'

/** `uses` are the paths of the modules that it names, in the repository. */
export type Compiled = { path: string; text: string; uses: readonly string[] }

export function compiled(path: string, source: string): Compiled {
  const text = path.endsWith('.ts') ? stripTypeScriptTypes(source, { mode: 'strip' }) : source
  const found = stringsIn(path, text).flatMap(({ value, start, end }) => {
    const target = moduleOf(path, value)
    return target === undefined ? [] : [{ target, start, end }]
  })
  const released = releasedPath(path)
  const rewritten = found.reduceRight(
    (rest, { target, start, end }) => `${rest.slice(0, start)}'${specifier(released, target)}'${rest.slice(end)}`,
    text,
  )
  return { path: released, text: rewritten, uses: [...new Set(found.map(({ target }) => target))] }
}

/** Where a release has a source file of the repository. */
export function releasedPath(path: string): string {
  if (path.startsWith('server/bin/')) return path.replace('server/', '')
  const compiledPath = path.replace(/\.ts$/, '.js')
  if (path.startsWith('server/src/')) return compiledPath.replace('server/src/', 'dist/')
  if (path.startsWith('contract/src/')) return compiledPath.replace('contract/src/', 'dist/contract/')
  throw new Error(`${path} is in no folder that is part of a release.`)
}

function moduleOf(path: string, value: string): string | undefined {
  const part = /^@petstore-platform\/contract\/(.+)$/.exec(value)?.[1]
  if (part !== undefined) return `contract/src/${part}.ts`
  if (!value.endsWith('.ts')) return undefined
  if (!/^\.\.?\//.test(value)) throw new Error(`${path}: '${value}' is not a path that starts with ./ or ../`)
  return join(dirname(path), value)
}

function specifier(from: string, target: string): string {
  const path = relative(dirname(from), releasedPath(target))
  return path.startsWith('.') ? path : `./${path}`
}

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Text = { value: string; start: number; end: number }

/** Every string of a file, and every part of its templates, in their order. */
function stringsIn(path: string, text: string): Text[] {
  const { program, errors } = parseSync(path.replace(/\.ts$/, '.js'), text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const found: Text[] = []
  const visit = (node: Node) => {
    const { type, start, end, value } = node
    if (type === 'Literal' && typeof value === 'string') found.push({ value, start, end })
    // A path that is put together cannot be followed.
    if (type === 'TemplateElement' && (value as { raw: string }).raw.endsWith('.ts')) {
      throw new Error(`${path}: a template that ends in .ts cannot be followed`)
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(program as unknown as Node)
  return found.sort((a, b) => a.start - b.start)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
