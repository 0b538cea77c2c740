import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  IO_RULE,
  crowdedDomains,
  edgeReachingFurther,
  features,
  importsLeavingServer,
  importsPointingRight,
  impureFiles,
  loadedTooEarly,
  longFunctions,
  needlesslyNamedForIo,
  queriesWithoutProject,
  readersOfEnvironment,
  roomsOfDomains,
  roomsPointingRight,
  runningText,
  sendingSql,
  weakCryptography,
} from './server.ts'
import { circles } from './roots.ts'
import { functionsIn, longFiles, productionOf, readSources, type Sources } from './sources.ts'

const sources = productionOf('server/src', readSources())
const files = (texts: Record<string, string>) => new Map(Object.entries(texts))

type Rule = (sources: Sources) => readonly string[]

const rules = {
  'imports point left along the order of the features': importsPointingRight,
  'imports inside domains/ point left along the order of its rooms': roomsPointingRight,
  'domains/ has at most 16 entries': crowdedDomains,
  'a file that performs I/O has a name that ends in -routes.ts, -queries.ts or .io.ts': impureFiles,
  'a file with such a name performs I/O': needlesslyNamedForIo,
  'no file of edge/ reaches a query or PostgreSQL': edgeReachingFurther,
  'relative imports stay inside server/src': importsLeavingServer,
  'imports form no circle': circles,
  'only main.ts reads environment and arguments': readersOfEnvironment,
  'main.ts loads roles and commands only when they are needed': loadedTooEarly,
  'every query names its project': queriesWithoutProject,
  'SQL is sent as statements with values, never as text of a request': sendingSql,
  'no text is run as code, or as a line of a shell': runningText,
  'ciphers and digests are AES-256-GCM and SHA-2': weakCryptography,
  'no file has more than 400 lines': longFiles,
} satisfies Record<string, Rule>

describe('server/src', () => {
  test('is read as a whole', () => expect(sources.size).toBeGreaterThan(300))

  test.each(Object.entries(rules))('%s', (_, broken) => {
    expect(broken(sources)).toEqual([])
  })

  test('no function has more than 90 lines', () => {
    expect(longFunctions(sources)).toEqual({})
  })
})

describe('the documents', () => {
  test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s states the rule of I/O and both orders', (file) => {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8').replaceAll(/\s+/g, ' ')
    for (const sentence of [IO_RULE, features.join(' · '), roomsOfDomains.join(' · ')]) expect(text).toContain(sentence)
  })
})

/** Each rule, broken on purpose. */
const violations: Record<keyof typeof rules, Record<string, string>> = {
  'imports point left along the order of the features': {
    'foundation/bad.ts': `import { petRoutes } from '../pets/v1-pet-routes.ts'`,
  },
  'imports inside domains/ point left along the order of its rooms': {
    'domains/judging/bad.ts': `import type { Life } from '../lifecycle/states.ts'`,
  },
  'domains/ has at most 16 entries': Object.fromEntries(
    Array.from({ length: 17 }, (_, index) => [`domains/room-${index}/a.ts`, '']),
  ),
  'a file that performs I/O has a name that ends in -routes.ts, -queries.ts or .io.ts': {
    'animals/bad.ts': 'export const at = Date.now()',
  },
  'a file with such a name performs I/O': { 'animals/bad.io.ts': 'export const sum = (a: number, b: number) => a + b' },
  'no file of edge/ reaches a query or PostgreSQL': {
    'edge/bad.ts': `import { page } from '../sites/pages/page.ts'`,
    'sites/pages/page.ts': `import { animals } from './visitor-queries.ts'`,
  },
  'relative imports stay inside server/src': { 'animals/bad.ts': `import { x } from '../../../contract/src/pets.ts'` },
  'imports form no circle': {
    'animals/a.ts': `import { b } from './b.ts'`,
    'animals/b.ts': `import { a } from './a.ts'`,
  },
  'only main.ts reads environment and arguments': { 'program/api.ts': 'process.env.PORT' },
  'main.ts loads roles and commands only when they are needed': {
    'main.ts': `import { startService } from './program/serve.ts'`,
  },
  'every query names its project': { 'animals/pet-queries.ts': 'export const all = (db: Db, count: number) => db' },
  'SQL is sent as statements with values, never as text of a request': {
    'animals/bad.io.ts': 'client.query(`select ${name}`)',
  },
  'no text is run as code, or as a line of a shell': {
    'animals/bad.io.ts': `import { exec } from 'node:child_process'`,
  },
  'ciphers and digests are AES-256-GCM and SHA-2': { 'animals/bad.ts': 'createHash(name)' },
  'no file has more than 400 lines': { 'animals/bad.ts': '\n'.repeat(401) },
}

