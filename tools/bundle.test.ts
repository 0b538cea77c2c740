// A built folder: rebuilt only when its sources have changed, complete at every moment,
// and nothing left behind, even if several processes build at once.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildFolder, compressAll, digestOf } from './bundle.ts'

let place: string
let outDir: string

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'petstore-bundle-'))
  outDir = join(place, 'built')
})
afterEach(() => rm(place, { recursive: true }))

const fillWith = (text: string) => (folder: string) => writeFile(join(folder, 'page'), text)
const page = () => readFile(join(outDir, 'page'), 'utf8')

test('a folder that was built from the same sources is left alone', async () => {
  expect(await buildFolder(outDir, 'a', fillWith('first'))).toBe(true)
  expect(await buildFolder(outDir, 'a', fillWith('second'))).toBe(false)
  expect(await page()).toBe('first')
})

test('a folder that was built from other sources is replaced as a whole', async () => {
  await buildFolder(outDir, 'a', (folder) => writeFile(join(folder, 'gone'), ''))
  expect(await buildFolder(outDir, 'b', fillWith('second'))).toBe(true)
  expect((await readdir(outDir)).toSorted()).toEqual(['page', 'stamp'])
})

test('a build that fails leaves the folder as it was', async () => {
  await buildFolder(outDir, 'a', fillWith('first'))
  const failing = buildFolder(outDir, 'b', () => Promise.reject(new Error('a bracket is missing')))
  await expect(failing).rejects.toThrow('a bracket is missing')
  expect(await page()).toBe('first')
  expect(await readdir(place)).toEqual(['built'])
})

test('several processes build at once, with the same and with others, and one of them is there afterwards', async () => {
  const source = (index: number) => `
    import { writeFile } from 'node:fs/promises'
    import { buildFolder } from ${JSON.stringify(new URL('bundle.ts', import.meta.url).href)}
    const stamp = ${JSON.stringify(index % 2 ? 'odd' : 'even')}
    await buildFolder(${JSON.stringify(outDir)}, stamp, (folder) => writeFile(folder + '/page', stamp))`
  const run = (index: number) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', source(index)])
  await Promise.all([0, 1, 2, 3].map(run))
  expect(await page()).toBe(await readFile(join(outDir, 'stamp'), 'utf8'))
  expect(await readdir(place)).toEqual(['built'])
})

test('the leftovers of a dead process are removed with the next build', async () => {
  // No process has a number as high as this.
  for (const left of ['built.99999999', 'built.99999999-old']) await mkdir(join(place, left))
  await buildFolder(outDir, 'a', fillWith('first'))
  expect(await readdir(place)).toEqual(['built'])
})

test('the digest of sources depends on their names and their content only', async () => {
  const [one, other] = [join(place, 'one'), join(place, 'other')]
  await writeFile(one, 'a')
  await writeFile(other, 'b')
  const before = await digestOf(place, [one, other])
  expect(await digestOf(place, [other, one])).toBe(before)
  expect(await digestOf(place, [one])).not.toBe(before)
  await writeFile(one, 'b')
  await writeFile(other, 'a')
  expect(await digestOf(place, [one, other])).not.toBe(before)
})

test('compressed files are next to files that are larger than a packet', async () => {
  await writeFile(join(place, 'large.js'), 'x'.repeat(1400))
  await writeFile(join(place, 'small.js'), 'x'.repeat(1399))
  await compressAll(place)
  expect((await readdir(place)).toSorted()).toEqual(['large.js', 'large.js.br', 'large.js.gz', 'small.js'])
})
