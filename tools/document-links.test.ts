// Every link, path and decision that a document names exists; comments name decisions as well.

import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from './architecture/sources.ts'
import { brokenIn, missingDecisions } from './document-links.ts'

const root = join(import.meta.dirname, '..')
const files = new Set(
  globSync(['**/*', '.ci/*'], {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|public|dist)$/.test(name),
  }).filter((name) => !name.startsWith('release/') && statSync(join(root, name)).isFile()),
)
const documents = new Map(
  [...files].filter((file) => file.endsWith('.md')).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

test('every link, path and decision in a document exists', () => {
  expect(documents.size).toBeGreaterThan(40)
  expect(brokenIn({ files, documents })).toEqual([])
})

test('every decision that a source file names exists', () => {
  const sources = [...readSources('{ts,tsx,js,css}')].filter(([file]) => file !== 'tools/document-links.test.ts')
  expect(sources.length).toBeGreaterThan(1000)
  expect(sources.flatMap(([file, text]) => missingDecisions(text, files).map((name) => `${file}: ${name}`))).toEqual([])
})

const small = new Set([
  'README.md',
  'docs/guide.md',
  'docs/decisions/0001-rooms.md',
  'dashboard/src/pages/home.ts',
  'server/src/app.ts',
  'server/src/pets/pet-queries.ts',
  'server/src/pets/judge-name.ts',
  'server/src/pets/judge-age.ts',
])
const guide = '# Guide\n\n## First, *animals*\n\n### Twice\n\n### Twice\n\n```sh\n# not a heading\n```\n'
const brokenBy = (text: string) =>
  brokenIn({
    files: small,
    documents: new Map([
      ['README.md', text],
      ['docs/guide.md', guide],
    ]),
  })

test.each([
  '[guide](docs/guide.md), [docs](docs/), <img src="docs/guide.md">, [elsewhere](https://petstore.example/none.md)',
  '[animals](docs/guide.md#first-animals), [second](docs/guide.md#twice-1)',
  '`server/src/pets/pet-queries.ts`, `judge-name.ts` and `judge-age.ts`',
  '`server/src/pets/`, `server/src/pets/judge-*.ts`, `server/src/pets/{judge-name,pet-queries}.ts`',
  '`pets/pet-queries.ts`; `home.ts` is somewhere, and so is `pages/home.ts`',
  '| a change | `server/src/pets/pet-queries.ts` |\n| another | `app.ts` |',
  'names end in `-queries.ts`, requests go to `/v1/none` and `pets list`; see decision 1',
  '```sh\nnode server/src/none.ts\n```',
])('%j names what exists', (text) => {
  expect(brokenBy(text)).toEqual([])
})

test.each([
  ['[guide](docs/gone.md)', 'docs/gone.md'],
  ['<img src="docs/gone.png">', 'docs/gone.png'],
  ['[a heading](docs/guide.md#second-animals)', 'docs/guide.md#second-animals'],
  ['[a comment](docs/guide.md#not-a-heading)', 'docs/guide.md#not-a-heading'],
  ['`server/src/pets/gone.ts`', '`server/src/pets/gone.ts`'],
  ['`server/gone/`', '`server/gone/`'],
  ['`pets/gone.ts`', '`pets/gone.ts`'],
  ['`server/src/pets/pet-queries.ts`, `app.ts`', '`app.ts`'],
  ['| a change | `server/src/app.ts`, `pet-queries.ts` |', '`pet-queries.ts`'],
  ['`server/src/pets/advise-*.ts`', '`server/src/pets/advise-*.ts`'],
  ['the file `gone.ts`', '`gone.ts`'],
  ['([decision 2](docs/decisions/0001-rooms.md))', 'decision 2'],
  ['as decisions 1 and 30 say', 'decision 30'],
])('%j is noticed (negative control)', (text, name) => {
  expect(brokenBy(text)).toEqual([`README.md: ${name}`])
})

test('a decision without a page is noticed in a comment, also where a line ends (negative control)', () => {
  expect(missingDecisions('// They take turns (decision 1), as in decision\n// 31.', small)).toEqual(['decision 31'])
})
