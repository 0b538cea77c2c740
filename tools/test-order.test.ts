import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest, longestFirst, partOf } from './test-order.ts'

const root = join(import.meta.dirname, '..')

test('every file of the list exists', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the listed files come first, in their order, and the others stay as they were', () => {
  const others = ['/x/e2e/b.test.ts', '/x/e2e/a.test.ts']
  const [first = '', second = ''] = longest.map((path) => `/x/${path}`)
  expect(longestFirst([...others, second, first], (path) => path)).toEqual([first, second, ...others])
})

test('the parts of a run together have every file once, and the same number of the listed ones', () => {
  const files = [...Array.from({ length: 9 }, (_, n) => `/x/e2e/${n}.test.ts`), ...longest.map((path) => `/x/${path}`)]
  const parts = [1, 2].map((index) => partOf(files.toReversed(), (path) => path, { index, count: 2 }))
  expect(parts.flat().toSorted()).toEqual(files.toSorted())
  const [one = 0, other = 0] = parts.map((part) => part.filter((path) => longest.includes(path.slice(3))).length)
  expect(Math.abs(one - other)).toBeLessThanOrEqual(1)
  expect(parts[0]?.[0]).toBe(`/x/${longest[0]}`)
})
