import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDebianLock } from './debian.ts'

test('the image has the libraries of Node, certificates and time zones, pinned by digest', () => {
  const lock = readFileSync(join(import.meta.dirname, '../../image/debian.lock'), 'utf8')
  const names = readDebianLock(lock).map(({ name }) => name)
  expect(names).toEqual(['ca-certificates', 'libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6', 'tzdata'])
})

test('a line without a digest is rejected (negative control)', () => {
  expect(() => readDebianLock('libc6 2.36-9')).toThrow('libc6 2.36-9')
})
