import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest, longestFirst } from './test-order.ts'

const root = join(import.meta.dirname, '..')

test('every file of the list exists', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the listed files come first, in their order, and the others stay as they were', () => {
  const others = ['/x/e2e/b.test.ts', '/x/e2e/a.test.ts']
  const [first = '', second = ''] = longest.map((path) => `/x/${path}`)
  expect(longestFirst([...others, second, first], (path) => path)).toEqual([first, second, ...others])
})
