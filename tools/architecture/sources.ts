// The sources of the repository as data: text by path, and what a parser finds in each file. Rules are
// functions of such a map, so a negative control is a rule applied to a few lines that break it.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** Text by path, relative to the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** `to` is a path in the repository, or the name of a package. An import of types is erased and loads nothing. */
export type Import = { from: string; to: string; isPackage: boolean; isType: boolean; isLazy: boolean }
export type FunctionLength = { name: string; lines: number }

const repository = join(import.meta.dirname, '../..')
const roots = ['contract', 'server', 'dashboard', 'devserver', 'testbed', 'tools', 'e2e']

export function readSources(extension = '{ts,tsx}'): Sources {
  const files = globSync(`{${roots.join(',')}}/**/*.${extension}`, {
    cwd: repository,
    exclude: (name) => /(^|\/)(node_modules|public)$/.test(name),
  })
  return new Map(files.sort().map((file) => [file, readFileSync(join(repository, file), 'utf8')]))
}

export const isTest = (file: string) => file.endsWith('.test.ts')
/** Fakes and samples that tests share; they are next to what they replace. */
export const isFake = (file: string) => file.endsWith('.fake.ts')

/** The production code below `folder`, by its paths in it. */
export const productionOf = (folder: string, sources: Sources): Sources =>
  new Map(
    [...sources]
      .filter(([file]) => file.startsWith(`${folder}/`) && !isTest(file) && !isFake(file))
      .map(([file, text]) => [file.slice(folder.length + 1), text]),
  )

/** One value per map of sources, so that twenty rules parse each file once. */
function cached<T>(compute: (sources: Sources) => T): (sources: Sources) => T {
  const known = new WeakMap<Sources, { value: T }>()
  return (sources) => {
    const entry = known.get(sources) ?? { value: compute(sources) }
    known.set(sources, entry)
    return entry.value
  }
}

export const importsOf = cached((sources): readonly Import[] =>
  [...sources].flatMap(([file, text]) => importsIn(file, text)),
)

function importsIn(file: string, text: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parse(file, text).module
  const statements = [...staticImports, ...staticExports].flatMap((statement) => {
    const name = [statement, ...statement.entries].map(requestOf).find((request) => request !== undefined)
    // `import { type X }` still loads the file; `import type { X }` does not.
    const isType = /^(import|export) type\b/.test(text.slice(statement.start, statement.end))
    return name === undefined ? [] : [{ name, isType, isLazy: false }]
  })
  const lazy = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const name = /^'([^']+)'$/.exec(text.slice(start, end))?.[1]
    return name === undefined ? [] : [{ name, isType: false, isLazy: true }]
  })
  return [...statements, ...lazy].map(({ name, ...kind }) => ({ from: file, ...targetOf(file, name), ...kind }))
}

const requestOf = (part: object) =>
  'moduleRequest' in part ? (part.moduleRequest as { value: string } | null)?.value : undefined

/** The contract is a package, and a root of this repository. */
function targetOf(file: string, name: string): Pick<Import, 'to' | 'isPackage'> {
  const part = /^@petstore-platform\/contract\/(.+)$/.exec(name)?.[1]
  if (part !== undefined) return { to: `contract/src/${part}.ts`, isPackage: false }
  return name.startsWith('.') ? { to: join(dirname(file), name), isPackage: false } : { to: name, isPackage: true }
}

/** Types that a file declares and exports. */
export const exportedTypesIn = (text: string) =>
  [...text.matchAll(/^export (?:declare )?(?:type|interface) (\w+)\b(?! *,)/gm)].map(([, name = '']) => name)

const LINES_MAX = 400

/** Files that cannot be read at one sitting. */
export const longFiles = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => text.split('\n').length > LINES_MAX).map(([file]) => file)

type Node = { type: string; start: number; end: number; [field: string]: unknown }

/** Every function of a file, at any depth, by the name of what holds it. */
export function functionsIn(file: string, text: string): FunctionLength[] {
  const functions: FunctionLength[] = []
  const visit = (node: Node, holder: string) => {
    const name = nameOf(node) ?? holder
    if (/^(FunctionDeclaration|(Arrow)?FunctionExpression)$/.test(node.type)) {
      functions.push({ name, lines: text.slice(node.start, node.end).split('\n').length })
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, name)
  }
  visit(parse(file, text).program as unknown as Node, 'module')
  return functions
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The name that a declaration, a property or a variable gives to what is in it. */
function nameOf(node: Node): string | undefined {
  const named = [node['id'], node['key']].find(isNode)
  return typeof named?.['name'] === 'string' ? named['name'] : undefined
}

function parse(file: string, text: string) {
  const result = parseSync(file, text)
  if (result.errors.length > 0) throw new Error(`${file}: ${result.errors[0]?.message}`)
  return result
}
