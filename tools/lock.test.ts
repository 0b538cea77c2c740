import { expect, test } from 'vitest'
import { lockFaults } from './lock.ts'

const good = {
  packages: {
    '': {},
    'node_modules/tool': { version: '1.0.0', optionalDependencies: { '@tool/linux': '1.0.0' } },
    'node_modules/@tool/linux': { version: '1.0.0' },
  },
}

test('a complete lock has no faults', () => {
  expect(lockFaults(good, [{ dependencies: { tool: '1.0.0' } }])).toEqual([])
})

test('a platform package that the lock does not hold is a fault', () => {
  const { 'node_modules/@tool/linux': _, ...rest } = good.packages
  expect(lockFaults({ packages: rest }, [])).toEqual(['node_modules/tool 1.0.0: @tool/linux is missing'])
})

test('a download address, an unlisted install script and a range are faults', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
    'node_modules/b': { version: '1.0.0', hasInstallScript: true },
    'node_modules/c': { version: '1.0.0', hasInstallScript: true },
  }
  expect(lockFaults({ packages }, [{ devDependencies: { a: '^1.0.0' }, allowScripts: { c: true } }])).toEqual([
    'node_modules/a holds a download address',
    'node_modules/b has an install script and is not in allowScripts',
    'a is not pinned exactly: ^1.0.0',
  ])
})
