import { describe, expect, test } from 'vitest'
import {
  circles,
  forbiddenArrows,
  helpersThatActAtImport,
  repeatedTypes,
  testsInProduction,
  unusedArrows,
} from './roots.ts'
import { exportedTypesIn, importsOf, readSources } from './sources.ts'

const sources = readSources()

const files = (texts: Record<string, string>) => new Map(Object.entries(texts))

describe('the repository', () => {
  // The only test here that takes long: it parses every file.
  test('is read as a whole', { timeout: 120_000 }, () => {
    expect(sources.size).toBeGreaterThan(1000)
    expect(importsOf(sources).length).toBeGreaterThan(6000)
  })

  test('has no import that the table of roots does not allow', () => {
    expect(forbiddenArrows(sources)).toEqual([])
  })

  test('needs every arrow of the table of roots', () => {
    expect(unusedArrows(sources)).toEqual([])
  })

  test('has no production file that imports a test or a fake', () => {
    expect(testsInProduction(sources)).toEqual([])
  })

  test('has no helper of tests that starts something when it is imported', () => {
    expect(helpersThatActAtImport(sources)).toEqual([])
  })

  test('has no import cycle, not even of types', () => {
    expect(circles(sources)).toEqual([])
  })

  test('declares no type name in more than two files', () => {
    expect(repeatedTypes(sources)).toEqual({})
  })
})

describe('a forbidden import between roots is reported (negative control)', () => {
  test.each([
    ['the contract imports the server', 'contract/src/a.ts', '../../server/src/program/api.ts'],
    ['the server imports the dashboard', 'server/src/a.ts', '../../dashboard/src/api.ts'],
    ['the server imports the testbed', 'server/src/a.ts', '../../testbed/harness/http.ts'],
    ['the server imports its slice tests', 'server/src/a.test.ts', '../test/v1/raw.ts'],
    ['the server imports a path in no root', 'server/src/a.ts', '../../elsewhere/pets.ts'],
    ['the dashboard imports the server', 'dashboard/src/a.tsx', '../../server/src/program/api.ts'],
    ['a tool imports a role of the server', 'tools/a.ts', '../server/src/serve.ts'],
    ['a tool imports the testbed', 'tools/a.ts', '../testbed/harness/http.ts'],
    ['the development server imports the testbed', 'devserver/a.ts', '../testbed/internet/world.ts'],
    ['the testbed imports slice tests', 'testbed/harness/a.ts', '../../server/test/v1/raw.ts'],
    ['the testbed imports e2e', 'testbed/harness/a.ts', '../../e2e/sockets.ts'],
    ['the testbed loads the catalogue', 'testbed/catalogue/a.ts', '../../dashboard/src/catalogue/entries.ts'],
    ['slice tests import e2e', 'server/test/a.test.ts', '../../e2e/sockets.ts'],
    ['e2e imports slice tests', 'e2e/a.test.ts', '../server/test/v1/raw.ts'],
    ['e2e imports a page of the dashboard', 'e2e/a.test.ts', '../dashboard/src/keys/keys-page.tsx'],
  ])('%s', (_, file, target) => {
    expect(forbiddenArrows(files({ [file]: `import { a } from '${target}'` }))).toHaveLength(1)
  })

  test.each([
    ['of types', `import type { App } from '../../server/src/program/api.ts'`],
    ['that is exported again', `export { app } from '../../server/src/program/api.ts'`],
    ['of everything', `export * from '../../server/src/program/api.ts'`],
    ['for its effect', `import '../../server/src/program/api.ts'`],
    ['at a later time', `const app = () => import('../../server/src/program/api.ts')`],
  ])('an import %s', (_, text) => {
    expect(forbiddenArrows(files({ 'contract/src/a.ts': text }))).toEqual([
      'contract/src/a.ts may not import server/src/program/api.ts',
    ])
  })

  test('an import by the name of the package', () => {
    const text = `import { a } from '@petstore-platform/contract/pets'`
    expect(forbiddenArrows(files({ 'dashboard/src/a.ts': text }))).toEqual([])
    expect(importsOf(files({ 'dashboard/src/a.ts': text }))).toMatchObject([{ to: 'contract/src/pets.ts' }])
  })
})

describe('the other rules over all roots can fail (negative control)', () => {
  test('an arrow that no import needs', () => {
    const unused = unusedArrows(files({ 'devserver/a.ts': `import { bundle } from '../tools/bundle.ts'` }))
    expect(unused).toContain('devserver → server/src')
    expect(unused).not.toContain('devserver → tools')
  })

  test('a production file that imports a fake', () => {
    const text = `import { samples } from '../mail/samples.fake.ts'`
    expect(testsInProduction(files({ 'server/src/edge/a.ts': text }))).toHaveLength(1)
    expect(testsInProduction(files({ 'server/src/edge/a.test.ts': text }))).toEqual([])
  })

  test.each(['beforeAll(async () => {})', 'export const platform = await startTestPlatform()'])(
    'a helper of tests with %s',
    (text) => {
      expect(helpersThatActAtImport(files({ 'server/test/orders/a.ts': text }))).toHaveLength(1)
      expect(helpersThatActAtImport(files({ 'server/test/orders/a.test.ts': text }))).toEqual([])
    },
  )

  test.each([
    ['of values', `import { b } from './b.ts'`, `import { a } from './a.ts'`],
    ['of types', `import type { B } from './b.ts'`, `import type { A } from './a.ts'`],
    ['of a value and a type', `import { b } from './b.ts'`, `import type { A } from './a.ts'`],
    ['that is closed at a later time', `const b = () => import('./b.ts')`, `import { a } from './a.ts'`],
  ])('a cycle %s', (_, a, b) => {
    expect(circles(files({ 'tools/a.ts': a, 'tools/b.ts': b }))).toEqual(['tools/a.ts → tools/b.ts → tools/a.ts'])
  })

  test('a type that is declared in three files', () => {
    const text = 'export type Place = string'
    expect(repeatedTypes(files({ 'tools/a.ts': text, 'e2e/b.ts': text }))).toEqual({})
    expect(repeatedTypes(files({ 'tools/a.ts': text, 'e2e/b.ts': text, 'contract/c.ts': text }))).toEqual({ Place: 3 })
    expect(exportedTypesIn('export interface Place {}\ntype Own = 1\nexport type { Other }')).toEqual(['Place'])
  })
})
