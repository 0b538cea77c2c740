import { expect, test } from 'vitest'
import { compiled, releasedPath } from './javascript.ts'
import { reachedModules } from './reached.ts'

const source = `import type { A } from './a.ts'
import { b } from './b.ts'
export * from '../../foundation/c.ts'
import { d } from '@petstore-platform/contract/platform/site'
const lazy = (x: number) => import('./e.ts')
const child = new URL('./f.io.ts', import.meta.url)
`

test('paths of modules lead to where a release has them, and types become spaces', () => {
  const { path, text, uses } = compiled('server/src/domains/views/one.ts', source)
  expect(path).toBe('dist/domains/views/one.js')
  expect(text.split('\n')).toEqual([
    ' '.repeat("import type { A } from './a.ts'".length),
    "import { b } from './b.js'",
    "export * from '../../foundation/c.js'",
    "import { d } from '../../contract/platform/site.js'",
    "const lazy = (x        ) => import('./e.js')",
    "const child = new URL('./f.io.js', import.meta.url)",
    '',
  ])
  expect(uses).toEqual([
    'server/src/domains/views/b.ts',
    'server/src/foundation/c.ts',
    'contract/src/platform/site.ts',
    'server/src/domains/views/e.ts',
    'server/src/domains/views/f.io.ts',
  ])
})

test('a file of the contract finds its neighbours, and the executable finds the program', () => {
  expect(compiled('contract/src/platform/site.ts', "import '../pets.ts'").text).toBe("import '../pets.js'")
  expect(compiled('server/bin/petstore.js', "import('../src/main.ts')").text).toBe("import('../dist/main.js')")
})

test.each(["join(folder, 'child.ts')", 'import(`./${name}.ts`)'])(
  '%s, which cannot be rewritten, is rejected (negative control)',
  (text) => {
    expect(() => compiled('server/src/one.ts', text)).toThrow(/server\/src\/one\.ts: .*\.ts/)
  },
)

test('a folder that is part of no release is rejected (negative control)', () => {
  expect(() => releasedPath('testbed/harness/http.ts')).toThrow('testbed/harness/http.ts')
})

test('a release has what the executable reaches, and nothing else', () => {
  const files: Record<string, string> = {
    'server/bin/petstore.js': "import('../src/main.ts')",
    'server/src/main.ts': "import type { T } from './types-only.ts'; import { a } from './a.ts'",
    'server/src/a.ts': "import './main.ts'; export const a = '@petstore-platform/contract/pets'",
    'contract/src/pets.ts': '',
    'server/src/a.test.ts': '',
  }
  const paths = reachedModules((path) => files[path] ?? 'absent').map(({ path }) => path)
  expect(paths).toEqual(['bin/petstore.js', 'dist/a.js', 'dist/contract/pets.js', 'dist/main.js'])
})