describe('a violation is reported (negative control)', () => {
  test.each(Object.entries(violations))('%s', (name, texts) => {
    expect(rules[name as keyof typeof rules](files(texts))).toHaveLength(1)
  })

  test('every query names its project, also one that is declared as a statement', () => {
    const found = (values: string) =>
      queriesWithoutProject(files({ 'animals/pet-queries.ts': `export const all = query<Row, ${values}>(\n  'all',` }))
    expect(found('[count: number]')).toEqual(['animals/pet-queries.ts: all'])
    expect(found('[project: ProjectId, count: number]')).toEqual([])
  })

  test('no function has more than 90 lines', () => {
    const lines = (count: number) => files({ 'a.ts': `const f = () => {${'\n'.repeat(count - 1)}}` })
    expect(longFunctions(lines(90))).toEqual({})
    expect(longFunctions(lines(91))).toEqual({ 'a.ts f': 91 })
    const nested = 'export const o = { inner: async function () {\n} }\nclass C { run() { [1].map(() => {\n\n}) } }'
    expect(functionsIn('a.ts', nested)).toEqual([
      { name: 'inner', lines: 2 },
      { name: 'run', lines: 3 },
      { name: 'run', lines: 3 },
    ])
  })

  test.each([
    ['imports a composition root', 'animals/bad.ts', `import { buildApp } from '../program/api.ts'`],
    ['imports a command', 'animals/bad.ts', `import { keys } from '../commands/keys.ts'`],
    ['is in a folder that has no place in the order', 'news/bad.ts', `import { a } from '../pets/json.ts'`],
  ])('a file of a feature that %s', (_, file, text) => {
    expect(importsPointingRight(files({ [file]: text }))).toHaveLength(1)
  })

  test('a room of domains/ that has no place in the order', () => {
    expect(roomsPointingRight(files({ 'domains/new/a.ts': `import { a } from '../naming/names.ts'` }))).toHaveLength(1)
  })
})

describe('text that is run', () => {
  test.each(['eval(text)', 'new Function(text)', `import { run } from 'node:vm'`, 'spawn(name, { shell: true })'])(
    'is %s',
    (text) => expect(runningText(files({ 'a.ts': text }))).toEqual(['a.ts']),
  )

  test.each(['FORM.exec(text)', `import { execFile } from 'node:child_process'`])('is not %s', (text) =>
    expect(runningText(files({ 'a.ts': text }))).toEqual([]),
  )
})

describe('cryptography', () => {
  test.each([
    `createCipheriv('aes-256-cbc', key, iv)`,
    'createHash(name)',
    `const CIPHER = 'aes-128-ecb'`,
    `hash('sha1', x)`,
  ])('%s is reported', (text) => expect(weakCryptography(files({ 'a.ts': text }))).not.toEqual([]))

  test.each([
    `createHmac('sha256', key)`,
    `const CIPHER = 'aes-256-gcm'`,
    "`W/\"${hash('sha1', body, 'base64url')}\"`",
  ])('%s is accepted', (text) => expect(weakCryptography(files({ 'a.ts': text }))).toEqual([]))
})

