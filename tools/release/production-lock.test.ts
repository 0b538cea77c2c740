import { expect, test } from 'vitest'
import { closureOf, isInstalledOn, productionLock } from './production-lock.ts'

const lock = {
  packages: {
    '': {},
    server: { dependencies: { app: '1.0.0', contract: '1.0.0' } },
    contract: {},
    'node_modules/contract': { link: true, resolved: 'contract' },
    'node_modules/app': { version: '1.0.0', dependencies: { deep: '1.0.0', shared: '2.0.0' } },
    'server/node_modules/deep': { version: '9.0.0' },
    'node_modules/deep': { version: '1.0.0', optionalDependencies: { native: '1.0.0', absent: '1.0.0' } },
    'node_modules/native': { version: '1.0.0', os: ['linux'], cpu: ['arm64'], devOptional: true },
    'node_modules/shared': { version: '1.0.0' },
    'node_modules/app/node_modules/shared': { version: '2.0.0', dev: true },
    'node_modules/vitest': { version: '5.0.0', dev: true },
  },
}
const root = { name: 'petstore', version: '1.0.0', dependencies: { app: '1.0.0', contract: '1.0.0' } }

test('the lock of a release has what production needs, and packages of other platforms as optional', () => {
  expect(productionLock(lock, 'server', root).packages).toEqual({
    '': root,
    'node_modules/app': lock.packages['node_modules/app'],
    'node_modules/app/node_modules/shared': { version: '2.0.0' },
    'node_modules/deep': lock.packages['node_modules/deep'],
    'node_modules/native': { version: '1.0.0', os: ['linux'], cpu: ['arm64'], optional: true },
  })
})

test('packages of another platform are not installed, nor what only they need', () => {
  const on = (cpu: string) => [...closureOf(lock, 'server', ['app'], { os: 'linux', cpu, libc: 'glibc' }).keys()]
  expect(on('arm64')).toContain('node_modules/native')
  expect(on('x64')).not.toContain('node_modules/native')
  expect(isInstalledOn({ os: ['!win32'] }, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toBe(true)
  expect(isInstalledOn({ os: ['!linux'] }, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toBe(false)
  expect(isInstalledOn({ libc: ['musl'] }, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toBe(false)
})

test('a lock without a package that is needed is rejected (negative control)', () => {
  expect(() => closureOf(lock, 'server', ['left-out'])).toThrow('The lock has no left-out')
})
