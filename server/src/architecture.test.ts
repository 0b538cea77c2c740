// The rules of the house, executable. A folder may import itself and the folders
// to its left. Files at the root (main.ts, app.ts, serve.ts, …) put everything
// together, so they see everything, and nobody in a folder imports them.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const order = [
  'foundation',
  'certificates',
  'accounts',
  'projects',
  'plans',
  'pets',
  'orders',
  'deployments',
  'sites',
  'fleet',
  'domains',
  'overview',
  'origin',
  'edge',
  'reference',
  'dashboard',
]

// A file performs I/O, reads the clock or draws a random number only if its name ends in `-routes.ts` (HTTP),
// `-queries.ts` (SQL) or `.io.ts` (everything else). Every other file is pure.
const decides = (file: string) => !/(-routes|-queries|\.io)\.ts$/.test(file)

type Import = { file: string; target: string; typeOnly: boolean }
type Sources = ReadonlyMap<string, string>

const sources: Sources = new Map(
  globSync('**/*.ts', { cwd: import.meta.dirname })
    .filter((file) => !/\.(test|fake)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')]),
)

const folder = (path: string) => {
  const [first = '', ...rest] = path.split('/')
  // Commands put roles together, as the files at the root do.
  return rest.length === 0 || first === 'commands' ? '' : first
}

const importsOf = (files: Sources): Import[] =>
  [...files].flatMap(([file, text]) =>
    [...text.matchAll(/^(?:import|export) (type )?[^']*?from '(\.[^']+)'/gms)].map(([, type, target = '']) => ({
      file,
      target: join(dirname(file), target),
      typeOnly: type !== undefined,
    })),
  )

function pointingRight(files: Sources): string[] {
  return importsOf(files)
    .filter(({ file }) => folder(file) !== '')
    .filter(({ file, target }) => {
      const to = order.indexOf(folder(target))
      return to === -1 || to > order.indexOf(folder(file))
    })
    .map(({ file, target }) => `${file} may not import ${target}`)
}

// A digest, a checksum or the spelling of a name is arithmetic, so these may be imported by name.
const arithmetic =
  /^import \{ (hash|createHmac|crc32|domainToASCII, domainToUnicode) \} from 'node:(crypto|zlib|url)'$/gm
const world = /from '(node:|fastify|pg|commander)|Date\.now|new Date\(\)|Math\.random|process\.\w/

// Of the foundation, batches and limits wait for the functions that they are given.
const waiting = /\bawait\b/

// What stands in a page that we print, or in SQL, is not our code.
const codeOf = (text: string) => text.replace(arithmetic, '').replace(/`[^`]*`/g, '')

function touchingTheWorld(files: Sources): string[] {
  const direct = [...files]
    .filter(([file]) => folder(file) !== '' && decides(file))
    .filter(([file, text]) => world.test(codeOf(text)) || (folder(file) !== 'foundation' && waiting.test(codeOf(text))))
    .map(([file]) => `${file} decides, and touches the world`)
  const indirect = importsOf(files)
    .filter(({ file, typeOnly }) => folder(file) !== '' && decides(file) && !typeOnly)
    .filter(({ target }) => !decides(target))
    .map(({ file, target }) => `${file} decides, and calls ${target}`)
  return [...direct, ...indirect]
}

function leavingTheWorkspace(files: Sources): string[] {
  return importsOf(files)
    .filter(({ target }) => target.startsWith('..'))
    .map(({ file, target }) => `${file} leaves the workspace for ${target}`)
}

function cycles(files: Sources): string[] {
  const edges = new Map([...files.keys()].map((file) => [file, [] as string[]]))
  for (const { file, target, typeOnly } of importsOf(files)) if (!typeOnly) edges.get(file)?.push(target)
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of edges.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) walk(file, [])
  return found
}

function readingTheEnvironment(files: Sources): string[] {
  return [...files]
    .filter(([file, text]) => file !== 'main.ts' && /process\.(env|argv)/.test(text))
    .map(([file]) => file)
}

// Whoever lists keys should not wait for a web server to be loaded.
const neededAtOnce = ['config.ts', 'cluster.ts', 'foundation/log.ts']
const loadedUnasked = (files: Sources) =>
  importsOf(files)
    .filter(({ file, target, typeOnly }) => file === 'main.ts' && !typeOnly && !neededAtOnce.includes(target))
    .map(({ target }) => target)

/**
 * Exported functions of a project's queries: the project is their second
 * argument, or they serve many requests, each of which names its project.
 */
function queriesWithoutProject(files: Sources): string[] {
  return (
    [...files]
      // Left of projects there is none to name.
      .filter(([file]) => /[/-]queries\.ts$/.test(file) && order.indexOf(folder(file)) >= order.indexOf('projects'))
      .flatMap(([file, text]) => [
        ...[...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => `${file}: ${name}`),
        ...[...text.matchAll(/^export const (\w+) = (?:async )?(?:<[^>]*>)?\(([^)]*)/gm)]
          .filter(([, , parameters = '']) => !namesProject(parameters, text))
          .map(([, name]) => `${file}: ${name}`),
      ])
  )
}

function namesProject(parameters: string, text: string): boolean {
  if (/^\s*db: Db,\s*project: ProjectId\b/.test(parameters)) return true
  const asked = /^\s*run: Db,\s*asks: readonly (\w+Request)\[\],?\s*$/.exec(parameters)?.[1]
  return asked !== undefined && isRequestOfProject(asked, text)
}

/** Written out, or made from one that is. */
function isRequestOfProject(type: string, text: string): boolean {
  const [, base, fields = ''] =
    new RegExp(`^export type ${type} = (?:(\\w+Request) & )?\\{([^}]*)\\}$`, 'm').exec(text) ?? []
  return base === undefined ? /^\s*project: ProjectId\b/.test(fields) : isRequestOfProject(base, text)
}

const LINES_MAX = 400
const tooLong = (files: Sources) =>
  [...files].filter(([, text]) => text.split('\n').length > LINES_MAX).map(([file]) => file)

const rules = {
  'imports point left': pointingRight,
  'what decides does not touch the world': touchingTheWorld,
  'relative imports stay in the workspace': leavingTheWorkspace,
  'no file imports itself through others': cycles,
  'only main.ts reads environment and arguments': readingTheEnvironment,
  'main.ts loads roles and commands when they are asked for': loadedUnasked,
  'every query names its project': queriesWithoutProject,
  'no file grows past 400 lines': tooLong,
}

test.each(Object.entries(rules))('%s', (_, broken) => {
  expect(broken(sources)).toEqual([])
})

// Negative controls: each rule, broken on purpose, is seen.
const mischief: Record<keyof typeof rules, Record<string, string>> = {
  'imports point left': { 'foundation/bad.ts': "import { petRoutes } from '../pets/routes.ts'" },
  'what decides does not touch the world': { 'pets/bad.ts': 'export const at = Date.now()' },
  'relative imports stay in the workspace': { 'pets/bad.ts': "import { x } from '../../../contract/src/pets.ts'" },
  'no file imports itself through others': {
    'pets/a.ts': "import { b } from './b.ts'",
    'pets/b.ts': "import { a } from './a.ts'",
  },
  'only main.ts reads environment and arguments': { 'app.ts': 'process.env.PORT' },
  'main.ts loads roles and commands when they are asked for': {
    'main.ts': "import { startService } from './serve.ts'",
  },
  'every query names its project': { 'pets/pet-queries.ts': 'export const all = (db: Db, count: number) => db' },
  'no file grows past 400 lines': { 'pets/bad.ts': '\n'.repeat(401) },
}

const queriesText = (...lines: string[]) => new Map([['pets/pet-queries.ts', lines.join('\n')]])
const asking = 'export const list = (run: Db, asks: readonly ListRequest[]) => run'

test.each([
  ['a request without a project', ['export type ListRequest = { before: bigint }', asking]],
  ['a project that is any number', ['export type ListRequest = { project: bigint }', asking]],
  ['a project that may be missing', ['export type ListRequest = { project?: ProjectId }', asking]],
  ['a request that is not written down here', [asking]],
  [
    'a request made from one without',
    ['export type AnRequest = { id: bigint }', 'export type ListRequest = AnRequest & { project: ProjectId }', asking],
  ],
  [
    'requests and something else',
    ['export type ListRequest = { project: ProjectId }', asking.replace('[])', '[], all: boolean)')],
  ],
  [
    'one request that is no list',
    ['export type ListRequest = { project: ProjectId }', asking.replace('ListRequest[]', 'ListRequest')],
  ],
  ['a function that is spelt differently', ['export function list(db: Db, project: ProjectId) {}']],
])('a query that takes %s does not name its project', (_, lines) => {
  expect(queriesWithoutProject(queriesText(...lines))).toEqual(['pets/pet-queries.ts: list'])
})

test.each([
  ['requests', ['export type ListRequest = { project: ProjectId; before: bigint }', asking]],
  [
    'requests made from others',
    [
      'export type AnRequest = { project: ProjectId }',
      'export type ListRequest = AnRequest & { status: string }',
      asking,
    ],
  ],
  ['one project', ['export const list = (db: Db, project: ProjectId, before: bigint) => db']],
])('a query that takes %s names its project', (_, lines) => {
  expect(queriesWithoutProject(queriesText(...lines))).toEqual([])
})

test.each(Object.entries(mischief))('the rule "%s" can fail', (name, files) => {
  expect(rules[name as keyof typeof rules](new Map(Object.entries(files)))).not.toEqual([])
})
