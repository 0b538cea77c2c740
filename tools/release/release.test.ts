// What a release promises about this repository, as far as it can be checked without building one.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseManifest, versionOf, type ServerManifest } from './manifest.ts'
import { NODE_VERSION } from './node-runtime.ts'

const root = join(import.meta.dirname, '../..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const server = JSON.parse(text('server/package.json')) as ServerManifest

test('the package needs exact versions of published packages, and runs no script', () => {
  const manifest = releaseManifest(server, { node: '>=24.15' }, 'a'.repeat(40), '1.0.0')
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@petstore-platform/'))).toEqual([])
  expect(manifest).toMatchObject({ name: '@petstore-platform/petstore', type: 'module', gitHead: 'a'.repeat(40) })
  expect(manifest).not.toHaveProperty('scripts')
})

test('a range of versions is rejected (negative control)', () => {
  const ranged = { ...server, dependencies: { pg: '^8.0.0' } }
  expect(() => releaseManifest(ranged, { node: '' }, '', '1.0.0')).toThrow('pg is not pinned exactly')
})

test('a work tree with changes has a version of its own', () => {
  expect([versionOf('1.0.0', false), versionOf('1.0.0', true)]).toEqual(['1.0.0', '1.0.0-dirty'])
})

test('the Node that a release brings is the newest that CI runs', () => {
  expect(text('.ci/run')).toContain(`newest=${NODE_VERSION}\n`)
})

const hasSection = (changelog: string, version: string) => changelog.includes(`\n## ${version}\n`)

test('the changelog has a section for the version', () => {
  expect(hasSection(text('CHANGELOG.md'), server.version)).toBe(true)
})

test('a changelog without the version is noticed (negative control)', () => {
  expect(hasSection(text('CHANGELOG.md'), '0.0.1')).toBe(false)
})

/** Runs the executable as if by that version of Node. */
function executedBy(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    'server/bin/petstore.js',
    '--version',
  ]
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

test.each(['20.20.2', '24.14.1'])('the executable says in a sentence that Node %s is too old', (version) => {
  const { status, stdout, stderr } = executedBy(version)
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Petstore needs Node 24.15 or newer, and this is Node ${version}.\n`,
  })
})

test('the executable runs on the oldest supported Node (negative control)', () => {
  expect(executedBy('24.15.0')).toMatchObject({ status: 0, stdout: expect.stringContaining('petstore 1.0.0') })
})
