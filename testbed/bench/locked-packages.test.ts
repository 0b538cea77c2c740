import { expect, test } from 'vitest'
import { isSameInstallation, workspacesOf, type Lock } from './locked-packages.ts'

const lock: Lock = {
  packages: {
    '': {},
    server: {},
    'node_modules/@petstore-platform/server': { link: true, resolved: 'server' },
    'node_modules/pg': { integrity: 'sha512-pg' },
    'node_modules/vitest': { integrity: 'sha512-vitest', dev: true },
  },
}
const withPackages = (more: Lock['packages']): Lock => ({ packages: { ...lock.packages, ...more } })

test('a new workspace and other packages for tests need no installation', () => {
  const other = withPackages({
    'node_modules/vitest': { integrity: 'sha512-newer', dev: true },
    testbed: {},
    'node_modules/@petstore-platform/testbed': { link: true, resolved: 'testbed' },
  })
  expect(isSameInstallation(lock, other)).toBe(true)
})

test.each([
  ['another version', { 'node_modules/pg': { integrity: 'sha512-older' } }],
  ['one package more', { 'node_modules/fastify': { integrity: 'sha512-fastify' } }],
  ['another version for one workspace', { 'server/node_modules/pg': { integrity: 'sha512-older' } }],
])('%s needs an installation', (_, packages) => {
  expect(isSameInstallation(lock, withPackages(packages))).toBe(false)
})

test('the workspaces are the links of the lock', () => {
  expect(workspacesOf(lock)).toEqual([{ link: 'node_modules/@petstore-platform/server', folder: 'server' }])
})
