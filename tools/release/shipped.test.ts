import { expect, test } from 'vitest'
import { strayFiles } from './shipped.ts'

const shipped = [
  'LICENSE',
  'NOTICE',
  'assets/common-passwords.txt',
  'assets/fonts/OFL-figtree.txt',
  'assets/portraits/cat-1.svg',
  'bin/install-packages',
  'bin/node',
  'bin/petstore',
  'bin/petstore.js',
  'dist/contract/platform/site.js',
  'dist/imports/spreadsheet/words/titles.json',
  'dist/mail/test-mail.js',
  'migrations/0001-foundation.sql',
  'node_modules/pg/test/anything.ts',
  'package.json',
  'public/dashboard/assets/page.css.br',
  'sbom.cdx.json',
  'units/petstore.service',
]

test('a tree with what a release consists of has no stray file', () => {
  expect(strayFiles(shipped)).toEqual([])
})

test.each([
  'dist/pets/pet.test.js',
  'dist/pets/pet.fake.js',
  'dist/pets/pet.ts',
  'dist/devserver/main.js',
  'assets/README.md',
  'public/dashboard/stamp',
  'schema.sql',
  'test/http.js',
  '.env',
])('%s is stray (negative control)', (path) => {
  expect(strayFiles([...shipped, path])).toEqual([path])
})
