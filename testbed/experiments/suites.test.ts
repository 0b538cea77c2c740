// Every line of a suite that a file of the repository names after `--only` exists, and a name means one thing.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { safetyNames } from '../safety/lines.ts'
import { shipLines } from '../ship/lines.ts'
import { experimentNames } from './catalogue.ts'

const root = join(import.meta.dirname, '../..')
const lines: Readonly<Record<string, readonly string[]>> = {
  safety: safetyNames(),
  ship: shipLines.map(({ name }) => name),
}

const unknownIn = (text: string): string[] =>
  [...text.matchAll(/npm run (safety|ship) -- --only ([\w,-]+)/g)].flatMap(([, suite = '', only = '']) =>
    only.split(',').filter((name) => !lines[suite]?.includes(name)),
  )

test('every line that is named anywhere exists', () => {
  const files = globSync(['{docs,e2e,server,testbed,tools}/**/*.{ts,md}', '*.md'], {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|public|dist)$/.test(name),
  }).filter((file) => !file.endsWith('suites.test.ts'))
  const found = files.flatMap((file) =>
    unknownIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test('a line that no suite has is noticed', () => {
  expect(unknownIn('`npm run safety -- --only asvs,nothing`, `npm run ship -- --only units`')).toEqual(['nothing'])
})

test('no two experiments or lines have the same name', () => {
  const names = [...experimentNames(), ...Object.values(lines).flat()]
  expect(new Set(names).size).toBe(names.length)
})