describe('I/O', () => {
  test.each([
    ['reads a file', `import { readFile } from 'node:fs/promises'`],
    ['has a request in its hands', `import type { FastifyRequest } from 'fastify'`],
    ['reads the clock', 'export const at = () => performance.now()'],
    ['sets a timer', 'setTimeout(() => {}, 100)'],
    ['draws a random number', 'export const coin = () => Math.random() < 0.5'],
    ['begins a transaction', 'export const inAll = ({ transaction }: Database) => transaction({}, work)'],
    ['waits', 'export const both = async (a: Promise<void>) => { await a }'],
    ['calls a query', `import { findPet } from './pet-queries.ts'`],
  ])('is what a file performs that %s', (_, text) => {
    expect(impureFiles(files({ 'animals/a.ts': text }))).toHaveLength(1)
    expect(needlesslyNamedForIo(files({ 'animals/a.io.ts': text }))).toEqual([])
  })

  test.each([
    ['computes a digest', `import { hash } from 'node:crypto'`],
    ['names the types of a query', `import type { Pet } from './pet-queries.ts'`],
    ['mentions it in a comment', '// Date.now() is read by the caller.'],
    ['prints it in a page', 'export const script = `setTimeout(reload, Date.now())`'],
    ['calls a pure file', `import { a } from './json.ts'`],
  ])('is not what a file performs that %s', (_, text) => {
    expect(impureFiles(files({ 'animals/a.ts': text }))).toEqual([])
    expect(needlesslyNamedForIo(files({ 'animals/a.io.ts': text }))).toHaveLength(1)
  })

  test('in the foundation, a pure file may wait for functions that it is given', () => {
    const text = 'export const all = async (work: () => Promise<void>) => { await work() }'
    expect(impureFiles(files({ 'foundation/a.ts': text }))).toEqual([])
  })
})

describe('an edge', () => {
  test.each([
    ['a query', '../domains/store/route-queries.ts'],
    ['PostgreSQL', '../foundation/postgres/postgres.io.ts'],
  ])('that imports %s directly is reported for the import and for its reach', (_, target) => {
    expect(edgeReachingFurther(files({ 'edge/bad.io.ts': `import { a } from '${target}'` }))).toHaveLength(2)
  })

  test.each([
    ['the origin', '../origin/site-server.io.ts'],
    ['another part of the fleet', '../fleet/directory.io.ts'],
    ['certificates', '../certificates/jobs.io.ts'],
    ['routes of sites with a database', '../sites/pages/preview-routes.ts'],
  ])('may not import %s, nor its types', (_, target) => {
    expect(edgeReachingFurther(files({ 'edge/bad.io.ts': `import type { A } from '${target}'` }))).toHaveLength(1)
  })

  test('is not reported for types that another file takes from a query', () => {
    const texts = {
      'edge/good.ts': `import { page } from '../sites/pages/page.ts'`,
      'sites/pages/page.ts': `import type { Animal } from './visitor-queries.ts'`,
    }
    expect(edgeReachingFurther(files(texts))).toEqual([])
  })
})

describe('a query', () => {
  const queriesText = (...lines: string[]) => files({ 'animals/pet-queries.ts': lines.join('\n') })
  const asking = 'export const list = (run: Db, asks: readonly ListRequest[]) => run'

  test.each([
    ['a request without a project', ['export type ListRequest = { before: bigint }', asking]],
    ['a project that is any number', ['export type ListRequest = { project: bigint }', asking]],
    ['a project that may be missing', ['export type ListRequest = { project?: ProjectId }', asking]],
    ['a request whose type is declared elsewhere', [asking]],
    [
      'a request made from one without',
      [
        'export type AnRequest = { id: bigint }',
        'export type ListRequest = AnRequest & { project: ProjectId }',
        asking,
      ],
    ],
    [
      'requests and something else',
      ['export type ListRequest = { project: ProjectId }', asking.replace('[])', '[], all: boolean)')],
    ],
    [
      'one request that is no list',
      ['export type ListRequest = { project: ProjectId }', asking.replace('ListRequest[]', 'ListRequest')],
    ],
    ['its arguments as a function declaration', ['export function list(db: Db, project: ProjectId) {}']],
  ])('that takes %s does not name its project', (_, lines) => {
    expect(queriesWithoutProject(queriesText(...lines))).toEqual(['animals/pet-queries.ts: list'])
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
  ])('that takes %s names its project', (_, lines) => {
    expect(queriesWithoutProject(queriesText(...lines))).toEqual([])
  })
})
