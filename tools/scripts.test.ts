// Every `npm run …` that a file of the repository names exists: as a script of package.json, and after
// `npm run experiment --` as an experiment.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const experiments = globSync('testbed/experiments/*/main.ts', { cwd: root }).map((file) => file.split('/').at(-2) ?? '')

const folders = '{contract,dashboard,devserver,docs,e2e,server,testbed,tools,caddy}/**'
const files = globSync([`${folders}/*.{ts,tsx,js,md,sql,pml,json}`, '*.md', '.ci/run'], {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|public|dist)$/.test(name),
}).filter((file) => file !== 'tools/scripts.test.ts')

/** What is named and does not exist. */
function unknownIn(text: string): string[] {
  const named = [...text.matchAll(/npm run (?:--silent )?([a-z][\w/-]*(?::\w+)?)(?: -- ([a-z][\w-]*))?/g)]
  return named.flatMap(([whole, script = '', word]) => {
    const isKnown = script in scripts && (script !== 'experiment' || word === undefined || experiments.includes(word))
    return isKnown ? [] : [whole]
  })
}

test('package.json has the scripts that people type, and no others', () => {
  expect(Object.keys(scripts)).toEqual([
    'dev',
    'check',
    'test',
    'test:e2e',
    'format',
    'lint',
    'types',
    'build',
    'generate',
    'release',
    'ship',
    'safety',
    'site-budget',
    'bench',
    'world',
    'experiment',
  ])
})

test('every npm script and experiment that is named anywhere exists', () => {
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    unknownIn(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

test.each(['npm run zone -- a.test show', 'npm run contract', 'npm run experiment -- golive'])(
  '%s is noticed',
  (text) => {
    expect(unknownIn(`Type \`${text}\`.`)).toHaveLength(1)
  },
)
